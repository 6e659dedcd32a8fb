// What --target takes besides the CPU, for tables of options: the names of
// getGPUTargets() (StencilDialect/Target/GPUTargets.h), which
// test/Tools/targets.test compares with these.

// Of GPUs.
defvar DeviceTargets = ["cuda", "hip"];
defvar DeviceWords = !interleave(DeviceTargets, " or ");

// With the emulator of them.
defvar GPUTargetValues = !interleave(!listconcat(DeviceTargets, ["emulator"]), ",");
defvar GPUTargetWords = !strconcat(!interleave(DeviceTargets, ", "), " or emulator");

// RUN: not stencil-opt %s --stencil-select-cpu-schedule="schedule='#stencil.schedule<time = 2, window = shared, stream = 0, segments = 3>'" 2>&1 | FileCheck %s --check-prefix=KEYS
// RUN: not stencil-opt %s --stencil-select-cpu-schedule="schedule='#stencil.schedule<stream = 0, chain = shuffle>'" 2>&1 | FileCheck %s --check-prefix=CHAIN
// RUN: not stencil-opt %s --stencil-select-cpu-schedule="schedule=st_smem" 2>&1 | FileCheck %s --check-prefix=NAME
// RUN: not stencil-opt %s --stencil-select-cpu-schedule="schedule='[unit]'" 2>&1 | FileCheck %s --check-prefix=LIST

// KEYS: error: option 'schedule': expected the keys time, stream, step, chain = shared, block and points for a CPU, got #stencil.schedule<segments = 3, window = shared>
// CHAIN: error: option 'schedule': expected the keys time, stream, step, chain = shared, block and points for a CPU, got #stencil.schedule<chain = shuffle>
// NAME: error: option 'schedule': expected one #stencil.schedule for a CPU, or auto, model, measured or default; names and lists are for GPUs, got st_smem
// LIST: error: option 'schedule': expected one #stencil.schedule for a CPU, {{.*}}got [unit]

//===- ScheduleKeys.td - The keys of schedules ---------------*- tablegen -*-===//
//
// A key is declared here, and once: reader, printer, limits, the C functions
// and the documentation of #stencil.schedule follow. What it does is a rewrite
// of its own, and which schedules have it is chosen in the space of the tuner.
//
//===----------------------------------------------------------------------===//

#ifndef STENCILDIALECT_IR_SCHEDULEKEYS_TD
#define STENCILDIALECT_IR_SCHEDULEKEYS_TD

include "mlir/IR/EnumAttr.td"

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

// What windows of pipelines had from the beginning has its number.
def Stencil_Space : I32EnumAttr<"Space", "where values live", [
    I32EnumAttrCase<"Shared", 0, "shared">,
    I32EnumAttrCase<"Registers", 1, "registers">,
    I32EnumAttrCase<"Shuffle", 2, "shuffle">,
    I32EnumAttrCase<"Cache", 3, "cache">]> {
  let cppNamespace = "::stencil";
}

def Stencil_Accumulation : I32EnumAttr<"Accumulation", "how a point gets what comes from other planes of the stream", [
    I32EnumAttrCase<"Gather", 0, "gather">,
    I32EnumAttrCase<"Shift", 1, "shift">,
    I32EnumAttrCase<"Scatter", 2, "scatter">,
    I32EnumAttrCase<"Semi", 3, "semi">]> {
  let cppNamespace = "::stencil";
}

def Stencil_PrefetchAttr : I32EnumAttr<"Prefetch", "how what is read comes from memory", [
    I32EnumAttrCase<"None", 0, "none">,
    I32EnumAttrCase<"Registers", 1, "registers">,
    I32EnumAttrCase<"Async", 2, "async">,
    I32EnumAttrCase<"Tma", 3, "tma">,
    I32EnumAttrCase<"L2", 4, "l2">]> {
  let cppNamespace = "::stencil";
}

def Stencil_Eviction : I32EnumAttr<"Eviction", "which lines the second-level cache gives up", [
    I32EnumAttrCase<"Normal", 0, "normal">,
    I32EnumAttrCase<"Last", 1, "last">]> {
  let cppNamespace = "::stencil";
}

def Stencil_BoundaryPlace : I32EnumAttr<"BoundaryPlace", "where boundary conditions are applied", [
    I32EnumAttrCase<"Kernel", 0, "kernel">,
    I32EnumAttrCase<"Window", 1, "window">,
    I32EnumAttrCase<"Store", 2, "store">]> {
  let cppNamespace = "::stencil";
}

def Stencil_Engine : I32EnumAttr<"Engine", "what computes the sums of a body", [
    I32EnumAttrCase<"Fma", 0, "fma">,
    I32EnumAttrCase<"Taps", 1, "taps">,
    I32EnumAttrCase<"Mma", 2, "mma">]> {
  let cppNamespace = "::stencil";
}

def Stencil_RegionLaunch : I32EnumAttr<"RegionLaunch", "how the regions of a sweep are launched", [
    I32EnumAttrCase<"Separate", 0, "separate">,
    I32EnumAttrCase<"Launch", 1, "launch">,
    I32EnumAttrCase<"Streams", 2, "streams">]> {
  let cppNamespace = "::stencil";
}

//===----------------------------------------------------------------------===//
// Kinds of keys
//===----------------------------------------------------------------------===//

// `number` is that of the key in C (StencilScheduleKey). `least` and `most` are
// the limits of numbers.
class Stencil_ScheduleKey<int number, string key, string type, string shown,
                          string text> {
  int id = number;
  string name = key;
  // The member of ScheduleKeys, and the end of the function that gets it.
  string member = key;
  string getter = ?;
  string cppType = type;
  string cppResult = type;
  string values = shown;
  string meaning = text;
  int least = 0;
  // Numbers beyond this are typing errors, and could overflow.
  int most = 1048576;
  // Lists only: an entry for each axis.
  bit perAxis = 0;
  // Words only.
  list<string> words = [];
  // Of a pipeline that is made of an apply, its ops say this: the schedule of
  // the pipeline does not have the key.
  bit saidByOps = 0;

  string row = "| `" # name # "` | " # values # " | " # meaning # " |\n";
}

class Stencil_ListKey<int number, string key, string shown, string text>
    : Stencil_ScheduleKey<number, key, "::llvm::SmallVector<int64_t>", shown,
                          text> {
  let cppResult = "::llvm::ArrayRef<int64_t>";
}

class Stencil_NumberKey<int number, string key, string shown, string text>
    : Stencil_ScheduleKey<number, key, "::std::optional<int64_t>", shown, text>;

// Some of the words of an enumeration.
class Stencil_WordKey<int number, string key, EnumInfo of, list<string> some,
                      string text>
    : Stencil_ScheduleKey<
          number, key, "::std::optional<::stencil::" # of.className # ">",
          !interleave(!foreach(word, some, "`" # word # "`"), ", "), text> {
  let words = some;
}

// One word, or several.
class Stencil_WordsKey<int number, string key, EnumInfo of, list<string> some,
                       string more, string text>
    : Stencil_WordKey<number, key, of, some, text> {
  let cppType = "::llvm::SmallVector<::stencil::" # of.className # ">";
  let cppResult = "::llvm::ArrayRef<::stencil::" # of.className # ">";
  let values =
      !interleave(!foreach(word, some, "`" # word # "`"), ", ") # "; " # more;
}

//===----------------------------------------------------------------------===//
// Keys
//===----------------------------------------------------------------------===//

def Stencil_BlockKey : Stencil_ListKey<0, "block", "positive numbers",
  "threads of a block per axis; of the axes before the last three, one, and of the axis of `stream`"> {
  let getter = "Block";
  let least = 1;
  let perAxis = 1;
}

def Stencil_PointsKey : Stencil_ListKey<1, "points", "positive numbers",
  "neighbouring outputs that a thread computes, per axis; those along the last axis are loaded and stored as vectors; along the axis of `stream`, one"> {
  let getter = "Points";
  let least = 1;
  let perAxis = 1;
}

def Stencil_StreamKey : Stencil_NumberKey<2, "stream", "an axis",
  "a block walks along this axis, from plane to plane; without it, a block computes one tile"> {
  let getter = "Stream";
  let most = 1048575;
}

def Stencil_SegmentsKey : Stencil_NumberKey<3, "segments", "a positive number",
  "pieces that the axis of `stream` is cut into; each is another block's walk, and fetches its halo anew"> {
  let getter = "Segments";
  let least = 1;
}

def Stencil_WindowKey : Stencil_WordsKey<4, "window", Stencil_Space, ["cache", "shared", "registers", "shuffle"], "or a list, one for each input of the apply that is a field or temp",
  "where neighbours live. `cache`: in the caches of the hardware; `shared`: in shared memory; `registers`: planes of the thread's own points, in its registers, so that other points cannot be read (needs `stream`); `shuffle`: in registers, read by the other lanes of the warp. Default: `cache`"> {
  let getter = "Window";
  let saidByOps = 1;
}

def Stencil_GroupsKey : Stencil_ListKey<5, "groups", "positive numbers",
  "how many of the inputs in shared windows are fetched at a time, the first ones first; the last number holds for all that follow. What several stages of a `chain` read is in no group. One group after the other has the same shared memory; a thread keeps what it has computed of the ones before. Needs a shared window, and another `prefetch` than `registers`. With `stream` the memory of a group is that of the next one in the same iteration, so that it has the newest plane of each input only: what reads several planes needs `accumulate = scatter` or `semi`"> {
  let getter = "Groups";
  let saidByOps = 1;
  let least = 1;
}

def Stencil_AccumulateKey : Stencil_WordKey<6, "accumulate", Stencil_Accumulation, ["gather", "shift", "scatter", "semi"],
  "where the planes along `stream` come from. `gather`: all of them from the window; `shift`: those of the thread's own points from a queue in registers, the rest from the window; `scatter`: only the newest plane is read and adds to partial sums of all the planes that need it; `semi`: the planes behind as with `shift`, those ahead as with `scatter`. Needs `stream`"> {
  let getter = "Accumulate";
  let saidByOps = 1;
}

def Stencil_PrefetchKey : Stencil_WordKey<7, "prefetch", Stencil_PrefetchAttr, ["none", "registers", "async", "tma", "l2"],
  "how the planes of shared windows come from memory. `none`: when they are needed; `registers`: loaded into registers a plane earlier (needs `stream`); `async`: by asynchronous copies (cp.async); `tma`: by the copy engine of sm_90 and later. These need a shared window. `l2`: without windows, each block asks the second-level cache for what the next block along the last axis of `order` is the first one to read (NVIDIA GPUs)"> {
  let getter = "Prefetch";
  let saidByOps = 1;
}

def Stencil_StagesKey : Stencil_NumberKey<8, "stages", "a number from 2 to 1024",
  "planes that a shared window holds: those that are read and those on their way, as far as there is shared memory. Needs `stream` and a shared window"> {
  let getter = "Stages";
  let saidByOps = 1;
  // As many of the smallest planes as shared memory holds.
  let least = 2;
  let most = 1024;
}

def Stencil_EvictionKey : Stencil_WordKey<9, "eviction", Stencil_Eviction, ["normal", "last"],
  "which lines the second-level cache gives up for others. `last`: what the kernel reads is given up after everything else, such as what is stored (PTX: `.L2::evict_last`): all copies by `prefetch = tma` and `async`, and loads of inputs that nobody stores to while it runs. Needs an NVIDIA GPU of sm_80 or later. Default: as measured best"> {
  let getter = "Eviction";
}

def Stencil_BoundaryKey : Stencil_WordKey<10, "boundary", Stencil_BoundaryPlace, ["kernel", "window", "store"],
  "where a `stencil.boundary` before the apply is done. `kernel`: by a kernel that writes the halo; `window`: by the blocks that read it, in their shared windows (`stencil-fold-boundaries`); `store`: in a time loop, by the apply of the step before, which stores the periodic images of its points, too (`stencil-rotate-boundaries`). Default: `kernel`. `window` needs a shared window, `store` neither `stream` nor any window but the cache"> {
  let getter = "Boundary";
}

def Stencil_ChainKey : Stencil_WordKey<11, "chain", Stencil_Space, ["shared", "registers", "shuffle"],
  "where values live that the body computes and reads at neighbouring points (`stencil.weighted_sum` of a scalar). Each becomes a stage of its own that is computed once. `shared`: in shared memory; `registers`: in the registers of the thread, if they are read along the axis of `stream` only; `shuffle`: the same, and neighbours along the last axis come from the registers of the neighbouring threads. Tiles overlap there by what is read beyond the threads of a row, which is computed twice; `block` has as many threads along the last axis as a warp, or a part of it. Without it they are computed again for each point that reads them. Needs `window` or `stream`. With `accumulate = scatter` or `semi`, each stage adds planes as they come, if its sums allow it (the last one has to); with `groups`, each stage has its own"> {
  let getter = "Chain";
  let saidByOps = 1;
}

def Stencil_EngineKey : Stencil_WordKey<16, "engine", Stencil_Engine, ["fma", "taps", "mma"],
  "what computes the sums (`stencil.weighted_sum`). `fma`: instructions for each tap; `taps`: loops over the taps, with the weights in constant memory, of all sums with constant weights over an input in a shared window; needs one, and no `stream`: the window has the whole tile. `mma`: matrix instructions, of all sums with constant weights over an input in a shared window (`stencil-map-to-tensor-cores`); needs one, and a tile of whole patches for each warp. Default: `taps` for sums of 64 taps or more in long rows where it is possible, else `fma`"> {
  let getter = "Engine";
}

def Stencil_OrderKey : Stencil_ListKey<12, "order", "a permutation of the axes",
  "the axis along which successive blocks follow each other first, then the next, ..."> {
  let getter = "Order";
  let perAxis = 1;
}

def Stencil_PanelKey : Stencil_ListKey<13, "panel", "numbers of blocks, 0: all",
  "of an axis, so many blocks are walked together before the other axes go on: neighbouring planes then meet in the second-level cache"> {
  let getter = "Panel";
  let perAxis = 1;
}

def Stencil_LaunchBoundsKey : Stencil_NumberKey<14, "launch_bounds", "a positive number",
  "blocks that a multiprocessor is to hold at least; bounds the registers of a thread"> {
  let getter = "LaunchBounds";
  let member = "launchBounds";
  // 0: not given.
  let cppType = "int64_t";
  let cppResult = "int64_t";
  let least = 1;
}

def Stencil_RegionsKey : Stencil_WordKey<15, "regions", Stencil_RegionLaunch, ["separate", "launch", "streams"],
  "how the applies that store to disjoint boxes of one field, as `stencil-split-regions` makes them, are launched. `separate`: one after the other; `launch`: as one kernel, each block of which computes a part of one region; `streams`: each in its own stream, so that they may run at the same time. Default: `separate`"> {
  let getter = "Regions";
}

def Stencil_TimeKey : Stencil_NumberKey<17, "time", "a number from 2 to 64",
  "steps of the time loop around the apply that it takes at once (`stencil-block-time`), each a stage that the next one reads: memory is read and written once for all of them. The key is that of a loop with one apply; what is written beside it holds for the apply that takes all steps, whose `chain` is `shared` if nothing else is said. Without anything beside it, that is chosen"> {
  let getter = "Time";
  let least = 2;
  let most = 64;
}

def Stencil_PlanesKey : Stencil_NumberKey<18, "planes", "a positive number",
  "instead of `segments`: planes that a segment has at least. The launch counts segments, from extents that only it knows: as many as there are of so many planes, more where multiprocessors would have nothing to do, or the last blocks run beside few others. Needs `stream`"> {
  let getter = "Planes";
  let least = 1;
}

def Stencil_StepKey : Stencil_NumberKey<19, "step", "a number from 1 to 1024",
  "planes that the walk along `stream` goes on by at a time: an iteration computes so many of each stage. What is left at the end of a segment is done one by one. Needs `stream`. Default: 1"> {
  let getter = "Step";
  let saidByOps = 1;
  let least = 1;
  let most = 1024;
}

def Stencil_RelayKey : Stencil_NumberKey<20, "relay", "a number from 2 to 32",
  "legs that the stages of a chain are cut into, all of the same stages: a block has as many times the threads that `block` says, and each group of them computes the stages of one leg, and hands each plane on to the group of the next leg through shared memory. Needs `stream` and `chain = shuffle`"> {
  let getter = "Relay";
  let least = 2;
  let most = 32;
}

def Stencil_SkewKey : Stencil_NumberKey<21, "skew", "a number from -64 to 64, but 0",
  "points along the last axis by which threads compute a stage of a `chain` away from the one that it reads at neighbouring points (`skew` of `#stencil.stage`): with -1, what steps read at [-1, 0, 1] comes from threads on one side. Needs `chain`, which is not along the axis of `stream`. Default: none"> {
  let getter = "Skew";
  let saidByOps = 1;
  let least = -64;
  let most = 64;
}

def Stencil_UnrollKey : Stencil_NumberKey<22, "unroll", "a number from 1 to 32",
  "planes of which the loop of the walk along `stream` has code of its own, a multiple of `step`. With fewer than it takes until queues and sums are in the same registers again, these are moved, and the code is smaller, which multiprocessors keep. Needs `stream`. Default: as many as that takes, at most 32"> {
  let getter = "Unroll";
  let least = 1;
  let most = 32;
}

def Stencil_TailKey : Stencil_ListKey<23, "tail", "tiles, and segments of each",
  "the last tiles of a walk, and into how many segments each of them is cut instead of `segments`: the blocks of the others fill all multiprocessors some times over, and shorter ones what is left. Tiles are counted as blocks are, the last axis first. With as many tiles as there are, or more, it is for all. With `planes`, one number: segments at most of those tiles that whole rounds of blocks leave, which the launch counts, too. Needs `stream`; not with `order` or `panel`"> {
  let getter = "Tail";
  let least = 1;
}

defvar Stencil_ScheduleKeys = [
  Stencil_BlockKey,
  Stencil_PointsKey,
  Stencil_StreamKey,
  Stencil_SegmentsKey,
  Stencil_WindowKey,
  Stencil_GroupsKey,
  Stencil_AccumulateKey,
  Stencil_PrefetchKey,
  Stencil_StagesKey,
  Stencil_EvictionKey,
  Stencil_BoundaryKey,
  Stencil_ChainKey,
  Stencil_EngineKey,
  Stencil_OrderKey,
  Stencil_PanelKey,
  Stencil_LaunchBoundsKey,
  Stencil_RegionsKey,
  Stencil_TimeKey,
  Stencil_PlanesKey,
  Stencil_StepKey,
  Stencil_RelayKey,
  Stencil_SkewKey,
  Stencil_UnrollKey,
  Stencil_TailKey
];

//===----------------------------------------------------------------------===//
// What follows in C++
//===----------------------------------------------------------------------===//

class Stencil_KeyText<Stencil_ScheduleKey key> {
  string declaration = "  " # key.cppType # " " # key.member #
                       !if(!eq(key.cppType, "int64_t"), " = 0", "") # ";\n";
  string getter = key.cppResult # " get" # key.getter #
                  "() const { return getKeys()." # key.member # "; }\n";
  string limit = !if(!empty(key.words),
      "static constexpr int64_t kMost" # key.getter # " = " # key.most # ";\n",
      "");
  string equality = " && " # key.member # " == other." # key.member;
  // Hashes of lists are of what they refer to.
  string hash = ", toHashed(keys." # key.member # ")";
  string visit = "    visit(KeyInfo{" # key.id # ", \"" # key.name # "\", " #
                 key.least # ", " # key.most # ", " #
                 !if(key.perAxis, "true", "false") # ", " #
                 !if(key.saidByOps, "true", "false") # ", {" #
                 !interleave(!foreach(word, key.words, "\"" # word # "\""),
                             ", ") #
                 "}}, keys." # key.member # ");\n";
}

defvar Stencil_KeyMembers = !foldl("", Stencil_ScheduleKeys, text, key,
    text # Stencil_KeyText<key>.declaration);
defvar Stencil_KeyGetters = !foldl("", Stencil_ScheduleKeys, text, key,
    text # Stencil_KeyText<key>.getter);
defvar Stencil_KeyLimits = !foldl("", Stencil_ScheduleKeys, text, key,
    text # Stencil_KeyText<key>.limit);
defvar Stencil_KeyEquality = !foldl("", Stencil_ScheduleKeys, text, key,
    text # Stencil_KeyText<key>.equality);
defvar Stencil_KeyHashes = !foldl("", Stencil_ScheduleKeys, text, key,
    text # Stencil_KeyText<key>.hash);
defvar Stencil_KeyVisits = !foldl("", Stencil_ScheduleKeys, text, key,
    text # Stencil_KeyText<key>.visit);
defvar Stencil_KeyTable = !foldl("", Stencil_ScheduleKeys, text, key,
    text # "    " # key.row);

#endif // STENCILDIALECT_IR_SCHEDULEKEYS_TD

//===- CPUPasses.td - Programs to loops of a CPU -----------*- tablegen -*-===//

#ifndef STENCILDIALECT_CONVERSION_CPUPASSES_TD
#define STENCILDIALECT_CONVERSION_CPUPASSES_TD

include "mlir/Pass/PassBase.td"

def StencilShapeLoops : Pass<"stencil-shape-loops", "::mlir::ModuleOp"> {
  let summary = "what the loops of a program look like on a CPU";
  let description = [{
    Every bufferised apply, pipeline, stage, fold and boundary without the attribute `stencil.cpu_loops` gets it: vectors,
    rows and vectors that are computed together, tiles and the threads that share them, blocks of rows that a core's own
    cache holds, lines that are fetched early, and whether results are written around the caches. All this is chosen here,
    from the description of a CPU that the options are; `convert-stencil-to-cpu` carries it out. Run it right before: what a
    body computes and loads matters.

    Before:
    ```mlir
    stencil.apply(%x = %u : !field) outs (%v : !field) { ... } to <[0, 0], [4096, 4096]>
    ```
    After, for a star of radius 1 and a CPU with vectors of 512 bits:
    ```mlir
    stencil.apply(%x = %u : !field) outs (%v : !field) attributes {stencil.cpu_loops = #stencil.cpu_loops<lanes = 8, rows = 2, columns = 4, threads = 16, tile = [16, 0]>} { ... } to <[0, 0], [4096, 4096]>
    ```
    A pipeline first becomes what a CPU goes through: sums over planes are read from windows, and a stage that others read
    at neighbours is copied where it is stored. Of its `stencil.schedule`, `block` times `points` is the tile.
  }];
  let options = [
    Option<"vectorBits", "vector-bits", "unsigned", /*default=*/"256",
           "width of a vector register in bits">,
    Option<"wideVectorBits", "wide-vector-bits", "unsigned", /*default=*/"0",
           "the same for bodies of hundreds of ops, if it is wider">,
    Option<"memoryVectorBits", "memory-vector-bits", "unsigned",
           /*default=*/"0",
           "the same for what is known to exceed the caches, if it is narrower; "
           "0: as for others">,
    Option<"cacheBytes", "cache-bytes", "uint64_t", /*default=*/"33554432",
           "size of the last-level cache; larger outputs bypass it">,
    Option<"coreCacheBytes", "core-cache-bytes", "uint64_t",
           /*default=*/"1048576",
           "size of the cache that a core has to itself, which is to hold the "
           "window of a volume; 0: do not block for it">,
    Option<"ownCacheBytes", "own-cache-bytes", "uint64_t",
           /*default=*/"1048576",
           "size of a core's second-level cache, which is to hold a tile of "
           "steps in diamonds">,
    Option<"threads", "threads", "unsigned", /*default=*/"16",
           "threads that the work is to be divided among">,
    ListOption<"tile", "tile", "int64_t",
               "tile per axis, 0 for a whole axis; default: chosen per apply">,
    Option<"rows", "rows", "int64_t", /*default=*/"0",
           "rows computed together; 0: chosen per apply">,
    Option<"columns", "columns", "int64_t", /*default=*/"0",
           "vectors of a row computed together; 0: chosen per apply">,
    Option<"planes", "planes", "int64_t", /*default=*/"0",
           "planes of a volume that are computed together, where several are chosen; 0: chosen per apply">,
    Option<"stream", "stream-stores", "bool", /*default=*/"true",
           "write outputs larger than the cache around it">,
    Option<"streamRows", "stream-rows", "bool", /*default=*/"false",
           "compute rows one by one, which may be written around the cache, "
           "where the output is larger than it, of planes of few loads">,
    Option<"prefetchBytes", "prefetch-bytes", "uint64_t", /*default=*/"0",
           "distance along a row at which lines are fetched before they are "
           "used; 0: not at all">,
    Option<"streamRow", "stream-row", "uint64_t", /*default=*/"2048",
           "elements of the shortest row that is written around the cache">,
    Option<"streamRowOfVolume", "stream-row-of-volume", "uint64_t",
           /*default=*/"2048",
           "elements of the shortest row of a volume that is written around "
           "the cache">,
    Option<"lineBytes", "line-bytes", "uint64_t", /*default=*/"64",
           "bytes of a line of the caches">,
    Option<"parallelPoints", "parallel-points", "uint64_t", /*default=*/"8192",
           "points of the smallest apply that several threads share">,
    Option<"tileRows", "tile-rows", "uint64_t", /*default=*/"16",
           "rows of a plane that are dealt out to threads together">,
    Option<"tilePlanes", "tile-planes", "uint64_t", /*default=*/"8",
           "planes of a volume that are dealt out to threads together">,
    Option<"tileRow", "tile-row", "int64_t", /*default=*/"512",
           "elements of a row of a tile of a pipeline">,
    Option<"jointOps", "joint-ops", "int64_t", /*default=*/"512",
           "ops of the largest body of which there is code for several rows">,
    Option<"fewLoads", "few-loads", "int64_t", /*default=*/"20",
           "loads of a point up to which the memory bounds an apply">,
    Option<"fewLoadsOfVolume", "few-loads-of-volume", "int64_t", /*default=*/"25",
           "the same of a point of a volume">,
    Option<"wideLoadsOfVolume", "wide-loads-of-volume", "int64_t", /*default=*/"21",
           "loads of a point from which on volumes take the widest vectors around the cache">,
    Option<"manyLoads", "many-loads", "int64_t", /*default=*/"27",
           "loads of a point from which on the widest vectors pay">,
    Option<"jointPlanes", "joint-planes", "int64_t", /*default=*/"4",
           "planes of a volume that are computed together where that saves loads">,
    Option<"jointPlanesPercent", "joint-planes-percent", "int64_t", /*default=*/"78",
           "per cent of the loads that are left then, up to which it pays">,
    Option<"jointPlanesPlain", "joint-planes-plain", "bool", /*default=*/"false",
           "they pay where they are stored plainly, too">,
    Option<"jointRows", "joint-rows", "int64_t", /*default=*/"2",
           "rows in tiles of steps that are computed together">,
    Option<"jointRowsCache", "joint-rows-cache", "uint64_t", /*default=*/"2097152",
           "size of the largest second-level cache with which rows of a volume in tiles of steps are computed together">,
    Option<"jointRowsPercent", "joint-rows-percent", "int64_t", /*default=*/"70",
           "per cent of the loads that are left then, up to which it pays">,
    Option<"dealtHalos", "dealt-halos", "int64_t", /*default=*/"64",
           "planes of a pipeline that a thread takes at a time, for each that its stages compute beside what they store">,
    Option<"deal", "deal", "int64_t", /*default=*/"1",
           "tiles of what exceeds the caches that a thread takes at a time; 0: each has its share">
  ];
  let dependentDialects = [
    "::stencil::StencilDialect", "::mlir::arith::ArithDialect"];
}

def ConvertStencilToCPU : Pass<"convert-stencil-to-cpu", "::mlir::ModuleOp"> {
  let summary = "bufferised stencil programs to parallel loops over memrefs";
  let description = [{
    Fields become memrefs, applies become loops over tiles (scf.parallel) with
    vectors along the last axis, boundaries and folds become loops.

    What these look like is in the attribute `stencil.cpu_loops` of each op (`stencil-shape-loops`); without it they are
    plain: point by point, on one thread.

    With `padded-rows` there may be a gap behind each row of a field: its memref has strides of its own, 1 along the
    last axis. Who allocates the fields can then have all rows begin at one place of a cache line. Without, memrefs have
    no gaps.

    Needs bufferised programs (`stencil-bufferize`).
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::cf::ControlFlowDialect",
    "::mlir::func::FuncDialect", "::mlir::LLVM::LLVMDialect",
    "::mlir::math::MathDialect",
    "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect",
    "::mlir::vector::VectorDialect"];
  let options = [
    Option<"math", "math", "::stencil::MathMode",
           /*default=*/"::stencil::MathMode::Contract",
           "what may be done to floating-point arithmetic",
           "::stencil::getMathModeValues()">,
    Option<"paddedRows", "padded-rows", "bool", /*default=*/"false",
           "there may be gaps between the rows of fields">
  ];
}

def StencilCallVectorLibrary
    : Pass<"stencil-call-vector-library", "::mlir::ModuleOp"> {
  let summary = "calls of a vector library for math of vectors";
  let description = [{
    `math.exp` and others like it, of vectors of f32 or f64, become calls of
    glibc's libmvec, whose results are within 4 ULP. Vectors that are wider than
    the library's are taken apart; what is narrower stays as it is.

    Before:
    ```mlir
    %y = math.exp %x : vector<4xf64>
    ```
    After, with `library=libmvec-avx2`:
    ```mlir
    %y = llvm.call @_ZGVdN4v_exp(%x) : (vector<4xf64>) -> vector<4xf64>
    ```
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::LLVM::LLVMDialect",
    "::mlir::vector::VectorDialect"];
  let options = [
    Option<"library", "library", "::stencil::VectorMathLibrary",
           /*default=*/"::stencil::VectorMathLibrary::None",
           "where vectors of exponentials and their like come from",
           "::stencil::getVectorLibraryValues()">
  ];
}

def StencilShareRowLoads
    : Pass<"stencil-share-row-loads", "::mlir::func::FuncOp"> {
  let summary = "vectors of a row are made of the aligned ones beside them";
  let description = [{
    A stencil reads each row at several offsets. A `vector.load` as long as a line of the caches that does not begin at one
    takes two accesses to the first-level cache. If the block loads the two vectors that it lies across as well, with no store
    in between, it becomes a `vector.shuffle` of these. They are the ones that begin where what the block stores does, modulo a
    vector, else those in the middle. No memory is read that was not read before; vectors at the ends of what a block reads of
    a row stay loads.

    Where less than `across-percent` of the loads lie across lines, nothing is changed.

    It pays on processors that load one vector of this length in a cycle (AMD's Zen 4): two of the loads that a point takes
    become one instruction of another unit.

    Before:
    ```mlir
    %a = vector.load %u[%i, %j] : memref<?x?xf64>, vector<8xf64>
    %b = vector.load %u[%i, %k] : memref<?x?xf64>, vector<8xf64> // %k = %j + 1
    %c = vector.load %u[%i, %l] : memref<?x?xf64>, vector<8xf64> // %l = %j + 8
    ```
    After:
    ```mlir
    %a = vector.load %u[%i, %j] : memref<?x?xf64>, vector<8xf64>
    %c = vector.load %u[%i, %l] : memref<?x?xf64>, vector<8xf64>
    %b = vector.shuffle %a, %c [1, 2, 3, 4, 5, 6, 7, 8] : vector<8xf64>, vector<8xf64>
    ```
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::vector::VectorDialect"];
  let options = [
    Option<"lineBytes", "line-bytes", "uint64_t", /*default=*/"64",
           "bytes of a line of the caches, a power of two">,
    Option<"registers", "registers", "unsigned", /*default=*/"32",
           "vectors that registers hold: where more are used twice, as by "
           "rows that are computed together, all remain loads">,
    Option<"acrossPercent", "across-percent", "unsigned", /*default=*/"40",
           "loads across lines, per cent of all of a block, from which on they "
           "are put together">
  ];
}

def StencilOrderReductions : Pass<"stencil-order-reductions", "::mlir::func::FuncOp"> {
  let summary = "loops with reductions that OpenMP does not know, one iteration after the other";
  let description = [{
    `convert-scf-to-openmp` knows sums, products, bitwise operations, and the smaller or larger of two by `arith.cmpf` or `arith.cmpi` and
    `arith.select`. A `scf.parallel` with another `scf.reduce` becomes loops of `scf.for`, by the patterns of `convert-scf-to-cf`.
  }];
  let dependentDialects = ["::mlir::scf::SCFDialect"];
}

def StencilHoistBuffers : Pass<"stencil-hoist-buffers", "::mlir::func::FuncOp"> {
  let summary = "what threads allocate in a loop over steps, before the loop";
  let description = [{
    A parallel loop in a loop over steps, in whose iterations memory is allocated and given back, has it from before the outermost
    loop on: each iteration its own, which a parallel loop of as many iterations allocates, so that the same thread does. Nothing
    touches the memory before. Its size has to be known before the loop.

    Before:
    ```mlir
    scf.for %step = %zero to %steps step %one {
      scf.parallel (%thread) = (%zero) to (%threads) step (%one) {
        %memory = memref.alloc(%size) : memref<4x?xf64>
        ...
        memref.dealloc %memory : memref<4x?xf64>
      }
    }
    ```
    After:
    ```mlir
    %table = memref.alloc(%threads) : memref<?xmemref<4x?xf64>>
    scf.parallel (%thread) = (%zero) to (%threads) step (%one) {
      %memory = memref.alloc(%size) : memref<4x?xf64>
      memref.store %memory, %table[%thread] : memref<?xmemref<4x?xf64>>
    }
    scf.for %step = %zero to %steps step %one {
      scf.parallel (%thread) = (%zero) to (%threads) step (%one) {
        %memory = memref.load %table[%thread] : memref<?xmemref<4x?xf64>>
        ...
      }
    }
    ```
    and memory is given back after the loop.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect"];
}

def StencilDealTiles : Pass<"stencil-deal-tiles", "::mlir::func::FuncOp"> {
  let summary = "parallel loops of which threads take some iterations at a time, to OpenMP";
  let description = [{
    A parallel loop with `stencil.deal` becomes one of OpenMP with a dynamic schedule: threads take so many iterations at a time. It is not monotonic, so that
    a thread has its share first, whose pages are near, and then what others have not begun. `convert-scf-to-openmp`, which knows equal shares only, has the other loops.

    Before:
    ```mlir
    scf.parallel (%i) = (%lb) to (%ub) step (%step) { ... } {stencil.deal = 1 : i64}
    ```
    After:
    ```mlir
    omp.parallel {
      omp.wsloop schedule(dynamic = %one, nonmonotonic) {
        omp.loop_nest (%i) : index = (%lb) to (%ub) step (%step) { ... }
      }
      omp.terminator
    }
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::omp::OpenMPDialect"];
}

def StencilInlineAllocationScopes
    : Pass<"stencil-inline-allocation-scopes", "::mlir::func::FuncOp"> {
  let summary = "dissolve allocation scopes in which nothing is allocated";
  let description = [{
    `convert-scf-to-openmp` wraps the bodies of parallel loops in
    `memref.alloca_scope`, which holds a single block and so cannot take
    branches. Bodies of stencils allocate nothing on the stack. (Upstream's
    canonicalisation gives up at ops whose effects it does not know, such as
    fences.)
  }];
}

def StencilRelaxTeams : Pass<"stencil-relax-teams", "::mlir::func::FuncOp"> {
  let summary = "parallel loops without a second barrier, and on one thread if there is one iteration";
  let description = [{
    The threads of an `omp.parallel` wait for each other at its end. A loop that is all that it has need not let them wait before
    (`nowait`), and needs no other thread if it has one iteration (`if`).

    Before:
    ```mlir
    omp.parallel {
      omp.wsloop {
        omp.loop_nest (%i) : index = (%lb) to (%ub) step (%step) { ... }
      }
      omp.terminator
    }
    ```
    After:
    ```mlir
    %next = arith.addi %lb, %step : index
    %more = arith.cmpi slt, %next, %ub : index
    omp.parallel if(%more) {
      omp.wsloop nowait {
        omp.loop_nest (%i) : index = (%lb) to (%ub) step (%step) { ... }
      }
      omp.terminator
    }
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

#endif // STENCILDIALECT_CONVERSION_CPUPASSES_TD

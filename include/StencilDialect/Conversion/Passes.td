//===- Passes.td - Conversions from the stencil dialect -----*- tablegen -*-===//

#ifndef STENCILDIALECT_CONVERSION_PASSES_TD
#define STENCILDIALECT_CONVERSION_PASSES_TD

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
    Option<"manyLoads", "many-loads", "int64_t", /*default=*/"27",
           "loads of a point from which on the widest vectors pay">,
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
           "::stencil::getMathModeValues()">
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

def StencilDistributeTiles : Pass<"stencil-distribute-tiles", "::mlir::ModuleOp"> {
  let summary = "kernels of tiles to kernels of threads";
  let description = [{
    Each `tile.kernel` (docs/tiles.md; a walk has been expanded to loops) becomes a kernel in the `gpu.module` of its
    function, and a `stencil.launch` of it: copies are dealt out to the threads of a block, rings become shared memory, values on boxes
    the registers of the threads that hold their points. Nothing is decided here.

    Before:
    ```mlir
    tile.kernel @scale(%a = %u : !field, %b = %v : !field) grid <domain = <[0], [64]>, block = [64], points = [1]> {
      %x = tile.source %a : !field -> !stencil.temp<?xf64>
      tile.where { ... tile.store %r to %b : !stencil.temp<[0,64]xf64> to !field }
    }
    ```
    After:
    ```mlir
    stencil.launch @f_kernels::@f_scale0 blocks(%c1) threads [64, 1, 1] args(%u : !field read, %v : !field write)
    ```
    A field is a linear buffer there, whose rows are padded, so that the first interior point of each lies on 32 bytes; it has no
    memory yet (`stencil-place-fields`). In a function with the attribute `stencil.device_arrays`, fields are dense, that is, rows have no gaps.
    Where the extents do not say that rows are aligned, accesses are narrower, and TMA is an error.

    A kernel that does not walk has its barriers (`stencil-place-barriers`); so has a walk that was expanded.

    Needs a module with the attribute `stencil.target` (`stencil-attach-target`), if there are such kernels.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::func::FuncDialect",
    "::mlir::gpu::GPUDialect", "::mlir::LLVM::LLVMDialect",
    "::mlir::math::MathDialect",
    "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect",
    "::mlir::vector::VectorDialect",
    "::mlir::amdgpu::AMDGPUDialect",
    "::mlir::nvgpu::NVGPUDialect", "::mlir::NVVM::NVVMDialect"];
  let options = [
    Option<"math", "math", "::stencil::MathMode",
           /*default=*/"::stencil::MathMode::Contract",
           "what may be done to floating-point arithmetic",
           "::stencil::getMathModeValues()">
  ];
}

// On the module: remarks of several threads would have no order.
def StencilMapToTensorCores : Pass<"stencil-map-to-tensor-cores", "::mlir::ModuleOp"> {
  let summary = "sums of pipelines with 'engine = mma' to products of matrices";
  let description = [{
    In a pipeline with `engine = mma`, a `stencil.weighted_sum` with constant weights over an input in a shared window gets the attribute
    `stencil.matrix_product`: the matrix instruction, the patch of outputs that a row of A serves, and the axis along which patches lie side by side (`#tile.mma`;
    docs/tensor-cores.md). Of all that the GPU and the tile allow, those that take the least time are chosen: that of the products at the rate of the matrix unit, or that of the
    loads from shared memory, whichever is longer.

    Before:
    ```mlir
    %s = stencil.weighted_sum %x offsets [...] weights dense<...> : tensor<49xf64> : !temp
    ```
    After:
    ```mlir
    %s = stencil.weighted_sum %x offsets [...] weights dense<...> : tensor<49xf64> attributes {stencil.matrix_product = #tile.mma<shape = [16, 8, 4], patch = [4, 2], along = 1>} : !temp
    ```
    The sum is computed in another order, so that `math` must be `reassociate`. What cannot be a product of matrices is an error with its reason.

    Needs pipelines whose tiles are known (`stencil-tile-registers`), in a module with the attribute `stencil.target` (`stencil-attach-target`).
  }];
  let dependentDialects = ["::stencil::tile::TileDialect"];
  let options = [
    Option<"math", "math", "::stencil::MathMode",
           /*default=*/"::stencil::MathMode::Contract",
           "what may be done to floating-point arithmetic",
           "::stencil::getMathModeValues()">
  ];
}

def StencilMapStages : Pass<"stencil-map-stages", "::mlir::ModuleOp"> {
  let summary = "pipelines, bufferised applies, boundaries and folds to kernels of tiles";
  let description = [{
    Each `stencil.pipeline`, each bufferised `stencil.apply` outside of one, each `stencil.boundary` (with those behind it that do the same to
    other fields; one for each axis if values are extrapolated) and each `stencil.fold` of fields becomes a `tile.kernel` (docs/tiles.md, form 4a): how blocks cut the domain, what is in
    shared memory, which plane is fetched where in an iteration, and what threads
    carry from one to the next is decided here.

    Before:
    ```mlir
    stencil.apply(%x = %u : !stencil.field<[-1,65]xf64>) outs (%v : !stencil.field<[-1,65]xf64>) { ... } to <[0], [64]>
    ```
    After:
    ```mlir
    tile.kernel @apply0(%a = %u : !stencil.field<[-1,65]xf64>, %b = %v : !stencil.field<[-1,65]xf64>) grid <domain = <[0], [64]>, block = [64], points = [1]> {
      %s = tile.source %a : !stencil.field<[-1,65]xf64> -> !stencil.temp<?xf64>
      tile.where {
        %r = stencil.apply(%x = %s : !stencil.temp<?xf64>) -> (!stencil.temp<[0,64]xf64>) { ... }
        tile.store %r to %b : !stencil.temp<[0,64]xf64> to !stencil.field<[-1,65]xf64>
      }
    }
    ```
    A kernel obeys the `stencil.schedule` of its apply or pipeline, which says how it is cut: an apply without `block` and `points` is an
    error (`stencil-tile-applies` gives it both).

    Needs bufferised programs (`stencil-bufferize`), with the functions that take fields inlined, in a module with the attribute
    `stencil.target` (`stencil-attach-target`). Barriers are placed by `stencil-place-barriers`.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::math::MathDialect",
    "::mlir::ub::UBDialect",
    "::stencil::tile::TileDialect"];
}

def StencilPlaceFields : Pass<"stencil-place-fields", "::mlir::ModuleOp"> {
  let summary = "gives fields memory on the GPU, and kernels a stream";
  let description = [{
    What is left of a program when its kernels are made becomes the host's side:
    fields of the caller are copied to the device on entry and back on return,
    in between the host launches. Kernels are not looked at: `stencil.launch`
    and the ops that make its arguments say all that is needed.

    Before:
    ```mlir
    stencil.launch @f_kernels::@f_apply0 blocks(%1) threads [64, 1, 1] args(%u : !stencil.field<[-1,65]xf64> read, %v : !stencil.field<[-1,65]xf64> write)
    ```
    After:
    ```mlir
    gpu.launch_func <%stream : !llvm.ptr> @f_kernels::@f_apply0 blocks in (%1, %c1, %c1) threads in (%c64, %c1, %c1) args(%a : memref<72xf64>, %b : memref<72xf64>)
    ```
    In a function with the attribute `stencil.device_arrays`, the fields that it
    is given are arrays on the device already: kernels work in place. The
    caller's stream is used if it has set one, and only waited for if the host
    needs a result.

    Needs programs whose kernels are made, as `stencil-distribute-tiles` does,
    in a module with the attribute `stencil.target`.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::cf::ControlFlowDialect",
    "::mlir::func::FuncDialect", "::mlir::gpu::GPUDialect",
    "::mlir::LLVM::LLVMDialect", "::mlir::memref::MemRefDialect",
    "::mlir::nvgpu::NVGPUDialect", "::mlir::scf::SCFDialect"];
  let options = [
    Option<"emulate", "emulate", "bool", /*default=*/"false",
           "the program is to run in the emulator">
  ];
}

def StencilRequestDeviceArrays
    : Pass<"stencil-request-device-arrays", "::mlir::func::FuncOp"> {
  let summary = "functions whose fields are arrays on the GPU";
  let description = [{
    Gives every function that has a body the attribute `stencil.device_arrays`,
    which `stencil-distribute-tiles` and `stencil-place-fields` obey.

    ```mlir
    func.func @f(%u: !stencil.field<?xf64>) { ... }
    ==>
    func.func @f(%u: !stencil.field<?xf64>) attributes {stencil.device_arrays} { ... }
    ```
  }];
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

def ConvertGPUToEmulator
    : Pass<"convert-gpu-to-emulator", "::mlir::ModuleOp"> {
  let summary = "GPU kernels to code of the CPU that runs in the emulator";
  let description = [{
    Dissolves every gpu.module. A kernel becomes a function that runs one thread
    and asks the emulator (`runtime/emulator`) who it is; barriers, shuffles,
    asynchronous copies and matrix instructions become calls. The kernels of a
    module are listed in a constant, its image, and gpu.launch_func becomes a
    call of `mgpuLaunchKernel` with the image's kernel.

    ```mlir
    gpu.func @k(%a: memref<64xf64>) kernel {
      %x = gpu.thread_id x
      gpu.barrier
    ==>
    llvm.func internal @kernels.k(%params: !llvm.ptr) {
      %x = llvm.call @stencilEmulatorId(%thread_x) : (i32) -> i64
      llvm.call @stencilEmulatorBarrier(%location) : (!llvm.ptr) -> ()
    ```

    What an option does not say is taken from the module's `stencil.target`, if
    it has one; it is removed. Public functions get a C interface
    (`llvm.emit_c_interface`).
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::gpu::GPUDialect",
    "::mlir::LLVM::LLVMDialect", "::mlir::memref::MemRefDialect",
    "::mlir::scf::SCFDialect", "::mlir::vector::VectorDialect"];
  let options = [
    Option<"warpSize", "warp-size", "unsigned", /*default=*/"0",
           "lanes of a warp, 32 or 64; 0: the target's, or 32">,
    Option<"sharedMemory", "shared-memory", "uint64_t", /*default=*/"0",
           "bytes of shared memory that a block can have; 0: the target's, or "
           "227 KiB">
  ];
}

def StencilCheckEmulatorAccesses
    : Pass<"stencil-check-emulator-accesses", "::mlir::ModuleOp"> {
  let summary = "a check before every access to memory of an emulated kernel";
  let description = [{
    Inserts a call of `stencilEmulatorCheck`, with the address, the number of
    bytes, the alignment and the location, before every access in the functions
    that `convert-gpu-to-emulator` made. Needs them in the LLVM dialect.

    What is loaded only to be stored to shared memory need not have a value:
    `stencilEmulatorHasValue` and `stencilEmulatorMoveValue` take along whether
    it has, so that who uses it there is found.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

def StencilAttachKernelTargets
    : Pass<"stencil-attach-kernel-targets", "::mlir::ModuleOp"> {
  let summary = "say which GPU the kernels are for, and check that they fit";
  let description = [{
    Gives every `gpu.module` a `#nvvm.target` or `#rocdl.target` for the GPU of
    the module's attribute `stencil.target` (`stencil-attach-target`).
    Kernels that no launch could run on it are errors: more threads in a block,
    more static shared memory or more registers than it has, or more blocks on a
    multiprocessor (`nvvm.minctasm`) than fit. For AMD, `nvvm.minctasm` becomes
    `rocdl.waves_per_eu`.
  }];
  let dependentDialects = [
    "::mlir::gpu::GPUDialect", "::mlir::NVVM::NVVMDialect",
    "::mlir::ROCDL::ROCDLDialect"];
  let options = [
    Option<"optLevel", "opt-level", "unsigned", /*default=*/"3",
           "LLVM's and ptxas' optimisations: 0 to 3">
  ];
}

def StencilLowerKernelsToROCDL
    : Pass<"stencil-lower-kernels-to-rocdl", "::mlir::gpu::GPUModuleOp"> {
  let summary = "convert-gpu-to-rocdl for the chip of the kernels' target";
  let description = [{
    Runs upstream's `convert-gpu-to-rocdl` with the option `chipset` from the
    `#rocdl.target` of the `gpu.module`, which `stencil-attach-kernel-targets`
    gives it, with bare pointers and HIP's functions.
  }];
  let dependentDialects = [
    "::mlir::amdgpu::AMDGPUDialect", "::mlir::cf::ControlFlowDialect",
    "::mlir::LLVM::LLVMDialect", "::mlir::memref::MemRefDialect",
    "::mlir::ROCDL::ROCDLDialect"];
}

def StencilLowerDeviceMath
    : Pass<"stencil-lower-device-math", "::mlir::gpu::GPUModuleOp"> {
  let summary = "math that GPUs have instructions for to LLVM intrinsics";
  let description = [{
    `math.floor`, `math.fma`, `math.sqrt` and others like them become calls of
    LLVM intrinsics, so that only the rest (`math.exp`) needs a library of the
    vendor.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::func::FuncDialect",
    "::mlir::LLVM::LLVMDialect", "::mlir::math::MathDialect",
    "::mlir::ROCDL::ROCDLDialect", "::mlir::vector::VectorDialect"];
  let options = [
    Option<"rocm", "rocm", "bool", /*default=*/"false",
           "call functions of ROCm's library for the rest">
  ];
}

def StencilLowerScalarMath : Pass<"stencil-lower-scalar-math"> {
  let summary = "what upstream's conversions of arith and math lack";
  let description = [{
    - `arith.maxnumf` and `minnumf` become intrinsics of LLVM that take -0 for
      less than +0, as `maximumf` and `minimumf` do, which stay; the divisions
      that round up or down, and conversions between f32 and bf16, are expanded
      as `arith-expand` does.
    - Tests (`math.isnan`, `isinf`, `isfinite`, `isnormal`) become comparisons.
    - `math.ipowi` becomes products in a loop over the bits of the exponent;
      `math.fpowi` products if the exponent is a small constant, else
      `math.powf` in f64.
    - On a host, arithmetic on bf16 is done in f32, and rounded by integer
      arithmetic, which keeps denormal numbers; `math.expm1` and `log1p` call
      the C library.
    - For a device, `math.sincos` and conversions of floats to i1 are taken
      apart.

    Runs before `scf` is lowered.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::func::FuncDialect",
    "::mlir::LLVM::LLVMDialect", "::mlir::math::MathDialect",
    "::mlir::scf::SCFDialect", "::mlir::vector::VectorDialect"];
  let options = [
    Option<"device", "device", "bool", /*default=*/"false",
           "for kernels of a GPU, which has bf16 and functions of its own">
  ];
}

def StencilLowerEvictions
    : Pass<"stencil-lower-evictions", "::mlir::gpu::GPUModuleOp"> {
  let summary = "hints to the second-level cache of NVIDIA's GPUs";
  let description = [{
    In a kernel with `stencil.eviction = "last"` (the key `eviction` of
    [`#stencil.schedule`](Dialect.md#scheduleattr)), what is read gets a policy
    by which the cache gives up its lines last (PTX: `.L2::cache_hint`,
    `evict_last`): copies of the tensor memory accelerator and `cp.async` to
    shared memory here. Loads of arguments that are `llvm.noalias` and
    `llvm.readonly` get it when LLVM has merged them; the kernel passes the
    attribute on. Runs when kernels are functions of the LLVM dialect.

    ```mlir
    nvvm.cp.async.shared.global %s, %u, 16, cache = cg : !llvm.ptr<3>, !llvm.ptr<1>
    ==>
    %last = llvm.mlir.constant(1508705875169116160 : i64) : i64
    llvm.inline_asm has_side_effects "cp.async.cg.shared.global.L2::cache_hint [$0], [$1], 16, $2;", "l,l,l,~{memory}" %s, %u, %last : (!llvm.ptr<3>, !llvm.ptr<1>, i64) -> ()
    ```
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

def StencilLowerPrefetches
    : Pass<"stencil-lower-prefetches", "::mlir::gpu::GPUModuleOp"> {
  let summary = "prefetches that NVIDIA's GPUs have an instruction for";
  let description = [{
    `llvm.intr.prefetch` of global memory becomes `nvvm.prefetch` into the
    second-level cache: LLVM's back end for NVIDIA's GPUs makes nothing of the
    former. Where that is none for the chip of the module's target, before sm_90,
    the instruction is written as text.
  }];
  let dependentDialects = ["::mlir::NVVM::NVVMDialect"];
}

def StencilLowerLaunches
    : Pass<"stencil-lower-launches", "::mlir::ModuleOp"> {
  let summary = "launches that take bare pointers and sizes of i64";
  let description = [{
    `gpu-to-llvm` keeps the stream of a `gpu.launch_func` only if the op needs no
    conversion. Its memrefs become `!llvm.ptr` here, index becomes i64. For
    kernels that have been lowered with bare pointers. Declarations of functions
    come first, where that pass finds those of the runtime. The module's
    `stencil.target` is removed.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::LLVM::LLVMDialect",
    "::mlir::memref::MemRefDialect"];
}

def StencilLowerTensorMaps
    : Pass<"stencil-lower-tensor-maps", "::mlir::ModuleOp"> {
  let summary = "descriptors of TMA as arguments of kernels, by value";
  let description = [{
    `nvgpu.tma.create.descriptor` becomes a call of `mgpuTensorMapEncodeTiled` on
    memory of the calling function, with the extents and strides that the memref
    has then, and the launches that have the descriptor as operand get its 128
    bytes by value. Nothing is allocated on the device and nothing waits for it,
    so that descriptors can be made in time loops and while a graph is recorded.

    ```mlir
    %d = nvgpu.tma.create.descriptor %u box[%c1, %c18, %c132] : memref<*xf64> -> !map
    gpu.launch_func @m::@k ... args(%d : !map)
    gpu.func @k(%d: !map) kernel {
    ==>
    call @mgpuTensorMapEncodeTiled(%slot, ...)
    %d = llvm.load %slot : !llvm.ptr -> !llvm.array<16 x i64>
    gpu.launch_func @m::@k ... args(%d : !llvm.array<16 x i64>)
    gpu.func @k(%a: !llvm.array<16 x i64>) kernel {
      %d = builtin.unrealized_conversion_cast %a : !llvm.array<16 x i64> to !map
    ```

    Errors: a descriptor that does not go from its op to launches, a tensor or a
    box that no descriptor can be for, as far as it is known.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::func::FuncDialect",
    "::mlir::LLVM::LLVMDialect", "::mlir::memref::MemRefDialect"];
}

def StencilReferenceArguments
    : Pass<"stencil-reference-arguments", "::mlir::gpu::GPUModuleOp"> {
  let summary = "arguments whose address a kernel uses stay where they are";
  let description = [{
    An argument that is an array and is only cast (by
    `builtin.unrealized_conversion_cast`) becomes a pointer to the argument, for
    NVIDIA: `llvm.byval`, aligned to 64 bytes, and `nvvm.grid_constant`, which
    says that nobody writes to it, so that no thread needs a copy.
  }];
  let dependentDialects = [
    "::mlir::LLVM::LLVMDialect", "::mlir::NVVM::NVVMDialect"];
}

def StencilDeclareDynamicMemory
    : Pass<"stencil-declare-dynamic-memory", "::mlir::gpu::GPUModuleOp"> {
  let summary = "dynamic shared memory is the launch's, not the kernel's";
  let description = [{
    The lowering of `gpu.dynamic_shared_memory` defines an internal array without
    elements: LLVM gives it a place among the static arrays, so that it overlaps
    the next. Here it becomes a declaration, which stands for what the launch
    adds behind the static arrays, aligned to 128 bytes, as TMA needs.

    ```mlir
    llvm.mlir.global internal @s() {addr_space = 3, alignment = 16} : !llvm.array<0 x i8>
    ==>
    llvm.mlir.global external @s() {addr_space = 3, alignment = 128} : !llvm.array<0 x i8>
    ```
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

def StencilRequestCInterfaces
    : Pass<"stencil-request-c-interfaces", "::mlir::func::FuncOp"> {
  let summary = "a C interface for every public function that has a body";
  let description = [{
    `_mlir_ciface_NAME`, as `llvm-request-c-wrappers`, but not for functions of
    the runtime that are only declared.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

def StencilSerializeKernels
    : Pass<"stencil-serialize-kernels", "::mlir::ModuleOp"> {
  let summary = "gpu.module to gpu.binary";
  let description = [{
    Compiles every `gpu.module`, lowered to the LLVM dialect and with one target,
    to a `gpu.binary` of one object. Unlike `gpu-module-to-binary`, functions that
    remain undefined are errors that name them, errors of ptxas are reported at
    the kernel, and the registers, spills and memory of each kernel are in the
    kernel table of the object.
  }];
  let dependentDialects = ["::mlir::gpu::GPUDialect"];
  let options = [
    Option<"format", "format", "std::string", /*default=*/"\"fatbin\"",
           "isa (PTX or AMD assembly), bin (cubin or HSACO), fatbin (cubin and "
           "PTX; for AMD, HSACO) or auto (fatbin, or PTX if there is no ptxas)">,
    Option<"toolkit", "toolkit", "std::string", /*default=*/"\"\"",
           "directory of the CUDA toolkit or of ROCm; default: searched for">
  ];
}

#endif // STENCILDIALECT_CONVERSION_PASSES_TD

// The text of a kernel, and of the function that launches it: names, formulas
// and loops as in the program.
// RUN: stencil-translate %s --to-cuda --chip sm_90 | FileCheck %s --match-full-lines --strict-whitespace

//      CHECK:// From blur.mlir:12.
// CHECK-NEXT:__global__ void __launch_bounds__(64, 2)
// CHECK-NEXT:blur_apply0(const double *__restrict__ u, double *__restrict__ v, int n) {
// CHECK-NEXT:  const int block = blockIdx.x;
// CHECK-NEXT:  const int thread = threadIdx.x;
// CHECK-NEXT:  const int point = block * 64 + thread;
// CHECK-NEXT:  if (point < n) {
// CHECK-NEXT:    const double center = u[point];
// CHECK-NEXT:    v[point] = center + ((u[point - 1] + u[point + 1]) * 0.5 - center) * 0.1;
// CHECK-NEXT:  }
// CHECK-NEXT:}
// CHECK-EMPTY:
// CHECK-NEXT:extern "C" int32_t blur(double *a, int64_t steps) {
// CHECK-NEXT:  StencilResources held;
// CHECK-NEXT:  cudaStream_t stream;
// CHECK-NEXT:  STENCIL_CHECK(held.create(&stream));
// CHECK-NEXT:  double *du;
// CHECK-NEXT:  STENCIL_CHECK(held.allocate(&du, 66 * sizeof(double)));
// CHECK-NEXT:  double *dv;
// CHECK-NEXT:  STENCIL_CHECK(held.allocate(&dv, 66 * sizeof(double)));
// CHECK-NEXT:  STENCIL_CHECK(cudaMemcpy2DAsync(du, 528, a, 528, 528, 1, cudaMemcpyDefault, stream));
// CHECK-NEXT:  double *u = du;
// CHECK-NEXT:  double *v = dv;
// CHECK-NEXT:  for (long long step = 0; step < steps; ++step) {
// CHECK-NEXT:    blur_apply0<<<1, 64, 0, stream>>>(u, v, 64);
// CHECK-NEXT:    STENCIL_CHECK(cudaGetLastError());
// CHECK-NEXT:    double *next0 = u;
// CHECK-NEXT:    u = v;
// CHECK-NEXT:    v = next0;
// CHECK-NEXT:  }
// CHECK-NEXT:  STENCIL_CHECK(cudaStreamSynchronize(stream));
// CHECK-NEXT:  STENCIL_CHECK(held.free(du));
// CHECK-NEXT:  STENCIL_CHECK(held.free(dv));
// CHECK-NEXT:  STENCIL_CHECK(held.destroy(stream));
// CHECK-NEXT:  return STENCIL_OK;
// CHECK-NEXT:}

module attributes {gpu.container_module} {
  gpu.module @blur_kernels {
    gpu.func @blur_apply0(%u: memref<66xf64> {llvm.noalias, stencil.name = "u"}, %v: memref<66xf64> {llvm.noalias, stencil.name = "v"}, %n: i32 {stencil.name = "n"})
        kernel attributes {known_block_size = array<i32: 64, 1, 1>, nvvm.minctasm = 2 : i32, stencil.source = "blur.mlir:12"} {
      %c64 = arith.constant 64 : i32
      %c1 = arith.constant 1 : i32
      %half = arith.constant 0.5 : f64
      %tenth = arith.constant 0.1 : f64
      %block = gpu.block_id x
      %thread = gpu.thread_id x
      %b = arith.index_cast %block : index to i32
      %t = arith.index_cast %thread : index to i32
      %begin = arith.muli %b, %c64 overflow<nsw> : i32
      %point = arith.addi %begin, %t overflow<nsw> : i32
      %inside = arith.cmpi slt, %point, %n : i32
      scf.if %inside {
        %i = arith.index_cast %point : i32 to index
        %l = arith.subi %point, %c1 overflow<nsw> : i32
        %left = arith.index_cast %l : i32 to index
        %r = arith.addi %point, %c1 overflow<nsw> : i32
        %right = arith.index_cast %r : i32 to index
        %0 = memref.load %u[%left] : memref<66xf64>
        %1 = memref.load %u[%right] : memref<66xf64>
        %center = memref.load %u[%i] : memref<66xf64>
        %2 = arith.addf %0, %1 fastmath<contract> : f64
        %3 = arith.mulf %2, %half fastmath<contract> : f64
        %change = arith.subf %3, %center fastmath<contract> : f64
        %4 = arith.mulf %change, %tenth fastmath<contract> : f64
        %5 = arith.addf %center, %4 fastmath<contract> : f64
        memref.store %5, %v[%i] : memref<66xf64>
      }
      gpu.return
    }
  }

  func.func private @mgpuStreamCreate() -> !llvm.ptr
  func.func private @mgpuStreamSynchronize(!llvm.ptr)
  func.func private @mgpuStreamDestroy(!llvm.ptr)
  func.func private @stencilMemcpy2D(index, index, index, index, index, index, !llvm.ptr)

  func.func @blur(%a: memref<66xf64>, %steps: index) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %bytes = arith.constant 528 : index
    %n = arith.constant 64 : i32
    %stream = call @mgpuStreamCreate() : () -> !llvm.ptr
    %t0 = gpu.wait async
    %du, %t1 = gpu.alloc async [%t0] () : memref<66xf64>
    %dv, %t2 = gpu.alloc async [%t1] () : memref<66xf64>
    gpu.wait [%t2]
    %from = memref.extract_aligned_pointer_as_index %a : memref<66xf64> -> index
    %to = memref.extract_aligned_pointer_as_index %du : memref<66xf64> -> index
    call @stencilMemcpy2D(%to, %bytes, %from, %bytes, %bytes, %c1, %stream) : (index, index, index, index, index, index, !llvm.ptr) -> ()
    %r:2 = scf.for %step = %c0 to %steps step %c1 iter_args(%u = %du, %v = %dv) -> (memref<66xf64>, memref<66xf64>) {
      gpu.launch_func <%stream : !llvm.ptr> @blur_kernels::@blur_apply0 blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) args(%u : memref<66xf64>, %v : memref<66xf64>, %n : i32)
      scf.yield %v, %u : memref<66xf64>, memref<66xf64>
    }
    call @mgpuStreamSynchronize(%stream) : (!llvm.ptr) -> ()
    %t3 = gpu.wait async
    %t4 = gpu.dealloc async [%t3] %du : memref<66xf64>
    %t5 = gpu.dealloc async [%t4] %dv : memref<66xf64>
    gpu.wait [%t5]
    call @mgpuStreamDestroy(%stream) : (!llvm.ptr) -> ()
    return
  }
}

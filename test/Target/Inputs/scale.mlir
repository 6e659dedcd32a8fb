module attributes {gpu.container_module} {
  gpu.module @scale_kernels {
    gpu.func @scale_apply0(%u: memref<5184xf64> {llvm.noalias, llvm.align = 32 : i32}, %v: memref<f64> {llvm.noalias, llvm.align = 32 : i32}, %n: i32, %c: f64)
        kernel attributes {known_block_size = array<i32: 32, 4, 1>, nvvm.minctasm = 2 : i32} {
      %n64 = arith.index_cast %n : i32 to index
      %vb = memref.reinterpret_cast %v to offset: [0], sizes: [%n64], strides: [1] : memref<f64> to memref<?xf64>
      %tx = gpu.thread_id x
      %bx = gpu.block_id x
      %c32 = arith.constant 32 : index
      %c4 = arith.constant 4 : index
      %b = arith.muli %bx, %c32 : index
      %i = arith.addi %b, %tx : index
      %i4 = arith.muli %i, %c4 : index
      %x = vector.load %u[%i4] {alignment = 16 : i64} : memref<5184xf64>, vector<4xf64>
      %cv = vector.broadcast %c : f64 to vector<4xf64>
      %y = arith.mulf %x, %cv : vector<4xf64>
      vector.store %y, %vb[%i4] {alignment = 16 : i64} : memref<?xf64>, vector<4xf64>
      gpu.return
    }
  }
  func.func private @mgpuStreamCreate() -> !llvm.ptr
  func.func private @mgpuStreamSynchronize(!llvm.ptr)
  func.func @scale(%a: memref<?x?xf64>, %steps: index) {
    %s = func.call @mgpuStreamCreate() : () -> !llvm.ptr
    %t0 = gpu.wait async
    %d, %t1 = gpu.alloc async [%t0] () : memref<5184xf64>
    %e, %t2 = gpu.alloc async [%t1] () : memref<f64>
    gpu.wait [%t2]
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c32 = arith.constant 32 : index
    %n = arith.constant 5184 : i32
    %c = arith.constant 2.0 : f64
    scf.for %k = %c0 to %steps step %c1 {
      gpu.launch_func <%s : !llvm.ptr> @scale_kernels::@scale_apply0 blocks in (%c32, %c1, %c1) threads in (%c32, %c4, %c1) args(%d : memref<5184xf64>, %e : memref<f64>, %n : i32, %c : f64)
    }
    func.call @mgpuStreamSynchronize(%s) : (!llvm.ptr) -> ()
    %t3 = gpu.wait async
    %t4 = gpu.dealloc async [%t3] %d : memref<5184xf64>
    gpu.wait [%t4]
    return
  }
}

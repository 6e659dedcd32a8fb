module {
  gpu.module @f_kernels {
    gpu.func @known(%arg0: memref<5280xf64>, %arg1: memref<5280xf64>, %arg2: f64, %arg3: !nvgpu.tensormap.descriptor<tensor = memref<10x72xf64, 3>, swizzle = none, l2promo = l2promo_128b, oob = zero, interleave = none>, %arg4: memref<2048xf64>, %arg5: memref<1xi32>) kernel {
      gpu.return
    }
    gpu.func @unknown(%arg0: i64, %arg1: i64, %arg2: memref<f64>) kernel {
      gpu.return
    }
  }
  func.func @known(%arg0: !stencil.field<[-1,65]x[-4,68]xf64>, %arg1: !stencil.field<[-1,65]x[-4,68]xf64>, %arg2: f64) {
    %c66 = arith.constant 66 : index
    %0 = stencil.scratch : memref<2048xf64>
    %1 = stencil.error_word ["f.mlir:3:5: division by zero", "too far"] : memref<1xi32>
    %2 = stencil.tensor_map %arg0 : !stencil.field<[-1,65]x[-4,68]xf64> -> !nvgpu.tensormap.descriptor<tensor = memref<10x72xf64, 3>, swizzle = none, l2promo = l2promo_128b, oob = zero, interleave = none>
    %3 = stencil.tensor_map %arg1 : !stencil.field<[-1,65]x[-4,68]xf64> -> !nvgpu.tensormap.descriptor<tensor = memref<10x72xf64, 3>, swizzle = none, l2promo = l2promo_128b, oob = zero, interleave = none>
    stencil.launch @f_kernels::@known blocks(%c66) threads [64, 4, 1] shared 4096 align 16 args(%arg0 : !stencil.field<[-1,65]x[-4,68]xf64> read, %arg1 : !stencil.field<[-1,65]x[-4,68]xf64> readwrite, %arg2 : f64, %2 : !nvgpu.tensormap.descriptor<tensor = memref<10x72xf64, 3>, swizzle = none, l2promo = l2promo_128b, oob = zero, interleave = none>, %0 : memref<2048xf64> write, %1 : memref<1xi32> write)
    return
  }
  func.func @unknown(%arg0: !stencil.field<[-1,?+1]x[-4,?+4]xf64>) {
    %0 = stencil.extent 0
    %1 = stencil.extent 0
    %2 = arith.index_cast %1 : index to i64
    %3 = stencil.buffer_size %arg0 : !stencil.field<[-1,?+1]x[-4,?+4]xf64>
    %4 = arith.index_cast %3 : index to i64
    stencil.launch @f_kernels::@unknown blocks(%0) threads [1, 1, 1] args(%2 : i64, %4 : i64, %arg0 : !stencil.field<[-1,?+1]x[-4,?+4]xf64> write)
    return
  }
  func.func @result() -> f64 {
    %0 = stencil.scratch : memref<1xf64>
    %1 = stencil.fetch %0 : memref<1xf64>
    return %1 : f64
  }
}


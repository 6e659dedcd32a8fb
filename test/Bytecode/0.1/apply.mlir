module {
  func.func @one_axis(%arg0: !stencil.temp<?xf64>, %arg1: f64) {
    %0 = stencil.apply(%arg2 = %arg0 : !stencil.temp<?xf64>, %arg3 = %arg1 : f64) -> (!stencil.temp<?xf64>) {
      %1 = stencil.access %arg2[-1] : !stencil.temp<?xf64>
      %2 = arith.mulf %1, %arg3 : f64
      stencil.return %2 : f64
    }
    return
  }
  func.func @same_names(%arg0: !stencil.temp<?xf64>) {
    %0 = stencil.apply(%arg1 = %arg0 : !stencil.temp<?xf64>) -> (!stencil.temp<?xf64>) {
      %1 = stencil.access %arg1[0] : !stencil.temp<?xf64>
      stencil.return %1 : f64
    }
    return
  }
  func.func @two_axes(%arg0: !stencil.temp<[-1,65]x[0,64]xf32>) {
    %0:2 = stencil.apply(%arg1 = %arg0 : !stencil.temp<[-1,65]x[0,64]xf32>) -> (!stencil.temp<[0,64]x[0,64]xf32>, !stencil.temp<[0,64]x[0,64]xi1>) {
      %1 = stencil.access %arg1[-1, 0] : !stencil.temp<[-1,65]x[0,64]xf32>
      %2 = stencil.access %arg1[1, 0] : !stencil.temp<[-1,65]x[0,64]xf32>
      %3 = arith.cmpf olt, %1, %2 : f32
      stencil.return %1, %3 : f32, i1
    }
    return
  }
  func.func @lower_rank(%arg0: !stencil.temp<?xbf16>, %arg1: !stencil.temp<?x?xbf16>, %arg2: !stencil.temp<?x?x?xbf16>) {
    %0 = stencil.apply(%arg3 = %arg0 : !stencil.temp<?xbf16>, %arg4 = %arg1 : !stencil.temp<?x?xbf16>, %arg5 = %arg2 : !stencil.temp<?x?x?xbf16>) -> (!stencil.temp<?x?x?xbf16>) {
      %1 = stencil.access %arg3[_, 1, _] : !stencil.temp<?xbf16>
      %2 = stencil.access %arg4[0, _, -2] attributes {name = "x"} : !stencil.temp<?x?xbf16>
      %3 = stencil.access %arg5[0, 0, 0] : !stencil.temp<?x?x?xbf16>
      %4 = arith.addf %1, %2 : bf16
      %5 = arith.addf %3, %4 : bf16
      stencil.return %5 : bf16
    }
    return
  }
  func.func @four_axes(%arg0: !stencil.temp<?x?x?x?xi64>) {
    %0 = stencil.apply(%arg1 = %arg0 : !stencil.temp<?x?x?x?xi64>) -> (!stencil.temp<?x?x?x?xi64>) {
      %1 = stencil.access %arg1[1, -2, 3, -4] : !stencil.temp<?x?x?x?xi64>
      stencil.return %1 : i64
    }
    return
  }
  func.func @no_operand() {
    %0 = stencil.apply() -> (!stencil.temp<?x?xindex>) attributes {name = "x"} {
      %1 = stencil.index 0 <[0, 0]>
      %2 = stencil.index 1 <[-1, 2]>
      %3 = arith.addi %1, %2 : index
      stencil.return %3 : index
    }
    return
  }
  func.func @dynamic(%arg0: !stencil.temp<?x?xf64>, %arg1: !stencil.field<?x?xf64>) {
    %0 = stencil.apply(%arg2 = %arg0 : !stencil.temp<?x?xf64>, %arg3 = %arg1 : !stencil.field<?x?xf64>) -> (!stencil.temp<?x?xf64>) {
      %1 = stencil.index 0 <[0, 0]>
      %2 = stencil.index 1 <[0, 1]>
      %3 = stencil.dyn_access %arg2[%1, %2] in <[-1, 0]> : <[1, 2]> : !stencil.temp<?x?xf64>
      %4 = stencil.dyn_access %arg3[%1, %1] in <[0, 0]> : <[0, 0]> attributes {name = "x"} : !stencil.field<?x?xf64>
      %5 = arith.addf %3, %4 : f64
      stencil.return %5 : f64
    }
    return
  }
  func.func @store_result(%arg0: !stencil.temp<?xf64>, %arg1: i1) {
    %0:2 = stencil.apply(%arg2 = %arg0 : !stencil.temp<?xf64>, %arg3 = %arg1 : i1) -> (!stencil.temp<?xf64>, !stencil.temp<?xf64>) {
      %1 = stencil.access %arg2[0] : !stencil.temp<?xf64>
      %2 = scf.if %arg3 -> (!stencil.result<f64>) {
        %4 = stencil.store_result %1 : !stencil.result<f64>
        scf.yield %4 : !stencil.result<f64>
      } else {
        %4 = stencil.store_result : !stencil.result<f64>
        scf.yield %4 : !stencil.result<f64>
      }
      %3 = stencil.store_result %1 attributes {name = "x"} : !stencil.result<f64>
      stencil.return %2, %3 : !stencil.result<f64>, !stencil.result<f64>
    }
    return
  }
  func.func @unroll(%arg0: !stencil.temp<[0,66]x[0,64]xf16>) {
    %0:2 = stencil.apply(%arg1 = %arg0 : !stencil.temp<[0,66]x[0,64]xf16>) -> (!stencil.temp<[0,64]x[0,64]xf16>, !stencil.temp<[0,64]x[0,64]xf16>) {
      %1 = stencil.access %arg1[0, 0] : !stencil.temp<[0,66]x[0,64]xf16>
      %2 = stencil.access %arg1[3, 1] : !stencil.temp<[0,66]x[0,64]xf16>
      stencil.return %1, %1, %1, %2, %2, %2, %2, %1 unroll <[2, 2]> : f16, f16, f16, f16, f16, f16, f16, f16
    }
    return
  }
  func.func @bufferised(%arg0: !stencil.field<[-4,68]x[-4,68]xf64>, %arg1: !stencil.field<[-4,68]x[-4,68]xf64>, %arg2: !stencil.field<[0,64]x[0,64]xi32>) {
    stencil.apply(%arg3 = %arg0 : !stencil.field<[-4,68]x[-4,68]xf64>) outs (%arg1 : !stencil.field<[-4,68]x[-4,68]xf64>, %arg2 : !stencil.field<[0,64]x[0,64]xi32>) attributes {name = "x"} {
      %0 = stencil.access %arg3[4, -4] : !stencil.field<[-4,68]x[-4,68]xf64>
      %1 = arith.fptosi %0 : f64 to i32
      stencil.return %0, %1 : f64, i32
    } to <[0, 0], [64, 64]>
    return
  }
  func.func @in_place(%arg0: !stencil.field<?xf64>) {
    %0 = stencil.cast %arg0 : !stencil.field<?xf64> -> !stencil.field<[0,?]xf64>
    stencil.apply(%arg1 = %0 : !stencil.field<[0,?]xf64>) outs (%0 : !stencil.field<[0,?]xf64>) {
      %1 = stencil.access %arg1[0] : !stencil.field<[0,?]xf64>
      %2 = arith.negf %1 : f64
      stencil.return %2 : f64
    } to <[1], [?-1]>
    return
  }
  func.func @tensors(%arg0: !stencil.field<[0,4]xtensor<8xf32>>) {
    %0 = stencil.load %arg0 : !stencil.field<[0,4]xtensor<8xf32>> -> !stencil.temp<?xtensor<8xf32>>
    %1 = stencil.apply(%arg1 = %0 : !stencil.temp<?xtensor<8xf32>>) -> (!stencil.temp<?xtensor<6xf32>>) {
      %2 = stencil.access %arg1[0] : !stencil.temp<?xtensor<8xf32>>
      %extracted_slice = tensor.extract_slice %2[1] [6] [1] : tensor<8xf32> to tensor<6xf32>
      stencil.return %extracted_slice : tensor<6xf32>
    }
    stencil.store %1 to %arg0(<[0], [4]>) : !stencil.temp<?xtensor<6xf32>> to !stencil.field<[0,4]xtensor<8xf32>>
    return
  }
}


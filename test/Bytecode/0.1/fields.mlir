module {
  func.func @cast(%arg0: !stencil.field<?x?xf64>, %arg1: !stencil.field<[0,8]xi32>) {
    %0 = stencil.cast %arg0 : !stencil.field<?x?xf64> -> !stencil.field<[-4,68]x[-4,68]xf64>
    %1 = stencil.cast %arg0 : !stencil.field<?x?xf64> -> !stencil.field<[-4,?+4]x[-1,?+1]xf64>
    %2 = stencil.cast %arg1 : !stencil.field<[0,8]xi32> -> !stencil.field<[0,8]xi32>
    %3 = stencil.cast %arg0 attributes {name = "x"} : !stencil.field<?x?xf64> -> !stencil.field<?x?xf64>
    return
  }
  func.func @alloc() {
    %0 = stencil.alloc : !stencil.field<[-1,9]xf32>
    %1 = stencil.alloc {name = "x"} : !stencil.field<[-1,?+1]x[0,3]xbf16>
    return
  }
  func.func @external(%arg0: memref<72x72xf64>, %arg1: memref<?x?xf64>, %arg2: !llvm.ptr) {
    %0 = stencil.external_load %arg0 : memref<72x72xf64> -> !stencil.field<[-4,68]x[-4,68]xf64>
    %1 = stencil.external_load %arg1 : memref<?x?xf64> -> !stencil.field<[-4,?+4]x[-4,?+4]xf64>
    %2 = stencil.external_load %arg1 : memref<?x?xf64> -> !stencil.field<?x?xf64>
    %3 = stencil.external_load %arg2 : !llvm.ptr -> !stencil.field<[0,8]xf64>
    stencil.external_store %0 to %arg0 : !stencil.field<[-4,68]x[-4,68]xf64> to memref<72x72xf64>
    stencil.external_store %3 to %arg2 : !stencil.field<[0,8]xf64> to !llvm.ptr
    return
  }
  func.func @external_tensor(%arg0: memref<16x16x512xf32>) {
    %0 = stencil.external_load %arg0 : memref<16x16x512xf32> -> !stencil.field<[0,16]x[0,16]xtensor<512xf32>>
    return
  }
  func.func @load_store(%arg0: !stencil.field<[-4,68]x[-4,68]xf64>, %arg1: !stencil.field<[-1,?+1]xi16>) {
    %0 = stencil.load %arg0 : !stencil.field<[-4,68]x[-4,68]xf64> -> !stencil.temp<?x?xf64>
    %1 = stencil.load %arg0 : !stencil.field<[-4,68]x[-4,68]xf64> -> !stencil.temp<[-4,68]x[0,1]xf64>
    %2 = stencil.load %arg1 : !stencil.field<[-1,?+1]xi16> -> !stencil.temp<[0,?]xi16>
    stencil.store %0 to %arg0(<[0, 0], [64, 64]>) : !stencil.temp<?x?xf64> to !stencil.field<[-4,68]x[-4,68]xf64>
    stencil.store %1 to %arg0(<[0, 0], [64, 1]>) : !stencil.temp<[-4,68]x[0,1]xf64> to !stencil.field<[-4,68]x[-4,68]xf64>
    stencil.store %2 to %arg1(<[1], [?-1]>) attributes {step = 1 : i32} : !stencil.temp<[0,?]xi16> to !stencil.field<[-1,?+1]xi16>
    return
  }
  func.func @fixed_in_symbolic(%arg0: !stencil.field<[0,?]xf64>, %arg1: !stencil.temp<[-5,100]xf64>) {
    stencil.store %arg1 to %arg0(<[3], [100]>) : !stencil.temp<[-5,100]xf64> to !stencil.field<[0,?]xf64>
    return
  }
  func.func @boundary(%arg0: !stencil.field<[-4,68]x[-4,68]xf64>, %arg1: !stencil.field<[-1,9]xi8>, %arg2: !stencil.field<[-2,?+2]x[0,8]x[0,?]xf32>) {
    stencil.boundary %arg0(<[0, 0], [64, 64]>) [#stencil.periodic, #stencil.dirichlet<0.000000e+00 : f64> | #stencil.neumann] : !stencil.field<[-4,68]x[-4,68]xf64>
    stencil.boundary %arg0(<[0, 0], [64, 64]>) [#stencil.symmetric, #stencil.antisymmetric | #stencil.extrapolate<2>] : !stencil.field<[-4,68]x[-4,68]xf64>
    stencil.boundary %arg1(<[0], [8]>) [#stencil.dirichlet<-128 : i64> | #stencil.dirichlet<255 : i64>] : !stencil.field<[-1,9]xi8>
    stencil.boundary %arg2(<[0, 0, 0], [?, 8, ?]>) [#stencil.keep, #stencil.dirichlet<3 : i64>, #stencil.periodic] attributes {step = 1 : i32} : !stencil.field<[-2,?+2]x[0,8]x[0,?]xf32>
    return
  }
}


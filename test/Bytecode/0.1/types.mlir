module {
  func.func private @fields(!stencil.field<[-4,68]xf64>, !stencil.field<[-4,68]x[-2,30]xf32>, !stencil.field<[0,1]x[0,2]x[0,3]xf16>, !stencil.field<[0,1]x[0,2]x[0,3]x[-1,4]xbf16>, !stencil.field<?xi8>, !stencil.field<?x?xi32>, !stencil.field<?x?x?xi64>, !stencil.field<?x?x?x?xi1>)
  func.func private @spaces(!stencil.field<[-4,68]x[0,8]xf64>, !stencil.field<[0,?]xf64>)
  func.func private @temps(!stencil.temp<[-4,68]xf64>, !stencil.temp<?x?x?xf32>)
  func.func private @symbolic(!stencil.field<[-4,?+4]x[-4,?+4]xf64>, !stencil.field<[0,?]x[0,64]xf64>, !stencil.field<[?-4,?+4]xf64>, !stencil.temp<[1,?-1]xf32>, !stencil.temp<[?,?+1]xf32>)
  func.func private @extremes(!stencil.field<[-1099511627776,1099511627776]xf64>, !stencil.field<[?-1099511627776,?+1099511627776]xf64>)
  func.func private @elements(!stencil.field<[0,8]x[0,8]xtensor<16xf32>>, !stencil.temp<?xindex>, !stencil.temp<?xcomplex<f32>>, !stencil.temp<?x!llvm.ptr>)
  func.func private @results(!stencil.result<f64>, !stencil.result<i32>, !stencil.result<tensor<8xf32>>)
}


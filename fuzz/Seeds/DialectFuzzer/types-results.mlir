func.func private @results(!stencil.result<f64>, !stencil.result<i32>,
                           !stencil.result<tensor<8xf32>>)

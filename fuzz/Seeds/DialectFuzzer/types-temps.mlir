func.func private @temps(!stencil.temp<[-4,68]xf64>,
                         !stencil.temp<?x?x?xf32>)

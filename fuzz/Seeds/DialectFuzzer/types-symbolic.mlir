func.func private @symbolic(!stencil.field<[-4,?+4]x[-4,?+4]xf64>,
                            !stencil.field<[0,?]x[0,64]xf64>,
                            !stencil.field<[?-4,?+4]xf64>,
                            !stencil.temp<[1,?-1]xf32>,
                            !stencil.temp<[?,?+1]xf32>)

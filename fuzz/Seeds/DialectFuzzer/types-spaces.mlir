func.func private @spaces(!stencil.field< [ -4 , 68 ] x[0, 8] xf64>,
                          !stencil.field<[0,?+0]xf64>)

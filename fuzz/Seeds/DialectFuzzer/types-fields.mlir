func.func private @fields(!stencil.field<[-4,68]xf64>,
                          !stencil.field<[-4,68]x[-2,30]xf32>,
                          !stencil.field<[0,1]x[0,2]x[0,3]xf16>,
                          !stencil.field<[0,1]x[0,2]x[0,3]x[-1,4]xbf16>,
                          !stencil.field<?xi8>,
                          !stencil.field<?x?xi32>,
                          !stencil.field<?x?x?xi64>,
                          !stencil.field<?x?x?x?xi1>)

func.func private @index() attributes {a = #stencil.index<[0]>,
                                       b = #stencil.index<[-1, 0, 3, -1099511627776]>}

func.func private @bounds() attributes {a = #stencil.bounds<[0], [64]>,
                                        b = #stencil.bounds<[-1, -2, -3, -4], [1, 2, 3, 4]>,
                                        c = #stencil.bounds<[0, ?-2], [?, ?+2]>}

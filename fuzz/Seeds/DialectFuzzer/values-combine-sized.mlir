func.func @combine_sized(%a: !stencil.temp<[0,4]x[0,8]xf64>, %b: !stencil.temp<[4,?]x[-1,9]xf64>, %c: !stencil.temp<[7,8]x[0,8]xf64>) {
  %0 = stencil.combine 0 at 4 lower = (%a : !stencil.temp<[0,4]x[0,8]xf64>) upper = (%b : !stencil.temp<[4,?]x[-1,9]xf64>) : !stencil.temp<[0,?]x[0,8]xf64>
  %1 = stencil.combine 0 at 4 lower = (%c : !stencil.temp<[7,8]x[0,8]xf64>) upper = (%b : !stencil.temp<[4,?]x[-1,9]xf64>) : !stencil.temp<[5,9]x[0,8]xf64>
  %2:2 = stencil.combine 0 at 4 lower = (%a : !stencil.temp<[0,4]x[0,8]xf64>) upper = (%b : !stencil.temp<[4,?]x[-1,9]xf64>) lowerext = %a : !stencil.temp<[0,4]x[0,8]xf64> : !stencil.temp<[0,?]x[0,8]xf64>, !stencil.temp<[0,?]x[0,8]xf64>
  return
}

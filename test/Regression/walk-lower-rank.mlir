// A walk read an input of lower rank at the coordinates of its first axes,
// whatever axes it has.
// RUN: stencil-run %s --target emulator --chip sm_80 --arg 0=random:1 --arg 1=random:2 --arg 2=zeros --verify --schedule '#stencil.schedule<stream = 0>'
// RUN: stencil-run %s --target emulator --chip sm_80 --arg 0=random:1 --arg 1=random:2 --arg 2=zeros --verify --schedule '#stencil.schedule<block = [4, 1], stream = 1>'
!row = !stencil.field<[0,40]xf32>
!field = !stencil.field<[0,10]x[0,40]xf32>
func.func @main(%u: !row, %w: !stencil.field<[0,10]xf32>, %v: !field) {
  %t = stencil.load %u : !row -> !stencil.temp<?xf32>
  %s = stencil.load %w : !stencil.field<[0,10]xf32> -> !stencil.temp<?xf32>
  %r = stencil.apply(%x = %t : !stencil.temp<?xf32>, %y = %s : !stencil.temp<?xf32>) -> (!stencil.temp<?x?xf32>) {
    %a = stencil.access %x[_, -1] : !stencil.temp<?xf32>
    %b = stencil.access %y[1, _] : !stencil.temp<?xf32>
    %c = arith.addf %a, %b : f32
    stencil.return %c : f32
  }
  stencil.store %r to %v(<[0, 1], [9, 40]>) : !stencil.temp<?x?xf32> to !field
  return
}

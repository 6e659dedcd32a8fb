// An input of lower rank that was accessed as different axes was read as the
// last of them.
// RUN: stencil-run %s --target emulator --chip sm_80 --arg 0=random:1 --arg 1=zeros --verify
// RUN: stencil-run %s --target emulator --chip sm_80 --arg 0=random:1 --arg 1=zeros --verify --schedule '#stencil.schedule<stream = 0>'
!row = !stencil.field<[0,40]xf32>
!field = !stencil.field<[0,40]x[0,40]xf32>
func.func @main(%u: !row, %v: !field) {
  %t = stencil.load %u : !row -> !stencil.temp<?xf32>
  %r = stencil.apply(%x = %t : !stencil.temp<?xf32>) -> (!stencil.temp<?x?xf32>) {
    %a = stencil.access %x[_, -1] : !stencil.temp<?xf32>
    %b = stencil.access %x[1, _] : !stencil.temp<?xf32>
    %c = arith.subf %a, %b : f32
    stencil.return %c : f32
  }
  stencil.store %r to %v(<[0, 1], [39, 40]>) : !stencil.temp<?x?xf32> to !field
  return
}

// The emulator runs blocks of as many threads as GPUs have at most, 1024, along one axis and along three.
// RUN: stencil-run %s --entry line --target emulator --chip sm_90 --math strict --arg 0=wild:1 --arg 1=zeros --verify=0
// RUN: stencil-run %s --entry line --target emulator --chip gfx942 --math strict --arg 0=wild:1 --arg 1=zeros --verify=0
// RUN: stencil-run %s --entry box --target emulator --chip sm_90 --math strict --arg 0=wild:2 --arg 1=zeros --verify=0

!line = !stencil.field<[-1,3000]xf64>
!box = !stencil.field<[-1,9]x[0,17]x[0,19]xf64>

func.func @line(%u: !line, %v: !line) {
  %t = stencil.load %u : !line -> !stencil.temp<?xf64>
  %r = stencil.apply(%x = %t : !stencil.temp<?xf64>) -> (!stencil.temp<?xf64>) attributes {stencil.schedule = #stencil.schedule<block = [1024], points = [1]>} {
    %e = stencil.access %x[-1] : !stencil.temp<?xf64>
    stencil.return %e : f64
  }
  stencil.store %r to %v(<[0], [3000]>) : !stencil.temp<?xf64> to !line
  return
}

func.func @box(%u: !box, %v: !box) {
  %t = stencil.load %u : !box -> !stencil.temp<?x?x?xf64>
  %r = stencil.apply(%x = %t : !stencil.temp<?x?x?xf64>) -> (!stencil.temp<?x?x?xf64>) attributes {stencil.schedule = #stencil.schedule<block = [4, 16, 16], points = [1, 1, 1]>} {
    %e = stencil.access %x[-1, 0, 0] : !stencil.temp<?x?x?xf64>
    stencil.return %e : f64
  }
  stencil.store %r to %v(<[0, 0, 0], [9, 17, 19]>) : !stencil.temp<?x?x?xf64> to !box
  return
}

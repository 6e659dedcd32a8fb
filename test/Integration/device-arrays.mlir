// Three buffers that rotate, one of them the function's own, on arrays in the
// memory of the device: of odd extents, known or not, and of extents that allow
// for vectors and TMA. The emulator looks at every access.
// DEFINE: %{n} = 30,41
// DEFINE: %{steps} = 4
// DEFINE: %{chip} = sm_90
// DEFINE: %{run} = stencil-run %s --device-arrays --target emulator --chip %{chip} --extents %{n} --arg 0=random:1 --arg 1=random:2 --arg 2=%{steps} --verify
// RUN: %{run} | FileCheck %s
// RUN: %{run} --any-extents | FileCheck %s
// REDEFINE: %{chip} = gfx942
// REDEFINE: %{steps} = 5
// RUN: %{run} | FileCheck %s
// REDEFINE: %{chip} = sm_90
// REDEFINE: %{n} = 24,60
// RUN: %{run} --schedule "#stencil.schedule<block=[1,32],window=[shared,cache],stream=0,prefetch=tma>" | FileCheck %s
// RUN: %{run} --schedule "#stencil.schedule<block=[2,16],points=[1,4]>" | FileCheck %s
// CHECK: verify: argument 0: {{.*}} 0 of
// CHECK: verify: argument 1: {{.*}} 0 of
// CHECK: verify: result 0: {{.*}}

!field = !stencil.field<[-2,?+2]x[-4,?+4]xf32>
!temp = !stencil.temp<?x?xf32>

func.func @wave(%a: !field, %b: !field, %steps: index) -> f32 {
  %own = stencil.alloc : !field
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r:3 = scf.for %step = %zero to %steps step %one iter_args(%u = %a, %v = %b, %w = %own) -> (!field, !field, !field) {
    stencil.boundary %v(<[0, 0], [?, ?]>) [#stencil.periodic, #stencil.neumann] : !field
    %now = stencil.load %v : !field -> !temp
    %before = stencil.load %u : !field -> !temp
    %new = stencil.apply(%x = %now : !temp, %y = %before : !temp) -> (!temp) {
      %l = stencil.access %x[-2, 0] : !temp
      %r = stencil.access %x[1, 1] : !temp
      %c = stencil.access %x[0, 0] : !temp
      %o = stencil.access %y[0, 0] : !temp
      %tenth = arith.constant 0.1 : f32
      %lr = arith.addf %l, %r : f32
      %half = arith.mulf %lr, %tenth : f32
      %d = arith.subf %c, %o : f32
      %sum = arith.addf %d, %half : f32
      stencil.return %sum : f32
    }
    stencil.store %new to %w(<[0, 0], [?, ?]>) : !temp to !field
    scf.yield %v, %w, %u : !field, !field, !field
  }
  %most = stencil.fold %a(<[0, 0], [?, ?]>) max : !field
  return %most : f32
}

// What threads store that others have computed: two results of different types, the larger of which fits less into a vector, in boxes that end anywhere,
// over tiles that reach beyond them, known when this is compiled or not. With races, the emulator stops.
// DEFINE: %{run} = stencil-run %s --target emulator --verify=0 --arg 0=random:1 --arg 1=random:2 --arg 2=random:3
// RUN: %{run} --entry known --chip sm_90 --schedule "#stencil.schedule<block = [2, 8], points = [1, 5], window = shared>" | FileCheck %s
// RUN: %{run} --entry known --chip gfx942 --schedule "#stencil.schedule<block = [4, 16], points = [2, 5], window = shared>" | FileCheck %s
// RUN: %{run} --entry unknown --extents 7,91 --chip sm_90 --schedule "#stencil.schedule<block = [1, 32], points = [3, 7], window = shared>" | FileCheck %s
// RUN: %{run} --entry unknown --extents 9,64 --chip sm_80 --schedule "#stencil.schedule<block = [2, 5], points = [1, 9], window = shared>" | FileCheck %s
// The schedule makes windows of what is stored.
// RUN: stencil-opt %s --stencil-infer-shapes --stencil-bufferize --stencil-stream-windows="schedule=#stencil.schedule<block=[2,8],points=[1,5],window=shared>" --stencil-attach-target=chip=sm_90 --stencil-coalesce-stores | FileCheck %s --check-prefix=WINDOWS
// WINDOWS-COUNT-6: stencil.window
// CHECK-COUNT-3: argument {{[0-2]}}: max 0 ulp, 0 of

!field = !stencil.field<[-2,12]x[-3,84]xf32>
!wide = !stencil.field<[-2,12]x[-3,84]xf64>
!temp = !stencil.temp<?x?xf32>
!wide_temp = !stencil.temp<?x?xf64>
func.func @known(%u: !field, %v: !field, %w: !wide) {
  %x = stencil.load %u : !field -> !temp
  %r:2 = stencil.apply(%a = %x : !temp) -> (!temp, !wide_temp) {
    %l = stencil.access %a[-1, 2] : !temp
    %h = stencil.access %a[1, -2] : !temp
    %s = arith.addf %l, %h : f32
    %d = arith.extf %l : f32 to f64
    stencil.return %s, %d : f32, f64
  }
  stencil.store %r#0 to %v(<[-1, -1], [11, 82]>) : !temp to !field
  stencil.store %r#1 to %w(<[-1, -1], [11, 82]>) : !wide_temp to !wide
  return
}

!any = !stencil.field<[-2,?+2]x[-3,?+4]xi16>
!any_temp = !stencil.temp<?x?xi16>
!any_wide = !stencil.field<[-2,?+2]x[-3,?+4]xi64>
!any_wide_temp = !stencil.temp<?x?xi64>
func.func @unknown(%u: !any, %v: !any, %w: !any_wide) {
  %x = stencil.load %u : !any -> !any_temp
  %r:2 = stencil.apply(%a = %x : !any_temp) -> (!any_temp, !any_wide_temp) {
    %l = stencil.access %a[-1, 2] : !any_temp
    %h = stencil.access %a[1, -2] : !any_temp
    %s = arith.addi %l, %h : i16
    %d = arith.extsi %l : i16 to i64
    stencil.return %s, %d : i16, i64
  }
  stencil.store %r#0 to %v(<[0, 1], [?, ?+1]>) : !any_temp to !any
  stencil.store %r#1 to %w(<[0, 1], [?, ?+1]>) : !any_wide_temp to !any_wide
  return
}

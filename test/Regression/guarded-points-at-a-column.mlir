// A branch where a column is a number: threads whose tile ends outside of the box go through their points in a loop, one
// by one, where the column of any of them can be that number. It was decided as if only each thread's first point came
// up, and 9 was never found in the last row.
// RUN: stencil-run %s --target emulator --chip sm_90 --math strict --verify=0 --arg 0=random:1 --arg 1=zeros

!field = !stencil.field<[0,18]x[0,49]xf32>
func.func @at_a_column(%u: !field, %v: !field) {
  stencil.apply(%x = %u : !field) outs (%v : !field) attributes {stencil.schedule = #stencil.schedule<block = [2, 8], points = [2, 4]>} {
    %c = stencil.access %x[0, 0] : !field
    %column = stencil.index 1 <[0, -1]>
    %nine = arith.constant 9 : index
    %here = arith.cmpi eq, %column, %nine : index
    %value = scf.if %here -> f32 {
      %next = stencil.access %x[1, 1] : !field
      %sum = arith.addf %c, %next : f32
      scf.yield %sum : f32
    } else {
      scf.yield %c : f32
    }
    stencil.return %value : f32
  } to <[0, 0], [17, 48]>
  return
}

// Compiled loops with such steps ran for ever, or did nothing and said so to nobody.
// DEFINE: %{run} = stencil-run %s --arg 0=random:1 --arg 1=zeros --arg 2=3
// DEFINE: %{gpu} = --target emulator --chip sm_90
// DEFINE: %{check} = FileCheck %s --check-prefix
// RUN: not %{run} --entry time --arg 3=0 2>&1 | %{check}=TIME
// RUN: not %{run} --entry time --arg 3=-1 2>&1 | %{check}=TIME
// RUN: not %{run} --entry time --arg 3=-1 --target interpreter 2>&1 | %{check}=TIME
// RUN: not %{run} --entry time --arg 3=0 %{gpu} 2>&1 | %{check}=TIME
// RUN: not %{run} --entry time --arg 3=-1 %{gpu} 2>&1 | %{check}=TIME
// RUN: not %{run} --entry time --arg 3=0 %{gpu} --schedule '#stencil.schedule<boundary = store>' 2>&1 | %{check}=TIME
// RUN: not %{run} --entry time --arg 3=0 %{gpu} --schedule '#stencil.schedule<stream = 0, window = shared, boundary = window>' 2>&1 | %{check}=TIME
// RUN: %{run} --entry time --arg 3=2 %{gpu} --verify=0
// RUN: not %{run} --entry body --arg 3=0 2>&1 | %{check}=BODY
// RUN: not %{run} --entry body --arg 3=-1 --target interpreter 2>&1 | %{check}=BODY
// RUN: not %{run} --entry body --arg 3=0 %{gpu} 2>&1 | %{check}=BODY
// RUN: not %{run} --entry body --arg 3=-1 %{gpu} 2>&1 | %{check}=BODY
// RUN: not %{run} --entry body --arg 3=-1 %{gpu} --schedule '#stencil.schedule<stream = 0, window = shared>' 2>&1 | %{check}=BODY
// RUN: %{run} --entry body --arg 3=2 %{gpu} --verify=0
// RUN: %{run} --entry body --arg 3=2 --verify=0

!field = !stencil.field<[-1,17]x[-2,34]xf64>
!temp = !stencil.temp<?x?xf64>

func.func @time(%a: !field, %b: !field, %n: index, %step: index) {
  %zero = arith.constant 0 : index
  // TIME: steps-not-positive.mlir:[[#@LINE+1]]:10: {{(error: )?}}expected a positive step
  %r:2 = scf.for %i = %zero to %n step %step iter_args(%u = %a, %v = %b) -> (!field, !field) {
    stencil.boundary %u(<[0, 0], [16, 32]>) [#stencil.periodic, #stencil.periodic] : !field
    %t = stencil.load %u : !field -> !temp
    %p = stencil.apply(%x = %t : !temp) -> (!temp) {
      %l = stencil.access %x[-1, 2] : !temp
      %m = stencil.access %x[1, -2] : !temp
      %s = arith.addf %l, %m : f64
      stencil.return %s : f64
    }
    stencil.store %p to %v(<[0, 0], [16, 32]>) : !temp to !field
    scf.yield %v, %u : !field, !field
  }
  return
}

func.func @body(%a: !field, %b: !field, %n: index, %step: index) {
  %t = stencil.load %a : !field -> !temp
  %p = stencil.apply(%x = %t : !temp, %m = %n : index, %by = %step : index) -> (!temp) {
    %zero = arith.constant 0 : index
    %l = stencil.access %x[1, 0] : !temp
    // BODY: steps-not-positive.mlir:[[#@LINE+1]]:10: {{(error: )?}}expected a positive step
    %r = scf.for %i = %zero to %m step %by iter_args(%q = %l) -> (f64) {
      %s = arith.addf %q, %l : f64
      scf.yield %s : f64
    }
    stencil.return %r : f64
  }
  stencil.store %p to %b(<[0, 0], [16, 32]>) : !temp to !field
  return
}

// A loop whose last step leads past the largest number began again at the smallest one, and ran for ever.
// RUN: stencil-run %s --entry time --arg 0=zeros --arg 1=9223372036854775800 --arg 2=9223372036854775807 --arg 3=3 --verify=0 | FileCheck %s
// RUN: stencil-run %s --entry time --arg 0=zeros --arg 1=9223372036854775800 --arg 2=9223372036854775807 --arg 3=3 --verify=0 --target emulator --chip sm_90 | FileCheck %s
// RUN: stencil-run %s --entry body --arg 0=zeros --arg 1=9223372036854775807 --verify=0 | FileCheck %s
// RUN: stencil-run %s --entry body --arg 0=zeros --arg 1=9223372036854775807 --verify=0 --target emulator --chip gfx942 | FileCheck %s
// RUN: stencil-opt %s --stencil-check-steps | FileCheck %s --check-prefix=COUNT

// Three steps: ...800, ...803, ...806.
// CHECK: argument 0: {{.*}} 0 of 8 points

!field = !stencil.field<[0,8]xi64>
!temp = !stencil.temp<?xi64>

// COUNT-LABEL: func.func @time
// COUNT: arith.divui
// COUNT: scf.for %{{.*}} = %c0{{.*}} to %{{.*}} step %c1
// COUNT: scf.for %{{.*}} = %{{.*}} to %c9223372036854775807 step %c1
// COUNT: scf.for %{{.*}} = %{{.*}} to %c1000 step %c3
func.func @time(%u: !field, %first: index, %end: index, %step: index) {
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c1000 = arith.constant 1000 : index
  %largest = arith.constant 9223372036854775807 : index
  scf.for %i = %first to %end step %step {
    %n = arith.index_cast %i : index to i64
    %t = stencil.load %u : !field -> !temp
    %r = stencil.apply(%x = %t : !temp, %s = %n : i64) -> (!temp) {
      %v = stencil.access %x[0] : !temp
      %w = arith.xori %v, %s : i64
      %y = arith.addi %w, %s : i64
      stencil.return %y : i64
    }
    stencil.store %r to %u(<[0], [8]>) : !temp to !field
  }
  // Loops that end in any case stay as they are.
  scf.for %i = %first to %largest step %c1 {
    %t = stencil.load %u : !field -> !temp
    %r = stencil.apply(%x = %t : !temp) -> (!temp) {
      %v = stencil.access %x[0] : !temp
      stencil.return %v : i64
    }
    stencil.store %r to %u(<[0], [8]>) : !temp to !field
  }
  scf.for %i = %c1 to %c1000 step %c3 {
    %t = stencil.load %u : !field -> !temp
    %r = stencil.apply(%x = %t : !temp) -> (!temp) {
      %v = stencil.access %x[0] : !temp
      stencil.return %v : i64
    }
    stencil.store %r to %u(<[0], [8]>) : !temp to !field
  }
  return
}

func.func @body(%u: !field, %end: index) {
  %t = stencil.load %u : !field -> !temp
  %r = stencil.apply(%x = %t : !temp, %e = %end : index) -> (!temp) {
    %v = stencil.access %x[0] : !temp
    %first = arith.constant 9223372036854775800 : index
    %c3 = arith.constant 3 : index
    %sum = scf.for %i = %first to %e step %c3 iter_args(%a = %v) -> (i64) {
      %n = arith.index_cast %i : index to i64
      %b = arith.xori %a, %n : i64
      %c = arith.addi %b, %n : i64
      scf.yield %c : i64
    }
    stencil.return %sum : i64
  }
  stencil.store %r to %u(<[0], [8]>) : !temp to !field
  return
}

// What reads a combine and begins, or ends, right at its split has points on one side only, and is not divided.
// RUN: stencil-opt %s --stencil-fuse-applies='gain=0.7' --remarks-filter=Fusion --remark-format=emitRemark -o /dev/null 2>&1 | FileCheck %s

// CHECK-DAG: 'from' is not divided at the split of a combine: it has points on one side of the combine only
// CHECK-DAG: 'to' is not divided at the split of a combine: it has points on one side of the combine only
// CHECK-DAG: 'across' at the split of a combine that it reads
!field = !stencil.field<[-1,65]xf64>
!temp = !stencil.temp<?xf64>
func.func @combine(%u: !field, %v: !field, %w: !field, %z: !field) {
  %t = stencil.load %u : !field -> !temp
  %a = stencil.apply(%x = %t : !temp) -> (!temp) {
    %e = stencil.access %x[-1] : !temp
    %m = arith.mulf %e, %e : f64
    stencil.return %m : f64
  }
  %b = stencil.apply(%x = %t : !temp) -> (!temp) {
    %e = stencil.access %x[1] : !temp
    %m = arith.subf %e, %e : f64
    stencil.return %m : f64
  }
  %c = stencil.combine 0 at 11 lower = (%a : !temp) upper = (%b : !temp) : !temp
  %from = stencil.apply(%x = %c : !temp) -> (!temp) attributes {stencil.name = "from"} {
    %e = stencil.access %x[0] : !temp
    %s = arith.addf %e, %e : f64
    stencil.return %s : f64
  }
  stencil.store %from to %v(<[11], [64]>) : !temp to !field
  %d = stencil.combine 0 at 12 lower = (%a : !temp) upper = (%b : !temp) : !temp
  %to = stencil.apply(%x = %d : !temp) -> (!temp) attributes {stencil.name = "to"} {
    %e = stencil.access %x[0] : !temp
    %s = arith.addf %e, %e : f64
    stencil.return %s : f64
  }
  stencil.store %to to %w(<[0], [12]>) : !temp to !field
  return
}

func.func @across(%u: !field, %z: !field) {
  %t = stencil.load %u : !field -> !temp
  %a = stencil.apply(%x = %t : !temp) -> (!temp) {
    %e = stencil.access %x[-1] : !temp
    stencil.return %e : f64
  }
  %b = stencil.apply(%x = %t : !temp) -> (!temp) {
    %e = stencil.access %x[1] : !temp
    stencil.return %e : f64
  }
  %c = stencil.combine 0 at 11 lower = (%a : !temp) upper = (%b : !temp) : !temp
  %across = stencil.apply(%x = %c : !temp) -> (!temp) attributes {stencil.name = "across"} {
    %e = stencil.access %x[0] : !temp
    %s = arith.addf %e, %e : f64
    stencil.return %s : f64
  }
  stencil.store %across to %z(<[10], [12]>) : !temp to !field
  return
}

// Injections as Devito writes them: between applies, at points that repeat, elements of a field's memory are changed. The fields swap; the source is a field that nothing else uses, and so is the one that counts.
// DEFINE: %{run} = stencil-run %s --arg 0=random:1 --arg 1=random:2 --arg 2=random:3 --arg 3=zeros --entry
// RUN: %{run} inject --verify=0 --math strict
// RUN: %{run} inject --verify --target emulator --chip sm_90
// RUN: %{run} inject --verify --target emulator --chip gfx942
// RUN: %{run} before --verify=0 --math strict
// RUN: %{run} before --verify --target emulator --chip sm_90
// RUN: %{run} between --verify=0 --math strict
// RUN: %{run} between --verify --target emulator --chip sm_90
// RUN: not %{run} size 2>&1 | FileCheck %s
// RUN: not %{run} size --target interpreter 2>&1 | FileCheck %s
// RUN: not %{run} size --target emulator --chip sm_90 2>&1 | FileCheck %s
// CHECK: run-injections.mlir:[[@LINE+94]]:{{[0-9]+}}: error: {{.+}}

!field = !stencil.field<[-1,9]x[-1,9]xf32>
!points = !stencil.field<[0,3]xf32>
!temp = !stencil.temp<?x?xf32>

func.func @inject(%a: !field, %b: !field, %src: !points, %count: !points) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c5 = arith.constant 5 : index
  %one = arith.constant 1.0 : f32
  %r:2 = scf.for %t = %c0 to %c5 step %c1 iter_args(%u = %a, %v = %b) -> (!field, !field) {
    %x = stencil.load %u : !field -> !temp
    %y = stencil.apply(%z = %x : !temp) -> (!temp) {
      %l = stencil.access %z[-1, 0] : !temp
      %m = stencil.access %z[1, 0] : !temp
      %s = arith.addf %l, %m : f32
      stencil.return %s : f32
    }
    stencil.store %y to %v(<[0, 0], [8, 8]>) : !temp to !field
    %m = builtin.unrealized_conversion_cast %v : !field to memref<10x10xf32>
    %n = builtin.unrealized_conversion_cast %src : !points to memref<3xf32>
    %k = builtin.unrealized_conversion_cast %count : !points to memref<3xf32>
    scf.parallel (%p, %q) = (%c0, %c0) to (%c5, %c2) step (%c2, %c1) {
      %h = arith.divui %p, %c2 : index
      %w = memref.load %n[%h] : memref<3xf32>
      %o = memref.load %m[%q, %c5] : memref<10x10xf32>
      %s = arith.addf %o, %w : f32
      memref.store %s, %m[%q, %c5] : memref<10x10xf32>
      %d = memref.load %k[%h] : memref<3xf32>
      %e = arith.addf %d, %one : f32
      memref.store %e, %k[%h] : memref<3xf32>
      scf.reduce
    }
    scf.yield %v, %u : !field, !field
  }
  return
}

// Loaded before the injection: its value is not to see it. Stored after it: the store wins where it writes.
func.func @before(%a: !field, %b: !field, %src: !points, %count: !points) {
  %c3 = arith.constant 3 : index
  %c0 = arith.constant 0 : index
  %ten = arith.constant 10.0 : f32
  %x = stencil.load %a : !field -> !temp
  %m = builtin.unrealized_conversion_cast %a : !field to memref<10x10xf32>
  %n = builtin.unrealized_conversion_cast %b : !field to memref<10x10xf32>
  memref.store %ten, %m[%c3, %c3] : memref<10x10xf32>
  memref.store %ten, %n[%c3, %c3] : memref<10x10xf32>
  memref.store %ten, %n[%c0, %c0] : memref<10x10xf32>
  %y = stencil.apply(%z = %x : !temp) -> (!temp) {
    %l = stencil.access %z[0, 1] : !temp
    stencil.return %l : f32
  }
  stencil.store %y to %b(<[0, 0], [8, 8]>) : !temp to !field
  return
}

// What the second apply reads is not what the first one returned. The memref is made outside of the loop.
func.func @between(%a: !field, %b: !field, %src: !points, %count: !points) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %ten = arith.constant 10.0 : f32
  %m = builtin.unrealized_conversion_cast %b : !field to memref<10x10xf32>
  scf.for %t = %c0 to %c3 step %c1 {
    %x = stencil.load %a : !field -> !temp
    %y = stencil.apply(%z = %x : !temp) -> (!temp) {
      %l = stencil.access %z[0, 1] : !temp
      stencil.return %l : f32
    }
    stencil.store %y to %b(<[0, 0], [8, 8]>) : !temp to !field
    scf.parallel (%p) = (%c0) to (%c3) step (%c1) {
      %o = memref.load %m[%p, %c3] : memref<10x10xf32>
      %s = arith.addf %o, %ten : f32
      memref.store %s, %m[%p, %c3] : memref<10x10xf32>
      scf.reduce
    }
    %v = stencil.load %b : !field -> !temp
    %w = stencil.apply(%z = %v : !temp) -> (!temp) {
      %l = stencil.access %z[-1, 0] : !temp
      %r = stencil.access %z[0, 1] : !temp
      %d = arith.subf %l, %r : f32
      stencil.return %d : f32
    }
    stencil.store %w to %a(<[0, 0], [8, 8]>) : !temp to !field
  }
  return
}

func.func @size(%a: !field, %b: !field, %src: !points, %count: !points) {
  %c0 = arith.constant 0 : index
  %ten = arith.constant 10.0 : f32
  %m = builtin.unrealized_conversion_cast %a : !field to memref<11x10xf32>
  memref.store %ten, %m[%c0, %c0] : memref<11x10xf32>
  return
}

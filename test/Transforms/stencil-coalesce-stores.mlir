// RUN: stencil-opt %s --stencil-attach-target=chip=sm_90 --stencil-coalesce-stores --split-input-file | FileCheck %s
// RUN: stencil-opt %s --stencil-attach-target=chip=sm_90 --stencil-coalesce-stores --split-input-file --remarks-filter=Schedule -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

!field = !stencil.field<[-8,1032]xf64>
!temp = !stencil.temp<?xf64>

// Five points of a row are no vectors: what a stage makes goes through shared memory, also what two stores have.
// CHECK-LABEL: @odd
// CHECK: %[[R:.*]]:2 = stencil.apply
// CHECK: %[[B:.*]] = stencil.window shared %[[R]]#1 : !stencil.temp<?xf64>
// CHECK: %[[A:.*]] = stencil.window shared %[[R]]#0 : !stencil.temp<?xf64>
// CHECK: stencil.store %[[A]] to %arg1
// CHECK: stencil.store %[[B]] to %arg2
// CHECK: stencil.store %[[A]] to %arg3
func.func @odd(%u: !field, %v: !field, %w: !field, %y: !field) {
  stencil.pipeline attributes {stencil.schedule = #stencil.schedule<block = [64], points = [5]>} {
    %x = stencil.load %u : !field -> !temp
    %s = stencil.window shared %x : !temp
    %r:2 = stencil.apply(%a = %s : !temp) -> (!temp, !temp) {
      %l = stencil.access %a[-1] : !temp
      %h = stencil.access %a[1] : !temp
      stencil.return %l, %h : f64, f64
    }
    stencil.store %r#0 to %v(<[0], [1024]>) : !temp to !field
    stencil.store %r#1 to %w(<[0], [1024]>) : !temp to !field
    stencil.store %r#0 to %y(<[0], [1024]>) : !temp to !field
  }
  return
}

// -----

!field = !stencil.field<[-8,1032]xf64>
!temp = !stencil.temp<?xf64>

// So do 13 vectors of a row; of 12 vectors, threads would meet in the banks of shared memory.
// CHECK-LABEL: @vectors_of_long_rows
// CHECK: %[[R:.*]] = stencil.apply
// CHECK: %[[W:.*]] = stencil.window shared %[[R]] : !stencil.temp<?xf64>
// CHECK: stencil.store %[[W]] to %arg1
// CHECK-NOT: stencil.window
// CHECK: stencil.store %{{.*}} to %arg2
func.func @vectors_of_long_rows(%u: !field, %v: !field, %w: !field) {
  stencil.pipeline attributes {stencil.schedule = #stencil.schedule<block = [32], points = [26]>} {
    %x = stencil.load %u : !field -> !temp
    %r = stencil.apply(%a = %x : !temp) -> (!temp) {
      %l = stencil.access %a[-1] : !temp
      stencil.return %l : f64
    }
    stencil.store %r to %v(<[0], [1024]>) : !temp to !field
  }
  stencil.pipeline attributes {stencil.schedule = #stencil.schedule<block = [32], points = [24]>} {
    %x = stencil.load %u : !field -> !temp
    %r = stencil.apply(%a = %x : !temp) -> (!temp) {
      %l = stencil.access %a[-1] : !temp
      stencil.return %l : f64
    }
    stencil.store %r to %w(<[0], [1024]>) : !temp to !field
  }
  return
}

// -----

!field = !stencil.field<[-8,1032]xf64>
!temp = !stencil.temp<?xf64>

// Vectors are stored as they are, single points lie beside each other, and three are few enough.
// CHECK-LABEL: @vectors
func.func @vectors(%u: !field, %v: !field, %w: !field, %y: !field) {
  stencil.pipeline attributes {stencil.schedule = #stencil.schedule<block = [64], points = [2]>} {
    %x = stencil.load %u : !field -> !temp
    %r = stencil.apply(%a = %x : !temp) -> (!temp) {
      %l = stencil.access %a[-1] : !temp
      stencil.return %l : f64
    }
    // CHECK-NOT: stencil.window
    stencil.store %r to %v(<[0], [1024]>) : !temp to !field
  }
  stencil.pipeline attributes {stencil.schedule = #stencil.schedule<block = [64], points = [3]>} {
    %x = stencil.load %u : !field -> !temp
    %r = stencil.apply(%a = %x : !temp) -> (!temp) {
      %l = stencil.access %a[-1] : !temp
      stencil.return %l : f64
    }
    // CHECK-NOT: stencil.window
    stencil.store %r to %w(<[0], [1024]>) : !temp to !field
  }
  stencil.pipeline attributes {stencil.schedule = #stencil.schedule<block = [64], points = [1]>} {
    %x = stencil.load %u : !field -> !temp
    %r = stencil.apply(%a = %x : !temp) -> (!temp) {
      %l = stencil.access %a[-1] : !temp
      stencil.return %l : f64
    }
    // CHECK-NOT: stencil.window
    stencil.store %r to %y(<[0], [1024]>) : !temp to !field
  }
  return
}

// -----

!field = !stencil.field<[-8,1032]xf64>
!temp = !stencil.temp<?xf64>

// Another thread may not store what a thread is yet to read; nor a point where nothing is stored.
// CHECK-LABEL: @in_place
// CHECK-NOT: stencil.window
func.func @in_place(%u: !field, %v: !field) {
  stencil.pipeline attributes {stencil.schedule = #stencil.schedule<block = [64], points = [5]>} {
    %x = stencil.load %u : !field -> !temp
    %r = stencil.apply(%a = %x : !temp) -> (!temp) {
      %l = stencil.access %a[0] : !temp
      %h = arith.mulf %l, %l : f64
      stencil.return %h : f64
    }
    stencil.store %r to %u(<[0], [1024]>) : !temp to !field
  }
  stencil.pipeline attributes {stencil.schedule = #stencil.schedule<block = [64], points = [5]>} {
    %x = stencil.load %u : !field -> !temp
    %r = stencil.apply(%a = %x : !temp) -> (!temp) {
      %l = stencil.access %a[0] : !temp
      %none = arith.constant 0.0 : f64
      %is = arith.cmpf olt, %l, %none : f64
      %h = scf.if %is -> (!stencil.result<f64>) {
        %set = stencil.store_result %l : !stencil.result<f64>
        scf.yield %set : !stencil.result<f64>
      } else {
        %unset = stencil.store_result : !stencil.result<f64>
        scf.yield %unset : !stencil.result<f64>
      }
      stencil.return %h : !stencil.result<f64>
    }
    stencil.store %r to %v(<[0], [1024]>) : !temp to !field
  }
  return
}

// -----

!field = !stencil.field<[-8,65544]xf64>
!temp = !stencil.temp<?xf64>

// What does not fit beside the window that is asked for is not chosen.
// REMARK: each thread stores its own points: with windows for what is stored there would be 266368 bytes of shared memory, of which a block on sm_90 has 232448
// CHECK-LABEL: @large
// CHECK-COUNT-1: stencil.window
// CHECK-NOT: stencil.window
func.func @large(%u: !field, %v: !field) {
  stencil.pipeline attributes {stencil.schedule = #stencil.schedule<block = [256], points = [65]>} {
    %x = stencil.load %u : !field -> !temp
    %s = stencil.window shared %x : !temp
    %r = stencil.apply(%a = %s : !temp) -> (!temp) {
      %l = stencil.access %a[-1] : !temp
      stencil.return %l : f64
    }
    stencil.store %r to %v(<[0], [65536]>) : !temp to !field
  }
  return
}

// RUN: stencil-opt %s --stencil-share-neighbours --split-input-file | FileCheck %s
// RUN: stencil-opt %s --stencil-share-neighbours --split-input-file --remarks-filter=Schedule -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

!field = !stencil.field<[-4,28]x[-4,44]xf64>
!temp = !stencil.temp<?x?xf64>

// What a thread has along the walk stays in its registers; other columns come from shared memory, of the planes that are
// read there.
// CHECK-LABEL: @registers
// CHECK: %[[S:.*]] = stencil.apply
// CHECK: %[[Q:.*]] = stencil.window registers %[[S]] depth 4 lead 2
// CHECK: %[[N:.*]] = stencil.window shared %[[S]] depth 3 lead 2
// CHECK: stencil.apply(%[[A:.*]] = %[[Q]] : {{.*}}, %[[B:.*]] = %[[N]] : {{.*}})
// CHECK: stencil.access %[[A]][-1, 0]
// CHECK: stencil.access %[[B]][0, 1]
// REMARK: Neighbours{{.*}}a window in shared memory is beside the one in registers, for neighbours that other threads compute
func.func @registers(%u: !field, %v: !field) {
  stencil.pipeline axis 0 attributes {stencil.schedule = #stencil.schedule<block = [1, 8], points = [1, 2], stream = 0, segments = 2>} {
    %x = stencil.load %u : !field -> !temp
    %s = stencil.apply(%a = %x : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 2>} {
      %c = stencil.access %a[0, 0] : !temp
      stencil.return %c : f64
    }
    %q = stencil.window registers %s depth 4 lead 2 : !temp
    %r = stencil.apply(%a = %q : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 0>} {
      %c = stencil.access %a[-1, 0] : !temp
      %d = stencil.access %a[0, 1] : !temp
      %e = arith.addf %c, %d : f64
      stencil.return %e : f64
    }
    stencil.store %r to %v(<[0, 0], [24, 40]>) : !temp to !field
  }
  return
}

// -----

!field = !stencil.field<[-4,28]x[-4,44]xf64>
!temp = !stencil.temp<?x?xf64>

// A sum is read as a whole; a window that nobody reads any more is gone. Without a walk there are no planes.
// CHECK-LABEL: @sums
// CHECK: %[[S:.*]] = stencil.apply
// CHECK-NEXT: stencil.access
// CHECK-NEXT: stencil.return
// CHECK-NEXT: }
// CHECK-NEXT: %[[N:.*]] = stencil.window shared %[[S]] : !stencil.temp<?x?xf64>
// CHECK-NEXT: stencil.apply(%[[A:.*]] = %[[N]] : !stencil.temp<?x?xf64>)
// CHECK-NEXT: stencil.weighted_sum %[[A]]
func.func @sums(%u: !field, %v: !field) {
  stencil.pipeline attributes {stencil.schedule = #stencil.schedule<block = [2, 8], points = [2, 2]>} {
    %x = stencil.load %u : !field -> !temp
    %s = stencil.apply(%a = %x : !temp) -> (!temp) {
      %c = stencil.access %a[0, 0] : !temp
      stencil.return %c : f64
    }
    %q = stencil.window registers %s : !temp
    %r = stencil.apply(%a = %q : !temp) -> (!temp) {
      %c = stencil.weighted_sum %a offsets [[-1, 0], [0, 0], [0, 1]] weights dense<0.5> : tensor<3xf64> : !temp
      stencil.return %c : f64
    }
    stencil.store %r to %v(<[0, 0], [24, 40]>) : !temp to !field
  }
  return
}

// -----

!field = !stencil.field<[-4,12]x[-4,12]x[-4,36]xf64>
!temp = !stencil.temp<?x?x?xf64>

// Columns come from other lanes, rows from shared memory.
// CHECK-LABEL: @shuffle
// CHECK: %[[Q:.*]] = stencil.window shuffle %[[S:.*]] depth 2 lead 1
// CHECK: %[[N:.*]] = stencil.window shared %[[S]] depth 2 lead 1
// CHECK: stencil.apply(%[[A:.*]] = %[[Q]] : {{.*}}, %[[B:.*]] = %[[N]] : {{.*}})
// CHECK: stencil.access %[[A]][0, 0, 1]
// CHECK: stencil.access %[[B]][0, 1, 0]
// REMARK: beside the one in shuffle, for neighbours that the threads of a row do not have of each other
func.func @shuffle(%u: !field, %v: !field) {
  stencil.pipeline axis 0 attributes {stencil.schedule = #stencil.schedule<block = [1, 2, 8], points = [1, 2, 2], stream = 0, segments = 1>} {
    %x = stencil.load %u : !field -> !temp
    %s = stencil.apply(%a = %x : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 1>} {
      %c = stencil.access %a[0, 0, 0] : !temp
      stencil.return %c : f64
    }
    %q = stencil.window shuffle %s depth 2 lead 1 : !temp
    %r = stencil.apply(%a = %q : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 0>} {
      %c = stencil.access %a[0, 0, 1] : !temp
      %d = stencil.access %a[0, 1, 0] : !temp
      %e = arith.addf %c, %d : f64
      stencil.return %e : f64
    }
    stencil.store %r to %v(<[0, 0, 0], [8, 8, 32]>) : !temp to !field
  }
  return
}

// -----

!field = !stencil.field<[-4,28]x[-4,44]xf64>
!temp = !stencil.temp<?x?xf64>

// In a walk along the rows a thread has its row itself.
// CHECK-LABEL: @along_rows
// CHECK: stencil.window registers %{{.*}} depth 3 lead 1
// CHECK-NOT: stencil.window
func.func @along_rows(%u: !field, %v: !field) {
  stencil.pipeline axis 1 attributes {stencil.schedule = #stencil.schedule<block = [8, 1], points = [1, 1], stream = 1, segments = 1>} {
    %x = stencil.load %u : !field -> !temp
    %s = stencil.apply(%a = %x : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 1>} {
      %c = stencil.access %a[0, 0] : !temp
      stencil.return %c : f64
    }
    %q = stencil.window shuffle %s depth 3 lead 1 : !temp
    %r = stencil.apply(%a = %q : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 0>} {
      %c = stencil.access %a[0, -1] : !temp
      %d = stencil.access %a[0, 1] : !temp
      %e = arith.addf %c, %d : f64
      stencil.return %e : f64
    }
    stencil.store %r to %v(<[0, 0], [24, 40]>) : !temp to !field
  }
  return
}

// -----

!field = !stencil.field<[-4,28]x[-4,44]xf64>
!temp = !stencil.temp<?x?xf64>

// Who computes beside the tile for others has no row of threads there: nor has who reads for it.
// CHECK-LABEL: @beside_the_tile
// CHECK: stencil.window shared %{{.*}} : !stencil.temp<?x?xf64>
// CHECK: stencil.window shared %{{.*}} : !stencil.temp<?x?xf64>
// CHECK-NOT: stencil.window shuffle
func.func @beside_the_tile(%u: !field, %v: !field) {
  stencil.pipeline attributes {stencil.schedule = #stencil.schedule<block = [2, 8], points = [2, 2]>} {
    %x = stencil.load %u : !field -> !temp
    %s = stencil.apply(%a = %x : !temp) -> (!temp) {
      %c = stencil.access %a[0, 0] : !temp
      stencil.return %c : f64
    }
    %q = stencil.window shuffle %s : !temp
    %t = stencil.apply(%a = %q : !temp) -> (!temp) {
      %c = stencil.access %a[0, 1] : !temp
      stencil.return %c : f64
    }
    %w = stencil.window registers %t : !temp
    %r = stencil.apply(%a = %w : !temp) -> (!temp) {
      %c = stencil.access %a[1, 0] : !temp
      stencil.return %c : f64
    }
    stencil.store %r to %v(<[0, 0], [24, 40]>) : !temp to !field
  }
  return
}

// -----

!field = !stencil.field<[-4,28]x[-4,44]xf64>
!temp = !stencil.temp<?x?xf64>

// Of a load, what a thread does not have is read where it comes from.
// CHECK-LABEL: @load
// CHECK: stencil.window registers
// CHECK-NOT: stencil.window
func.func @load(%u: !field, %v: !field) {
  stencil.pipeline attributes {stencil.schedule = #stencil.schedule<block = [2, 8], points = [2, 2]>} {
    %x = stencil.load %u : !field -> !temp
    %q = stencil.window registers %x : !temp
    %r = stencil.apply(%a = %q : !temp) -> (!temp) {
      %c = stencil.access %a[1, 1] : !temp
      stencil.return %c : f64
    }
    stencil.store %r to %v(<[0, 0], [24, 40]>) : !temp to !field
  }
  return
}

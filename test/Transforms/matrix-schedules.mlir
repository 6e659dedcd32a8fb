// Products of matrices are chosen where the model says that they take less time than FMA, and where their speed has been measured.
// DEFINE: %{chip} = sm_90
// DEFINE: %{math} = reassociate
// DEFINE: %{run} = stencil-opt %s --stencil-attach-target=chip=%{chip} --stencil-infer-shapes --stencil-bufferize --stencil-select-schedule=math=%{math} --remarks-filter=Schedule
// RUN: %{run} 2>&1 | FileCheck %s
// REDEFINE: %{math} = tf32
// RUN: %{run} 2>&1 | FileCheck %s --check-prefix=TF32
// REDEFINE: %{math} = contract
// RUN: %{run} 2>&1 | FileCheck %s --check-prefix=FMA
// REDEFINE: %{math} = reassociate
// REDEFINE: %{chip} = gfx942
// RUN: %{run} 2>&1 | FileCheck %s --check-prefix=FMA

// FMA-NOT: mma

// CHECK: remark: [Passed] Chosen {{.*}}engine = mma, launch_bounds = 4>: 120 multiply-adds of the matrix unit per output for 81 taps: predicted {{.*}} us, 0.{{[0-9]+}} of the time without it
// CHECK-LABEL: func.func @box
// CHECK: stencil.schedule = #stencil.schedule<block = [3, 32], points = [8, 4], window = shared, prefetch = tma, eviction = last, engine = mma, launch_bounds = 4>
!field = !stencil.field<[-4,4100]x[-4,4100]xf64>
!temp = !stencil.temp<?x?xf64>
func.func @box(%u: !field, %v: !field) {
  %t = stencil.load %u : !field -> !temp
  %r = stencil.apply(%x = %t : !temp) -> (!temp) {
    %s = stencil.weighted_sum %x offsets [[-4, -4], [-4, -3], [-4, -2], [-4, -1], [-4, 0], [-4, 1], [-4, 2], [-4, 3], [-4, 4], [-3, -4], [-3, -3], [-3, -2], [-3, -1], [-3, 0], [-3, 1], [-3, 2], [-3, 3], [-3, 4], [-2, -4], [-2, -3], [-2, -2], [-2, -1], [-2, 0], [-2, 1], [-2, 2], [-2, 3], [-2, 4], [-1, -4], [-1, -3], [-1, -2], [-1, -1], [-1, 0], [-1, 1], [-1, 2], [-1, 3], [-1, 4], [0, -4], [0, -3], [0, -2], [0, -1], [0, 0], [0, 1], [0, 2], [0, 3], [0, 4], [1, -4], [1, -3], [1, -2], [1, -1], [1, 0], [1, 1], [1, 2], [1, 3], [1, 4], [2, -4], [2, -3], [2, -2], [2, -1], [2, 0], [2, 1], [2, 2], [2, 3], [2, 4], [3, -4], [3, -3], [3, -2], [3, -1], [3, 0], [3, 1], [3, 2], [3, 3], [3, 4], [4, -4], [4, -3], [4, -2], [4, -1], [4, 0], [4, 1], [4, 2], [4, 3], [4, 4]] weights dense<0.01> : tensor<81xf64> : !temp
    stencil.return %s : f64
  }
  stencil.store %r to %v(<[0, 0], [4096, 4096]>) : !temp to !field
  return
}

// Memory is the limit of five points.
// CHECK-LABEL: func.func @star
// CHECK-NOT: mma
func.func @star(%u: !field, %v: !field) {
  %t = stencil.load %u : !field -> !temp
  %r = stencil.apply(%x = %t : !temp) -> (!temp) {
    %s = stencil.weighted_sum %x offsets [[-1, 0], [0, -1], [0, 0], [0, 1], [1, 0]] weights dense<0.2> : tensor<5xf64> : !temp
    stencil.return %s : f64
  }
  stencil.store %r to %v(<[0, 0], [4096, 4096]>) : !temp to !field
  return
}

// Of 16 bits, products are the faster ones throughout, in tiles of their own.
// CHECK-LABEL: func.func @half
// CHECK: stencil.schedule = #stencil.schedule<block = [4, 32], points = [8, 4], window = shared, prefetch = tma, eviction = last, engine = mma>
func.func @half(%u: !stencil.field<[-1,8200]x[-1,8200]xf16>, %v: !stencil.field<[-1,8200]x[-1,8200]xf16>) {
  %t = stencil.load %u : !stencil.field<[-1,8200]x[-1,8200]xf16> -> !stencil.temp<?x?xf16>
  %r = stencil.apply(%x = %t : !stencil.temp<?x?xf16>) -> (!stencil.temp<?x?xf16>) {
    %s = stencil.weighted_sum %x offsets [[-1, -1], [-1, 0], [-1, 1], [0, -1], [0, 0], [0, 1], [1, -1], [1, 0], [1, 1]] weights dense<0.1> : tensor<9xf16> : !stencil.temp<?x?xf16>
    stencil.return %s : f16
  }
  stencil.store %r to %v(<[0, 0], [8192, 8192]>) : !stencil.temp<?x?xf16> to !stencil.field<[-1,8200]x[-1,8200]xf16>
  return
}

// Floats lose bits, where that is asked for.
// CHECK-LABEL: func.func @single
// CHECK-NOT: mma
// TF32-LABEL: func.func @single
// TF32: stencil.schedule = #stencil.schedule<block = [3, 32], points = [8, 4], window = shared, prefetch = tma, eviction = last, engine = mma, launch_bounds = 4>
func.func @single(%u: !stencil.field<[-4,8200]x[-4,8200]xf32>, %v: !stencil.field<[-4,8200]x[-4,8200]xf32>) {
  %t = stencil.load %u : !stencil.field<[-4,8200]x[-4,8200]xf32> -> !stencil.temp<?x?xf32>
  %r = stencil.apply(%x = %t : !stencil.temp<?x?xf32>) -> (!stencil.temp<?x?xf32>) {
    %s = stencil.weighted_sum %x offsets [[-4, -4], [-4, -3], [-4, -2], [-4, -1], [-4, 0], [-4, 1], [-4, 2], [-4, 3], [-4, 4], [-3, -4], [-3, -3], [-3, -2], [-3, -1], [-3, 0], [-3, 1], [-3, 2], [-3, 3], [-3, 4], [-2, -4], [-2, -3], [-2, -2], [-2, -1], [-2, 0], [-2, 1], [-2, 2], [-2, 3], [-2, 4], [-1, -4], [-1, -3], [-1, -2], [-1, -1], [-1, 0], [-1, 1], [-1, 2], [-1, 3], [-1, 4], [0, -4], [0, -3], [0, -2], [0, -1], [0, 0], [0, 1], [0, 2], [0, 3], [0, 4], [1, -4], [1, -3], [1, -2], [1, -1], [1, 0], [1, 1], [1, 2], [1, 3], [1, 4], [2, -4], [2, -3], [2, -2], [2, -1], [2, 0], [2, 1], [2, 2], [2, 3], [2, 4], [3, -4], [3, -3], [3, -2], [3, -1], [3, 0], [3, 1], [3, 2], [3, 3], [3, 4], [4, -4], [4, -3], [4, -2], [4, -1], [4, 0], [4, 1], [4, 2], [4, 3], [4, 4]] weights dense<0.01> : tensor<81xf32> : !stencil.temp<?x?xf32>
    stencil.return %s : f32
  }
  stencil.store %r to %v(<[0, 0], [8192, 8192]>) : !stencil.temp<?x?xf32> to !stencil.field<[-4,8200]x[-4,8200]xf32>
  return
}

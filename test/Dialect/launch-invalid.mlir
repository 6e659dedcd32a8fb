// RUN: stencil-opt %s --split-input-file --verify-diagnostics

func.func @no_kernel(%n: index) {
  // expected-error@+1 {{'stencil.launch' op expected the name of a kernel, got @k::@f}}
  stencil.launch @k::@f blocks(%n) threads [1, 1, 1] args()
  return
}

// -----

func.func private @g()
func.func @function(%n: index) {
  // expected-error@+1 {{expected the name of a kernel, got @g}}
  stencil.launch @g blocks(%n) threads [1, 1, 1] args()
  return
}

// -----

gpu.module @k {
  // expected-note@+1 {{the kernel}}
  gpu.func @f(%x: f64) kernel { gpu.return }
}
func.func @count(%n: index) {
  // expected-error@+1 {{expected 1 arguments, got 0}}
  stencil.launch @k::@f blocks(%n) threads [1, 1, 1] args()
  return
}

// -----

gpu.module @k {
  // expected-note@+1 {{the kernel}}
  gpu.func @f(%x: f64, %y: memref<8xf32>) kernel { gpu.return }
}
func.func @type(%n: index, %c: f64, %u: !stencil.field<[0,8]xf64>) {
  // expected-error@+1 {{expected an argument 1 for 'memref<8xf32>', got '!stencil.field<[0,8]xf64>'}}
  stencil.launch @k::@f blocks(%n) threads [1, 1, 1] args(%c : f64, %u : !stencil.field<[0,8]xf64> read)
  return
}

// -----

gpu.module @k {
  // expected-note@+1 {{the kernel}}
  gpu.func @f(%x: memref<8x8xf64>) kernel { gpu.return }
}
func.func @rank(%n: index, %u: !stencil.field<[0,8]x[0,8]xf64>) {
  // expected-error@+1 {{expected an argument 0 for 'memref<8x8xf64>', got '!stencil.field<[0,8]x[0,8]xf64>'}}
  stencil.launch @k::@f blocks(%n) threads [1, 1, 1] args(%u : !stencil.field<[0,8]x[0,8]xf64> read)
  return
}

// -----

func.func @no_access(%n: index, %u: !stencil.field<[0,8]xf64>) {
  // expected-error@+1 {{expected 'read', 'write' or 'readwrite' for argument 0, of type '!stencil.field<[0,8]xf64>'}}
  stencil.launch @k::@f blocks(%n) threads [1, 1, 1] args(%u : !stencil.field<[0,8]xf64>)
  return
}

// -----

func.func @access_to_scalar(%n: index, %c: f64) {
  // expected-error@+1 {{expected no access to argument 0, of type 'f64'}}
  stencil.launch @k::@f blocks(%n) threads [1, 1, 1] args(%c : f64 read)
  return
}

// -----

func.func @accesses(%n: index, %c: f64) {
  // expected-error@+1 {{expected an access for each of 1 arguments, got 2}}
  "stencil.launch"(%n, %c) {kernel = @k::@f, threads = array<i64: 1, 1, 1>, access = array<i32: 0, 0>} : (index, f64) -> ()
  return
}

// -----

func.func @access(%n: index, %u: !stencil.field<[0,8]xf64>) {
  // expected-error@+1 {{expected accesses from 0 to 3, got 4}}
  "stencil.launch"(%n, %u) {kernel = @k::@f, threads = array<i64: 1, 1, 1>, access = array<i32: 4>} : (index, !stencil.field<[0,8]xf64>) -> ()
  return
}

// -----

func.func @bounds(%n: index, %u: !stencil.field<?xf64>) {
  // expected-error@+1 {{expected fields with bounds, got '!stencil.field<?xf64>'}}
  stencil.launch @k::@f blocks(%n) threads [1, 1, 1] args(%u : !stencil.field<?xf64> read)
  return
}

// -----

func.func @threads(%n: index) {
  // expected-error@+1 {{expected three extents of at least 1 as threads, got [64, 0, 1]}}
  stencil.launch @k::@f blocks(%n) threads [64, 0, 1] args()
  return
}

// -----

func.func @threads_axes(%n: index) {
  // expected-error@+1 {{expected three extents of at least 1 as threads, got [64]}}
  stencil.launch @k::@f blocks(%n) threads [64] args()
  return
}

// -----

func.func @shared(%n: index) {
  // expected-error@+1 {{expected a number of bytes of shared memory, got -8}}
  stencil.launch @k::@f blocks(%n) threads [1, 1, 1] shared -8 args()
  return
}

// -----

func.func @align(%n: index) {
  // expected-error@+1 {{expected an alignment that is a power of two, got 12}}
  stencil.launch @k::@f blocks(%n) threads [1, 1, 1] align 12 args()
  return
}

// -----

func.func @extent() {
  // expected-error@+1 {{attribute 'axis' failed to satisfy constraint: 64-bit signless integer attribute whose value is non-negative}}
  %n = stencil.extent -1
  return
}

// -----

func.func @size(%u: !stencil.field<?xf64>) {
  // expected-error@+1 {{expected a field with bounds, got '!stencil.field<?xf64>'}}
  %n = stencil.buffer_size %u : !stencil.field<?xf64>
  return
}

// -----

!map = !nvgpu.tensormap.descriptor<tensor = memref<8xf64, 3>, swizzle = none, l2promo = none, oob = zero, interleave = none>
func.func @map_bounds(%u: !stencil.field<[?,?+8]xf64>) {
  // expected-error@+1 {{expected a field with bounds, of which the last lower one is constant, got '!stencil.field<[?,?+8]xf64>'}}
  %m = stencil.tensor_map %u : !stencil.field<[?,?+8]xf64> -> !map
  return
}

// -----

!map = !nvgpu.tensormap.descriptor<tensor = memref<1x1x1x1x1x2xf64, 3>, swizzle = none, l2promo = none, oob = zero, interleave = none>
!field = !stencil.field<[0,2]x[0,2]x[0,2]x[0,2]x[0,2]x[0,2]xf64>
func.func @map_rank(%u: !field) {
  // expected-error@+1 {{expected a field of at most 5 axes, got 6}}
  %m = stencil.tensor_map %u : !field -> !map
  return
}

// -----

func.func @map_type(%u: !stencil.field<[0,8]xf64>) {
  // expected-error@+1 {{expected a !nvgpu.tensormap.descriptor, got 'index'}}
  %m = stencil.tensor_map %u : !stencil.field<[0,8]xf64> -> index
  return
}

// -----

!map = !nvgpu.tensormap.descriptor<tensor = memref<8xf32, 3>, swizzle = none, l2promo = none, oob = zero, interleave = none>
func.func @map_element(%u: !stencil.field<[0,8]xf64>) {
  // expected-error@+1 {{expected boxes of 1 axes and of elements of type 'f64', got 'memref<8xf32, 3>'}}
  %m = stencil.tensor_map %u : !stencil.field<[0,8]xf64> -> !map
  return
}

// -----

!map = !nvgpu.tensormap.descriptor<tensor = memref<512xf64, 3>, swizzle = none, l2promo = none, oob = zero, interleave = none>
func.func @map_box(%u: !stencil.field<[0,8]xf64>) {
  // expected-error@+1 {{expected boxes of 1 to 256 points along each axis, got 'memref<512xf64, 3>'}}
  %m = stencil.tensor_map %u : !stencil.field<[0,8]xf64> -> !map
  return
}

// -----

!map = !nvgpu.tensormap.descriptor<tensor = memref<3xf64, 3>, swizzle = none, l2promo = none, oob = zero, interleave = none>
func.func @map_row(%u: !stencil.field<[0,8]xf64>) {
  // expected-error@+1 {{expected rows of a multiple of 16 bytes, got 24}}
  %m = stencil.tensor_map %u : !stencil.field<[0,8]xf64> -> !map
  return
}

// -----

!map = !nvgpu.tensormap.descriptor<tensor = memref<12xf64, 3>, swizzle = none, l2promo = none, oob = zero, interleave = none>
func.func @map_segment_axes(%u: !stencil.field<[0,64]xf64>) {
  // expected-error@+1 {{expected boxes of 2 axes and of elements of type 'f64', got 'memref<12xf64, 3>'}}
  %m = stencil.tensor_map %u segment 8 : !stencil.field<[0,64]xf64> -> !map
  return
}

// -----

!map = !nvgpu.tensormap.descriptor<tensor = memref<1x1x1x1x8x12xf64, 3>, swizzle = none, l2promo = none, oob = zero, interleave = none>
!field = !stencil.field<[0,2]x[0,2]x[0,2]x[0,2]x[0,64]xf64>
func.func @map_segment_rank(%u: !field) {
  // expected-error@+1 {{expected a field of at most 4 axes with 'segment', got 5}}
  %m = stencil.tensor_map %u segment 8 : !field -> !map
  return
}

// -----

!map = !nvgpu.tensormap.descriptor<tensor = memref<8x12xf64, 3>, swizzle = none, l2promo = none, oob = zero, interleave = none>
func.func @map_segment_bytes(%u: !stencil.field<[0,64]xf64>) {
  // expected-error@+1 {{expected segments of a multiple of 16 bytes, of at most 1048576 points, got 7 points}}
  %m = stencil.tensor_map %u segment 7 : !stencil.field<[0,64]xf64> -> !map
  return
}

// -----

func.func @scratch() {
  // expected-error@+1 {{expected a memref of static shape, without a layout or a memory space, got 'memref<?xf64>'}}
  %p = stencil.scratch : memref<?xf64>
  return
}

// -----

func.func @scratch_space() {
  // expected-error@+1 {{expected a memref of static shape, without a layout or a memory space, got 'memref<8xf64, 3>'}}
  %p = stencil.scratch : memref<8xf64, 3>
  return
}

// -----

func.func @word() {
  // expected-error@+1 {{expected a result of type 'memref<1xi32>', got 'memref<1xi64>'}}
  %e = stencil.error_word ["late"] : memref<1xi64>
  return
}

// -----

func.func @fetch(%p: memref<2xf64>) {
  // expected-error@+1 {{expected a memref of one element and one axis, got 'memref<2xf64>'}}
  %r = stencil.fetch %p : memref<2xf64>
  return
}

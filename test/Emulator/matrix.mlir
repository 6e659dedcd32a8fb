// Every form of a matrix instruction reaches the emulator. All elements of A are
// 1 and of B 2, so that D = 2 k + C; the fragments are tested in
// unittests/Emulator.
// UNSUPPORTED: asan
// RUN: stencil-opt %s --gpu-to-emulator=warp-size=32 -o %t
// RUN: mlir-runner %t -e nvidia -entry-point-result=void --shared-libs=%stencil_runtime \
// RUN:   --shared-libs=%llvm_lib/libmlir_runner_utils.so | FileCheck %s
// RUN: stencil-opt %s --gpu-to-emulator=chip=gfx942 -o %t.64
// RUN: mlir-runner %t.64 -e amd -entry-point-result=void --shared-libs=%stencil_runtime \
// RUN:   --shared-libs=%llvm_lib/libmlir_runner_utils.so | FileCheck %s --check-prefix=AMD
// RUN: not mlir-runner %t -e amd -entry-point-result=void --shared-libs=%stencil_runtime \
// RUN:   --shared-libs=%llvm_lib/libmlir_runner_utils.so 2>&1 | FileCheck %s --check-prefix=WARP
// WARP: error: emulator: mfma needs a warp of 64 lanes, got 32 of 32, in kernel mfma

#shared = #gpu.address_space<workgroup>
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @mma(%v: memref<8xf64>) workgroup(%tile: memref<8x8xf16, #shared>) kernel {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c3 = arith.constant 3 : index
      %c4 = arith.constant 4 : index
      %one = arith.constant 1.0 : f64
      %two = arith.constant 2.0 : f64
      %half = arith.constant 0.5 : f64
      %lane = gpu.lane_id
      %first = arith.cmpi eq, %lane, %c0 : index

      %a884 = vector.broadcast %one : f64 to vector<1x1xf64>
      %b884 = vector.broadcast %two : f64 to vector<1x1xf64>
      %c884 = vector.broadcast %half : f64 to vector<1x2xf64>
      %d884 = nvgpu.mma.sync (%a884, %b884, %c884) {mmaShape = [8, 8, 4]}
          : (vector<1x1xf64>, vector<1x1xf64>, vector<1x2xf64>) -> vector<1x2xf64>
      %r0 = vector.extract %d884[0, 1] : f64 from vector<1x2xf64>

      %d1688 = llvm.inline_asm has_side_effects asm_dialect = att
          "mma.sync.aligned.m16n8k8.row.col.f64.f64.f64.f64 {$0, $1, $2, $3}, {$4, $5, $6, $7}, {$8, $9}, {$10, $11, $12, $13};",
          "=d,=d,=d,=d,d,d,d,d,d,d,d,d,d,d" %one, %one, %one, %one, %two, %two, %half, %half, %half, %half
          : (f64, f64, f64, f64, f64, f64, f64, f64, f64, f64) -> !llvm.struct<(f64, f64, f64, f64)>
      %r1 = llvm.extractvalue %d1688[3] : !llvm.struct<(f64, f64, f64, f64)>

      %d:4 = nvvm.inline_ptx "mma.sync.aligned.m16n8k4.row.col.f64.f64.f64.f64 {%0, %1, %2, %3}, {%4, %5}, {%6}, {%7, %8, %9, %10};"
          ro(%one, %one, %two, %half, %half, %half, %half : f64, f64, f64, f64, f64, f64, f64) -> f64, f64, f64, f64

      %f16one = arith.constant dense<1.0> : vector<4x2xf16>
      %f16two = arith.constant dense<2.0> : vector<2x2xf16>
      %f32half = arith.constant dense<0.5> : vector<2x2xf32>
      %df16 = nvgpu.mma.sync (%f16one, %f16two, %f32half) {mmaShape = [16, 8, 16]}
          : (vector<4x2xf16>, vector<2x2xf16>, vector<2x2xf32>) -> vector<2x2xf32>
      %f = vector.extract %df16[1, 0] : f32 from vector<2x2xf32>
      %r3 = arith.extf %f : f32 to f64

      // Rows of a matrix in shared memory: element (i, j) is i; transposed, it is j.
      %c8 = arith.constant 8 : index
      %row = arith.remui %lane, %c8 : index
      %inTile = arith.cmpi ult, %lane, %c8 : index
      %number = arith.index_cast %row : index to i32
      %value = arith.sitofp %number : i32 to f16
      %values = vector.broadcast %value : f16 to vector<8xf16>
      scf.if %inTile {
        vector.store %values, %tile[%row, %c0] : memref<8x8xf16, #shared>, vector<8xf16>
      }
      gpu.barrier
      %fragment = nvgpu.ldmatrix %tile[%row, %c0] {numTiles = 1 : i32, transpose = true}
          : memref<8x8xf16, #shared> -> vector<1x2xf16>
      %h = vector.extract %fragment[0, 1] : f16 from vector<1x2xf16>
      %r4 = arith.extf %h : f16 to f64
      scf.if %first {
        memref.store %r0, %v[%c0] : memref<8xf64>
        memref.store %r1, %v[%c1] : memref<8xf64>
        memref.store %d#2, %v[%c2] : memref<8xf64>
        memref.store %r3, %v[%c3] : memref<8xf64>
        memref.store %r4, %v[%c4] : memref<8xf64>
      }
      gpu.return
    }
    gpu.func @mfma(%v: memref<8xf64>) kernel {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %one = arith.constant 1.0 : f64
      %two = arith.constant 2.0 : f64
      %half = arith.constant 0.5 : f64
      %half4 = arith.constant dense<0.5> : vector<4xf64>
      %lane = gpu.lane_id
      %first = arith.cmpi eq, %lane, %c0 : index
      %d16 = amdgpu.mfma 16x16x4 %one * %two + %half4 {negateC} blgp = none : f64, f64, vector<4xf64>
      %d4 = amdgpu.mfma 4x4x4 %one * %two + %half {blocks = 4 : i32} blgp = none : f64, f64, f64
      %r = vector.extract %d16[3] : f64 from vector<4xf64>
      // 16 products of 1 and 2, and a half.
      %ones = arith.constant dense<1.0> : vector<4xf16>
      %twos = arith.constant dense<2.0> : vector<4xf16>
      %ones_b = arith.constant dense<1.0> : vector<4xbf16>
      %twos_b = arith.constant dense<2.0> : vector<4xbf16>
      %half_f = arith.constant dense<0.5> : vector<4xf32>
      %dh = amdgpu.mfma 16x16x16 %ones * %twos + %half_f blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
      %db = amdgpu.mfma 16x16x16 %ones_b * %twos_b + %dh blgp = none : vector<4xbf16>, vector<4xbf16>, vector<4xf32>
      %rb = vector.extract %db[2] : f32 from vector<4xf32>
      %rd = arith.extf %rb : f32 to f64
      %c2 = arith.constant 2 : index
      scf.if %first {
        memref.store %r, %v[%c0] : memref<8xf64>
        memref.store %d4, %v[%c1] : memref<8xf64>
        memref.store %rd, %v[%c2] : memref<8xf64>
      }
      gpu.return
    }
  }
  func.func private @stencilSelectBackend(i32)
  func.func private @printMemrefF64(memref<*xf64>) attributes {llvm.emit_c_interface}
  func.func private @prepare() -> memref<8xf64> {
    %emulator = arith.constant 2 : i32
    call @stencilSelectBackend(%emulator) : (i32) -> ()
    %v = gpu.alloc host_shared () : memref<8xf64>
    return %v : memref<8xf64>
  }
  func.func @nvidia() {
    %n = arith.constant 1 : index
    %t = arith.constant 32 : index
    %v = call @prepare() : () -> memref<8xf64>
    gpu.launch_func @kernels::@mma blocks in (%n, %n, %n) threads in (%t, %n, %n) args(%v : memref<8xf64>)
    %all = memref.cast %v : memref<8xf64> to memref<*xf64>
    // CHECK: [8.5,  16.5,  8.5,  32.5,  1,
    call @printMemrefF64(%all) : (memref<*xf64>) -> ()
    return
  }
  func.func @amd() {
    %n = arith.constant 1 : index
    %t = arith.constant 64 : index
    %v = call @prepare() : () -> memref<8xf64>
    gpu.launch_func @kernels::@mfma blocks in (%n, %n, %n) threads in (%t, %n, %n) args(%v : memref<8xf64>)
    %all = memref.cast %v : memref<8xf64> to memref<*xf64>
    // AMD: [7.5,  8.5,  64.5,
    call @printMemrefF64(%all) : (memref<*xf64>) -> ()
    return
  }
}

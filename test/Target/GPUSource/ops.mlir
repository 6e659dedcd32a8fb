// Ops whose C++ is not the obvious text: MLIR's integers wrap, have no sign and
// one bit; C++ promotes; sums and products may be fused only if they say so.
// RUN: stencil-translate %s --to-cuda --chip sm_90 | FileCheck %s
// RUN: sed '/^ *.. ONLY CUDA/,/^ *.. END OF IT/d' %s | stencil-translate - --to-hip --chip gfx942 | FileCheck %s --check-prefix=HIP

module attributes {gpu.container_module} {
  gpu.module @kernels {
    // CHECK-LABEL: integers(int *__restrict__ out, int a, int b, signed char c,
    // CHECK-NEXT: bool p)
    gpu.func @integers(%out: memref<16xi32> {llvm.noalias, stencil.name = "out"}, %a: i32 {stencil.name = "a"}, %b: i32 {stencil.name = "b"}, %c: i8 {stencil.name = "c"}, %p: i1 {stencil.name = "p"}) kernel {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c3 = arith.constant 3 : index
      %c4 = arith.constant 4 : index
      %c5 = arith.constant 5 : index
      %c6 = arith.constant 6 : index
      %three = arith.constant 3 : i32
      // CHECK: out[0] = (int)((unsigned)a * b + 3);
      %mul = arith.muli %a, %b : i32
      %sum = arith.addi %mul, %three : i32
      memref.store %sum, %out[%c0] : memref<16xi32>
      // CHECK: out[1] = a * b;
      %nsw = arith.muli %a, %b overflow<nsw> : i32
      memref.store %nsw, %out[%c1] : memref<16xi32>
      // CHECK: out[2] = (int)((unsigned)a / (unsigned)b);
      %div = arith.divui %a, %b : i32
      memref.store %div, %out[%c2] : memref<16xi32>
      // CHECK: out[3] = (int)(unsigned char)c;
      %ext = arith.extui %c : i8 to i32
      memref.store %ext, %out[%c3] : memref<16xi32>
      // CHECK: out[4] = (signed char)(c + c);
      %twice = arith.addi %c, %c : i8
      %wide = arith.extsi %twice : i8 to i32
      memref.store %wide, %out[%c4] : memref<16xi32>
      // CHECK: out[5] = (int)-p;
      %minus = arith.extsi %p : i1 to i32
      memref.store %minus, %out[%c5] : memref<16xi32>
      // CHECK: if ((unsigned)a < 3 && !p)
      %true = arith.constant true
      %not = arith.xori %p, %true : i1
      %less = arith.cmpi ult, %a, %three : i32
      %both = arith.andi %less, %not : i1
      scf.if %both {
        memref.store %a, %out[%c6] : memref<16xi32>
      }
      gpu.return
    }

    // A strict product must not meet a sum.
    // CHECK-LABEL: floats(
    // HIP-LABEL: floats(
    // HIP-NEXT: {{^ *}}#pragma clang fp contract(off)
    gpu.func @floats(%out: memref<16xf32> {llvm.noalias, stencil.name = "out"}, %a: f32 {stencil.name = "a"}, %b: f32 {stencil.name = "b"}) kernel {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c3 = arith.constant 3 : index
      %tenth = arith.constant 0.1 : f32
      %inf = arith.constant 0xFF800000 : f32
      // CHECK: out[0] = __fmul_rn(a, b) + 0.1f;
      // HIP: out[0] = a * b + 0.1f;
      %strict = arith.mulf %a, %b : f32
      %sum = arith.addf %strict, %tenth : f32
      memref.store %sum, %out[%c0] : memref<16xf32>
      // CHECK: out[1] = a - (b - a);
      %d0 = arith.subf %b, %a fastmath<contract> : f32
      %d1 = arith.subf %a, %d0 fastmath<contract> : f32
      memref.store %d1, %out[%c1] : memref<16xf32>
      // CHECK: out[2] = !(a <= b) ? expf(a) : -INFINITY;
      %more = arith.cmpf ugt, %a, %b : f32
      %exp = math.exp %a : f32
      %choice = arith.select %more, %exp, %inf : f32
      memref.store %choice, %out[%c2] : memref<16xf32>
      // CHECK: out[3] = stencilMaximum(a, b);
      %max = arith.maximumf %a, %b : f32
      memref.store %max, %out[%c3] : memref<16xf32>
      gpu.return
    }

    // Functions of 16-bit numbers go by way of float.
    // CHECK-LABEL: halves(
    // CHECK: out[0] = __half(sqrtf((float)(a * __half(0.5f))));
    gpu.func @halves(%out: memref<16xf16> {llvm.noalias, stencil.name = "out"}, %a: f16 {stencil.name = "a"}) kernel {
      %c0 = arith.constant 0 : index
      %half = arith.constant 0.5 : f16
      %product = arith.mulf %a, %half fastmath<contract> : f16
      %root = math.sqrt %product : f16
      memref.store %root, %out[%c0] : memref<16xf16>
      gpu.return
    }

    // What is read before something is written is read first.
    // CHECK-LABEL: order(
    gpu.func @order(%u: memref<16xf64> {stencil.name = "u"}) kernel {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      // CHECK: const double u0 = u[0];
      // CHECK-NEXT: u[0] = u[1];
      // CHECK-NEXT: u[1] = u0;
      %0 = memref.load %u[%c0] : memref<16xf64>
      %1 = memref.load %u[%c1] : memref<16xf64>
      memref.store %1, %u[%c0] : memref<16xf64>
      memref.store %0, %u[%c1] : memref<16xf64>
      gpu.return
    }

    // CHECK-LABEL: vectors(
    gpu.func @vectors(%u: memref<64xf64> {llvm.noalias, stencil.name = "u"}, %v: memref<64xf64> {llvm.noalias, stencil.name = "v"}) kernel {
      // CHECK: const double2 u0 = *reinterpret_cast<const double2 *>(&u[4]);
      // CHECK-NEXT: *reinterpret_cast<double2 *>(&v[4]) = make_double2(u0.x + u[5], u0.y + u[6]);
      %c4 = arith.constant 4 : index
      %c5 = arith.constant 5 : index
      %0 = vector.load %u[%c4] {alignment = 16 : i64} : memref<64xf64>, vector<2xf64>
      %1 = vector.load %u[%c5] : memref<64xf64>, vector<2xf64>
      %2 = arith.addf %0, %1 fastmath<contract> : vector<2xf64>
      vector.store %2, %v[%c4] {alignment = 16 : i64} : memref<64xf64>, vector<2xf64>
      gpu.return
    }

    // HIP-LABEL: together(
    // CHECK-LABEL: together(
    // CHECK-NEXT: alignas(16) __shared__ float tile[8][9];
    gpu.func @together(%u: memref<64xf32> {llvm.noalias, stencil.name = "u"}) workgroup(%tile: memref<8x9xf32, #gpu.address_space<workgroup>> {llvm.align = 16 : i64}) kernel attributes {known_block_size = array<i32: 8, 8, 1>} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c8 = arith.constant 8 : index
      %one = arith.constant 1 : i32
      %lanes = arith.constant 32 : i32
      %x = gpu.thread_id x
      %y = gpu.thread_id y
      // CHECK: const long long at = (long long)y * 8 + x;
      // CHECK-NEXT: tile[y][x] = u[at];
      %row = arith.muli %y, %c8 : index
      %at = arith.addi %row, %x : index
      %0 = memref.load %u[%at] : memref<64xf32>
      memref.store %0, %tile[%y, %x] : memref<8x9xf32, #gpu.address_space<workgroup>>
      // CHECK-NEXT: __syncthreads();
      gpu.barrier
      // CHECK-NEXT: const float [[S:.*]] = __shfl_xor_sync(0xffffffffu, tile[x][y], 1);
      // HIP: __shfl_xor(tile[x][y], 1, 32)
      %1 = memref.load %tile[%x, %y] : memref<8x9xf32, #gpu.address_space<workgroup>>
      %2, %valid = gpu.shuffle xor %1, %one, %lanes : f32
      // CHECK-NEXT: float sum = 0.0f;
      // CHECK-NEXT: for (int k = 0; k < 8; ++k) {
      // CHECK-NEXT:   sum = sum + tile[x][k] * [[S]];
      // CHECK-NEXT: }
      %zero = arith.constant 0.0 : f32
      %result = scf.for %k = %c0 to %c8 step %c1 iter_args(%sum = %zero) -> (f32) {
        %a = memref.load %tile[%x, %k] : memref<8x9xf32, #gpu.address_space<workgroup>>
        %b = arith.mulf %a, %2 fastmath<contract> : f32
        %next = arith.addf %sum, %b fastmath<contract> : f32
        scf.yield %next : f32
      }
      memref.store %result, %u[%at] : memref<64xf32>
      gpu.return
    }

    // CHECK-LABEL: hand(
    gpu.func @hand(%u: memref<64xf64> {llvm.noalias, stencil.name = "u"}) kernel {
      // CHECK: double r0;
      // CHECK-NEXT: asm volatile("mov.f64 %0, %1;" : "=d"(r0) : "d"(u[0]));
      // CHECK-NEXT: u[1] = r0;
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %0 = memref.load %u[%c0] : memref<64xf64>
      %1 = llvm.inline_asm has_side_effects "mov.f64 $0, $1;", "=d,d" %0 : (f64) -> f64
      memref.store %1, %u[%c1] : memref<64xf64>
      gpu.return
    }

    // CHECK-LABEL: repeated(
    // CHECK-NEXT: int i = n;
    // CHECK-NEXT: int s = 0;
    // CHECK-NEXT: while (i > 0) {
    // CHECK-NEXT:   const int next0 = i - 1;
    // CHECK-NEXT:   i = s;
    // CHECK-NEXT:   s = next0;
    // CHECK-NEXT: }
    // CHECK-NEXT: u[0] = s;
    gpu.func @repeated(%u: memref<64xi32> {stencil.name = "u"}, %n: i32 {stencil.name = "n"}) kernel {
      %c0 = arith.constant 0 : index
      %zero = arith.constant 0 : i32
      %one = arith.constant 1 : i32
      %r:2 = scf.while (%i = %n, %s = %zero) : (i32, i32) -> (i32, i32) {
        %more = arith.cmpi sgt, %i, %zero : i32
        scf.condition(%more) %i, %s : i32, i32
      } do {
      ^bb0(%i: i32, %s: i32):
        %less = arith.subi %i, %one overflow<nsw> : i32
        scf.yield %s, %less : i32, i32
      }
      memref.store %r#1, %u[%c0] : memref<64xi32>
      gpu.return
    }

    // ONLY CUDA
    // CHECK-LABEL: prefetched(
    // CHECK: asm volatile("prefetch.global.L2 [%0];" :: "l"(&u[x]));
    gpu.func @prefetched(%u: memref<64xf32> {stencil.name = "u"}) kernel {
      %x = gpu.thread_id x
      memref.prefetch %u[%x], read, locality<2>, data : memref<64xf32>
      gpu.return
    }
    // CHECK-LABEL: copied(
    // CHECK: __pipeline_memcpy_async(&t[x], &u[x], 4);
    // CHECK-NEXT: __pipeline_commit();
    // CHECK-NEXT: __pipeline_wait_prior(0);
    // CHECK-NEXT: __syncthreads();
    // CHECK-NEXT: alignas(16) extern __shared__ signed char stencilShared[];
    // CHECK-NEXT: float *v = reinterpret_cast<float *>(&stencilShared[64]);
    // CHECK-NEXT: v[(long long)x * 8] = t[x];
    gpu.func @copied(%u: memref<64xf32> {stencil.name = "u"}) workgroup(%t : memref<64xf32, #gpu.address_space<workgroup>>) kernel {
      %c0 = arith.constant 0 : index
      %c64 = arith.constant 64 : index
      %x = gpu.thread_id x
      %0 = nvgpu.device_async_copy %u[%x], %t[%x], 1 : memref<64xf32> to memref<64xf32, #gpu.address_space<workgroup>>
      %1 = nvgpu.device_async_create_group %0
      nvgpu.device_async_wait %1
      gpu.barrier
      %bytes = gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<workgroup>>
      %v = memref.view %bytes[%c64][] : memref<?xi8, #gpu.address_space<workgroup>> to memref<8x8xf32, #gpu.address_space<workgroup>>
      %a = memref.load %t[%x] : memref<64xf32, #gpu.address_space<workgroup>>
      memref.store %a, %v[%x, %c0] : memref<8x8xf32, #gpu.address_space<workgroup>>
      gpu.return
    }
    // END OF IT

    // Reductions become shuffles, branches become conditions.
    // CHECK-LABEL: reduced(
    // CHECK: __shfl_xor_sync(
    // CHECK: __syncthreads();
    gpu.func @reduced(%u: memref<64xf32> {llvm.noalias, stencil.name = "u"}) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
      %x = gpu.thread_id x
      %0 = memref.load %u[%x] : memref<64xf32>
      %1 = gpu.all_reduce add %0 uniform {} : (f32) -> (f32)
      memref.store %1, %u[%x] : memref<64xf32>
      gpu.return
    }
  }
  func.func @host() {
    return
  }
}

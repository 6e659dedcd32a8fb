// A streaming kernel as the lowering of a pipeline writes it, in upstream ops
// only: the seven-point sum of 13 x 9 x 70 points, walking along z. A ring of
// four planes in dynamic shared memory, filled by TMA; the newest plane adds to
// three partial results in registers, so that the loop has three phases. Two
// segments along z; sizes that no block divides.
// UNSUPPORTED: asan
// DEFINE: %{run} = mlir-runner -e main -entry-point-result=void --shared-libs=%stencil_runtime \
// DEFINE:   --shared-libs=%llvm_lib/libmlir_runner_utils.so --shared-libs=%llvm_lib/libmlir_c_runner_utils.so
// DEFINE: %{whole} = sed -e '/^  .. Inputs.*comes here/r %S/Inputs/ring-host.mlir'
// RUN: %{whole} %s | stencil-opt --gpu-to-emulator=chip=sm_90 > %t
// Copies that arrive late, early, and at random, and other orders of threads.
// RUN: env STENCIL_EMULATOR_SEED=1 %{run} %t | FileCheck %s
// RUN: env STENCIL_EMULATOR_SEED=2 %{run} %t | FileCheck %s
// RUN: env STENCIL_EMULATOR_SEED=3 %{run} %t | FileCheck %s
// CHECK: {{^}}0{{$}}

// Nobody waits for the readers of a plane: the next one overwrites it.
// RUN: %{whole} -e '/gpu.barrier.*phase 0/d' %s | stencil-opt --gpu-to-emulator=chip=sm_90 | not %{run} 2>&1 | FileCheck %s --check-prefix=RACE
// RACE: error: emulator: {{race: write of 1920 bytes of shared memory by an asynchronous copy|race on shared memory: read of 16 bytes}}, in kernel star
// Nobody waits for the plane.
// RUN: %{whole} -e '/try_wait.*phase 1/d' %s | stencil-opt --gpu-to-emulator=chip=sm_90 | not %{run} 2>&1 | FileCheck %s --check-prefix=EARLY
// EARLY: error: emulator: race on shared memory: read of 16 bytes, in kernel star, {{.*}} an asynchronous copy, at {{.*}}, which has not been waited for
// The copy engine is not told that the readers are done.
// RUN: %{whole} -e '/fence.proxy.*read/d' %s | stencil-opt --gpu-to-emulator=chip=sm_90 | not %{run} 2>&1 | FileCheck %s --check-prefix=FENCE
// FENCE: error: emulator: missing fence.proxy.async: write of 1920 bytes of shared memory by an asynchronous copy, in kernel star

// The instructions: shared memory is read at constant distances from one
// address per phase, the tensor map where the launch has put it.
// RUN: %{whole} %s | stencil-translate - --to-ptx --chip sm_90 -o - | FileCheck %s --check-prefix=PTX --implicit-check-not=.local --implicit-check-not=ld.param.v
// PTX: .extern .shared .align 128 .b8 {{.*}}[];
// PTX: .entry star(
// PTX-NEXT: .param .align 64 .b8 star_param_0[128],
// PTX: .shared .align 8 .b8 __mbarrier[32];
// PTX: mov.b64 %[[PARAM:.*]], star_param_0;
// PTX: cvta.param.u64 %[[MAP:.*]], %[[PARAM]];
// PTX-COUNT-3: cp.async.bulk.tensor.3d.shared::cluster.global.mbarrier::complete_tx::bytes [%{{.*}}], [%[[MAP]],
// PTX: mbarrier.try_wait.parity.shared.b64
// PTX: bar.sync 0;
// PTX: cp.async.bulk.tensor.3d
// PTX: ld.shared.v2.b64 {%{{.*}}, %{{.*}}}, [%[[BASE:.*]]+
// PTX-NEXT: ld.shared.v2.b64 {%{{.*}}, %{{.*}}}, [%[[BASE]]+
// PTX-COUNT-2: mbarrier.try_wait.parity.shared.b64

#shared = #gpu.address_space<workgroup>
!plane = memref<1x6x40xf64, #shared>
!ring = memref<960xf64, #shared>
!field = memref<28560xf64>
!map = !nvgpu.tensormap.descriptor<tensor = !plane, swizzle = none, l2promo = none, oob = zero, interleave = none>
!barriers = !nvgpu.mbarrier.group<memorySpace = #shared, num_barriers = 4>

module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @star(%map: !map, %v: !field {llvm.align = 32 : i32, llvm.noalias}, %w0: f64, %w1: f64) kernel
        attributes {known_block_size = array<i32: 16, 4, 1>} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c3 = arith.constant 3 : index
      %c4 = arith.constant 4 : index
      %c40 = arith.constant 40 : index
      %cm2 = arith.constant -2 : index
      %cm40 = arith.constant -40 : index
      %c0_i32 = arith.constant 0 : i32
      %c1_i32 = arith.constant 1 : i32
      %c2_i32 = arith.constant 2 : i32
      %c3_i32 = arith.constant 3 : i32
      %c4_i32 = arith.constant 4 : i32
      %c7_i32 = arith.constant 7 : i32
      %c9_i32 = arith.constant 9 : i32
      %c13_i32 = arith.constant 13 : i32
      %c16_i32 = arith.constant 16 : i32
      %c32_i32 = arith.constant 32 : i32
      %c40_i32 = arith.constant 40 : i32
      %c70_i32 = arith.constant 70 : i32
      %c80_i32 = arith.constant 80 : i32
      %c240_i32 = arith.constant 240 : i32
      %c1360_i32 = arith.constant 1360 : i32
      %bytes = arith.constant 1920 : index
      %ticks = arith.constant 10000000 : index
      %false = arith.constant false
      %zero = arith.constant 0.0 : f64
      // The block's corner; its planes, in whole rounds of three.
      %block_index = gpu.block_id x
      %block = arith.index_cast %block_index : index to i32
      %bx = arith.remui %block, %c3_i32 : i32
      %byz = arith.divui %block, %c3_i32 : i32
      %by = arith.remui %byz, %c3_i32 : i32
      %bz = arith.divui %byz, %c3_i32 : i32
      %x0 = arith.muli %bx, %c32_i32 : i32
      %y0 = arith.muli %by, %c4_i32 : i32
      %z0 = arith.muli %bz, %c7_i32 : i32
      %left = arith.subi %c13_i32, %z0 : i32
      %segment = arith.minsi %left, %c7_i32 : i32
      %planes = arith.addi %segment, %c2_i32 : i32
      %more = arith.addi %planes, %c2_i32 : i32
      %rounds = arith.divui %more, %c3_i32 : i32
      %rounded = arith.muli %rounds, %c3_i32 : i32
      // The thread's two points: in the domain, in a slot, in the field.
      %thread_x = gpu.thread_id x
      %thread_y = gpu.thread_id y
      %is_x = arith.cmpi eq, %thread_x, %c0 : index
      %is_y = arith.cmpi eq, %thread_y, %c0 : index
      %first = arith.andi %is_x, %is_y : i1
      %x32 = arith.index_cast %thread_x : index to i32
      %ly = arith.index_cast %thread_y : index to i32
      %lx = arith.muli %x32, %c2_i32 : i32
      %x = arith.addi %x0, %lx : i32
      %y = arith.addi %y0, %ly : i32
      %in_x = arith.cmpi slt, %x, %c70_i32 : i32
      %in_y = arith.cmpi slt, %y, %c9_i32 : i32
      %inside = arith.andi %in_x, %in_y : i1
      %sy = arith.addi %ly, %c1_i32 : i32
      %sr = arith.muli %sy, %c40_i32 : i32
      %sx = arith.addi %lx, %c4_i32 : i32
      %own = arith.addi %sr, %sx : i32
      %fz = arith.addi %z0, %c2_i32 : i32
      %fp = arith.muli %fz, %c1360_i32 : i32
      %fy = arith.addi %y, %c4_i32 : i32
      %fr = arith.muli %fy, %c80_i32 : i32
      %fx = arith.addi %x, %c4_i32 : i32
      %fpr = arith.addi %fp, %fr : i32
      %point = arith.addi %fpr, %fx : i32
      // The first three planes.
      %memory = gpu.dynamic_shared_memory : memref<?xi8, #shared>
      %ring = memref.view %memory[%c0][] : memref<?xi8, #shared> to !ring
      %barriers = nvgpu.mbarrier.create -> !barriers
      nvgpu.mbarrier.init %barriers[%c0], %c1, predicate = %first : !barriers
      nvgpu.mbarrier.init %barriers[%c1], %c1, predicate = %first : !barriers
      nvgpu.mbarrier.init %barriers[%c2], %c1, predicate = %first : !barriers
      nvgpu.mbarrier.init %barriers[%c3], %c1, predicate = %first : !barriers
      nvvm.fence.mbarrier.init
      nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
      gpu.barrier
      %tx = arith.index_cast %x0 : i32 to index
      %ty32 = arith.addi %y0, %c3_i32 : i32
      %ty = arith.index_cast %ty32 : i32 to index
      %z = arith.addi %z0, %c3_i32 : i32
      %z_0 = arith.addi %z, %c0_i32 : i32
      %tz_0 = arith.index_cast %z_0 : i32 to index
      %at_0 = arith.constant 0 : index
      %target_0 = memref.view %memory[%at_0][] : memref<?xi8, #shared> to !plane
      nvgpu.mbarrier.arrive.expect_tx %barriers[%c0], %bytes, predicate = %first : !barriers
      nvgpu.tma.async.load %map[%tx, %ty, %tz_0], %barriers[%c0] to %target_0, predicate = %first : !map, !barriers -> !plane
      %z_1 = arith.addi %z, %c1_i32 : i32
      %tz_1 = arith.index_cast %z_1 : i32 to index
      %at_1 = arith.constant 1920 : index
      %target_1 = memref.view %memory[%at_1][] : memref<?xi8, #shared> to !plane
      nvgpu.mbarrier.arrive.expect_tx %barriers[%c1], %bytes, predicate = %first : !barriers
      nvgpu.tma.async.load %map[%tx, %ty, %tz_1], %barriers[%c1] to %target_1, predicate = %first : !map, !barriers -> !plane
      %z_2 = arith.addi %z, %c2_i32 : i32
      %tz_2 = arith.index_cast %z_2 : i32 to index
      %at_2 = arith.constant 3840 : index
      %target_2 = memref.view %memory[%at_2][] : memref<?xi8, #shared> to !plane
      nvgpu.mbarrier.arrive.expect_tx %barriers[%c2], %bytes, predicate = %first : !barriers
      nvgpu.tma.async.load %map[%tx, %ty, %tz_2], %barriers[%c2] to %target_2, predicate = %first : !map, !barriers -> !plane
      %end = arith.index_cast %rounded : i32 to index
      %last:6 = scf.for %i = %c0 to %end step %c3
          iter_args(%p0 = %zero, %p1 = %zero, %q0 = %zero, %q1 = %zero, %slot = %c0, %parity = %false)
          -> (f64, f64, f64, f64, index, i1) {
        // Phase 0: plane %i.
        %i32 = arith.index_cast %i : index to i32
        nvgpu.mbarrier.try_wait.parity %barriers[%slot], %parity, %ticks : !barriers  // phase 0
        gpu.barrier  // phase 0
        nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}  // read
        // The slot that everybody has left takes the next plane.
        %ahead0 = arith.addi %i32, %c3_i32 : i32
        %more0 = arith.cmpi slt, %ahead0, %rounded : i32
        %fetch0 = arith.andi %more0, %first : i1
        %is_zero0 = arith.cmpi eq, %slot, %c0 : index
        %minus0 = arith.subi %slot, %c1 : index
        %free0 = arith.select %is_zero0, %c3, %minus0 : index
        %tensor_z0 = arith.addi %z, %ahead0 : i32
        %tz0 = arith.index_cast %tensor_z0 : i32 to index
        %at0 = arith.muli %free0, %bytes : index
        %target0 = memref.view %memory[%at0][] : memref<?xi8, #shared> to !plane
        nvgpu.mbarrier.arrive.expect_tx %barriers[%free0], %bytes, predicate = %fetch0 : !barriers
        nvgpu.tma.async.load %map[%tx, %ty, %tz0], %barriers[%free0] to %target0, predicate = %fetch0 : !map, !barriers -> !plane
        // Five points of this plane, for two results.
        %s0 = arith.index_cast %slot : index to i32
        %o0 = arith.muli %s0, %c240_i32 : i32
        %b0 = arith.addi %o0, %own : i32
        %base0 = arith.index_cast %b0 : i32 to index
        %a_left0 = arith.addi %base0, %cm2 : index
        %a_right0 = arith.addi %base0, %c2 : index
        %a_up0 = arith.addi %base0, %cm40 : index
        %a_down0 = arith.addi %base0, %c40 : index
        %centre0 = vector.load %ring[%base0] {alignment = 16 : i64} : !ring, vector<2xf64>
        %centre0_0 = vector.extract %centre0[0] : f64 from vector<2xf64>
        %centre0_1 = vector.extract %centre0[1] : f64 from vector<2xf64>
        %left0 = vector.load %ring[%a_left0] {alignment = 16 : i64} : !ring, vector<2xf64>
        %left0_1 = vector.extract %left0[1] : f64 from vector<2xf64>
        %right0 = vector.load %ring[%a_right0] {alignment = 16 : i64} : !ring, vector<2xf64>
        %right0_0 = vector.extract %right0[0] : f64 from vector<2xf64>
        %up0 = vector.load %ring[%a_up0] {alignment = 16 : i64} : !ring, vector<2xf64>
        %up0_0 = vector.extract %up0[0] : f64 from vector<2xf64>
        %up0_1 = vector.extract %up0[1] : f64 from vector<2xf64>
        %down0 = vector.load %ring[%a_down0] {alignment = 16 : i64} : !ring, vector<2xf64>
        %down0_0 = vector.extract %down0[0] : f64 from vector<2xf64>
        %down0_1 = vector.extract %down0[1] : f64 from vector<2xf64>
        %row0_0 = arith.addf %left0_1, %centre0_1 : f64
        %column0_0 = arith.addf %up0_0, %down0_0 : f64
        %four0_0 = arith.addf %row0_0, %column0_0 : f64
        %outer0_0 = arith.mulf %w1, %centre0_0 : f64
        %done0_0 = arith.addf %p0, %outer0_0 : f64
        %inner0_0 = math.fma %w0, %centre0_0, %q0 : f64
        %mid0_0 = math.fma %w1, %four0_0, %inner0_0 : f64
        %row0_1 = arith.addf %centre0_0, %right0_0 : f64
        %column0_1 = arith.addf %up0_1, %down0_1 : f64
        %four0_1 = arith.addf %row0_1, %column0_1 : f64
        %outer0_1 = arith.mulf %w1, %centre0_1 : f64
        %done0_1 = arith.addf %p1, %outer0_1 : f64
        %inner0_1 = math.fma %w0, %centre0_1, %q1 : f64
        %mid0_1 = math.fma %w1, %four0_1, %inner0_1 : f64
        %lo0 = arith.cmpi sge, %i32, %c2_i32 : i32
        %hi0 = arith.cmpi slt, %i32, %planes : i32
        %in0 = arith.andi %lo0, %hi0 : i1
        %store0 = arith.andi %in0, %inside : i1
        scf.if %store0 {
          %plane0 = arith.muli %i32, %c1360_i32 : i32
          %out0 = arith.addi %plane0, %point : i32
          %to0 = arith.index_cast %out0 : i32 to index
          %pair0 = vector.from_elements %done0_0, %done0_1 : vector<2xf64>
          vector.store %pair0, %v[%to0] {alignment = 16 : i64} : !field, vector<2xf64>
        }
        %plus0 = arith.addi %slot, %c1 : index
        %wrap0 = arith.cmpi eq, %plus0, %c4 : index
        %slot1 = arith.select %wrap0, %c0, %plus0 : index
        %parity1 = arith.xori %parity, %wrap0 : i1
        // Phase 1: plane %i + 1.
        %i1 = arith.addi %i32, %c1_i32 : i32
        nvgpu.mbarrier.try_wait.parity %barriers[%slot1], %parity1, %ticks : !barriers  // phase 1
        gpu.barrier  // phase 1
        nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}  // read
        // The slot that everybody has left takes the next plane.
        %ahead1 = arith.addi %i1, %c3_i32 : i32
        %more1 = arith.cmpi slt, %ahead1, %rounded : i32
        %fetch1 = arith.andi %more1, %first : i1
        %is_zero1 = arith.cmpi eq, %slot1, %c0 : index
        %minus1 = arith.subi %slot1, %c1 : index
        %free1 = arith.select %is_zero1, %c3, %minus1 : index
        %tensor_z1 = arith.addi %z, %ahead1 : i32
        %tz1 = arith.index_cast %tensor_z1 : i32 to index
        %at1 = arith.muli %free1, %bytes : index
        %target1 = memref.view %memory[%at1][] : memref<?xi8, #shared> to !plane
        nvgpu.mbarrier.arrive.expect_tx %barriers[%free1], %bytes, predicate = %fetch1 : !barriers
        nvgpu.tma.async.load %map[%tx, %ty, %tz1], %barriers[%free1] to %target1, predicate = %fetch1 : !map, !barriers -> !plane
        // Five points of this plane, for two results.
        %s1 = arith.index_cast %slot1 : index to i32
        %o1 = arith.muli %s1, %c240_i32 : i32
        %b1 = arith.addi %o1, %own : i32
        %base1 = arith.index_cast %b1 : i32 to index
        %a_left1 = arith.addi %base1, %cm2 : index
        %a_right1 = arith.addi %base1, %c2 : index
        %a_up1 = arith.addi %base1, %cm40 : index
        %a_down1 = arith.addi %base1, %c40 : index
        %centre1 = vector.load %ring[%base1] {alignment = 16 : i64} : !ring, vector<2xf64>
        %centre1_0 = vector.extract %centre1[0] : f64 from vector<2xf64>
        %centre1_1 = vector.extract %centre1[1] : f64 from vector<2xf64>
        %left1 = vector.load %ring[%a_left1] {alignment = 16 : i64} : !ring, vector<2xf64>
        %left1_1 = vector.extract %left1[1] : f64 from vector<2xf64>
        %right1 = vector.load %ring[%a_right1] {alignment = 16 : i64} : !ring, vector<2xf64>
        %right1_0 = vector.extract %right1[0] : f64 from vector<2xf64>
        %up1 = vector.load %ring[%a_up1] {alignment = 16 : i64} : !ring, vector<2xf64>
        %up1_0 = vector.extract %up1[0] : f64 from vector<2xf64>
        %up1_1 = vector.extract %up1[1] : f64 from vector<2xf64>
        %down1 = vector.load %ring[%a_down1] {alignment = 16 : i64} : !ring, vector<2xf64>
        %down1_0 = vector.extract %down1[0] : f64 from vector<2xf64>
        %down1_1 = vector.extract %down1[1] : f64 from vector<2xf64>
        %row1_0 = arith.addf %left1_1, %centre1_1 : f64
        %column1_0 = arith.addf %up1_0, %down1_0 : f64
        %four1_0 = arith.addf %row1_0, %column1_0 : f64
        %outer1_0 = arith.mulf %w1, %centre1_0 : f64
        %done1_0 = arith.addf %mid0_0, %outer1_0 : f64
        %inner1_0 = math.fma %w0, %centre1_0, %outer0_0 : f64
        %mid1_0 = math.fma %w1, %four1_0, %inner1_0 : f64
        %row1_1 = arith.addf %centre1_0, %right1_0 : f64
        %column1_1 = arith.addf %up1_1, %down1_1 : f64
        %four1_1 = arith.addf %row1_1, %column1_1 : f64
        %outer1_1 = arith.mulf %w1, %centre1_1 : f64
        %done1_1 = arith.addf %mid0_1, %outer1_1 : f64
        %inner1_1 = math.fma %w0, %centre1_1, %outer0_1 : f64
        %mid1_1 = math.fma %w1, %four1_1, %inner1_1 : f64
        %lo1 = arith.cmpi sge, %i1, %c2_i32 : i32
        %hi1 = arith.cmpi slt, %i1, %planes : i32
        %in1 = arith.andi %lo1, %hi1 : i1
        %store1 = arith.andi %in1, %inside : i1
        scf.if %store1 {
          %plane1 = arith.muli %i1, %c1360_i32 : i32
          %out1 = arith.addi %plane1, %point : i32
          %to1 = arith.index_cast %out1 : i32 to index
          %pair1 = vector.from_elements %done1_0, %done1_1 : vector<2xf64>
          vector.store %pair1, %v[%to1] {alignment = 16 : i64} : !field, vector<2xf64>
        }
        %plus1 = arith.addi %slot1, %c1 : index
        %wrap1 = arith.cmpi eq, %plus1, %c4 : index
        %slot2 = arith.select %wrap1, %c0, %plus1 : index
        %parity2 = arith.xori %parity1, %wrap1 : i1
        // Phase 2: plane %i + 2.
        %i2 = arith.addi %i32, %c2_i32 : i32
        nvgpu.mbarrier.try_wait.parity %barriers[%slot2], %parity2, %ticks : !barriers  // phase 2
        gpu.barrier  // phase 2
        nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}  // read
        // The slot that everybody has left takes the next plane.
        %ahead2 = arith.addi %i2, %c3_i32 : i32
        %more2 = arith.cmpi slt, %ahead2, %rounded : i32
        %fetch2 = arith.andi %more2, %first : i1
        %is_zero2 = arith.cmpi eq, %slot2, %c0 : index
        %minus2 = arith.subi %slot2, %c1 : index
        %free2 = arith.select %is_zero2, %c3, %minus2 : index
        %tensor_z2 = arith.addi %z, %ahead2 : i32
        %tz2 = arith.index_cast %tensor_z2 : i32 to index
        %at2 = arith.muli %free2, %bytes : index
        %target2 = memref.view %memory[%at2][] : memref<?xi8, #shared> to !plane
        nvgpu.mbarrier.arrive.expect_tx %barriers[%free2], %bytes, predicate = %fetch2 : !barriers
        nvgpu.tma.async.load %map[%tx, %ty, %tz2], %barriers[%free2] to %target2, predicate = %fetch2 : !map, !barriers -> !plane
        // Five points of this plane, for two results.
        %s2 = arith.index_cast %slot2 : index to i32
        %o2 = arith.muli %s2, %c240_i32 : i32
        %b2 = arith.addi %o2, %own : i32
        %base2 = arith.index_cast %b2 : i32 to index
        %a_left2 = arith.addi %base2, %cm2 : index
        %a_right2 = arith.addi %base2, %c2 : index
        %a_up2 = arith.addi %base2, %cm40 : index
        %a_down2 = arith.addi %base2, %c40 : index
        %centre2 = vector.load %ring[%base2] {alignment = 16 : i64} : !ring, vector<2xf64>
        %centre2_0 = vector.extract %centre2[0] : f64 from vector<2xf64>
        %centre2_1 = vector.extract %centre2[1] : f64 from vector<2xf64>
        %left2 = vector.load %ring[%a_left2] {alignment = 16 : i64} : !ring, vector<2xf64>
        %left2_1 = vector.extract %left2[1] : f64 from vector<2xf64>
        %right2 = vector.load %ring[%a_right2] {alignment = 16 : i64} : !ring, vector<2xf64>
        %right2_0 = vector.extract %right2[0] : f64 from vector<2xf64>
        %up2 = vector.load %ring[%a_up2] {alignment = 16 : i64} : !ring, vector<2xf64>
        %up2_0 = vector.extract %up2[0] : f64 from vector<2xf64>
        %up2_1 = vector.extract %up2[1] : f64 from vector<2xf64>
        %down2 = vector.load %ring[%a_down2] {alignment = 16 : i64} : !ring, vector<2xf64>
        %down2_0 = vector.extract %down2[0] : f64 from vector<2xf64>
        %down2_1 = vector.extract %down2[1] : f64 from vector<2xf64>
        %row2_0 = arith.addf %left2_1, %centre2_1 : f64
        %column2_0 = arith.addf %up2_0, %down2_0 : f64
        %four2_0 = arith.addf %row2_0, %column2_0 : f64
        %outer2_0 = arith.mulf %w1, %centre2_0 : f64
        %done2_0 = arith.addf %mid1_0, %outer2_0 : f64
        %inner2_0 = math.fma %w0, %centre2_0, %outer1_0 : f64
        %mid2_0 = math.fma %w1, %four2_0, %inner2_0 : f64
        %row2_1 = arith.addf %centre2_0, %right2_0 : f64
        %column2_1 = arith.addf %up2_1, %down2_1 : f64
        %four2_1 = arith.addf %row2_1, %column2_1 : f64
        %outer2_1 = arith.mulf %w1, %centre2_1 : f64
        %done2_1 = arith.addf %mid1_1, %outer2_1 : f64
        %inner2_1 = math.fma %w0, %centre2_1, %outer1_1 : f64
        %mid2_1 = math.fma %w1, %four2_1, %inner2_1 : f64
        %lo2 = arith.cmpi sge, %i2, %c2_i32 : i32
        %hi2 = arith.cmpi slt, %i2, %planes : i32
        %in2 = arith.andi %lo2, %hi2 : i1
        %store2 = arith.andi %in2, %inside : i1
        scf.if %store2 {
          %plane2 = arith.muli %i2, %c1360_i32 : i32
          %out2 = arith.addi %plane2, %point : i32
          %to2 = arith.index_cast %out2 : i32 to index
          %pair2 = vector.from_elements %done2_0, %done2_1 : vector<2xf64>
          vector.store %pair2, %v[%to2] {alignment = 16 : i64} : !field, vector<2xf64>
        }
        %plus2 = arith.addi %slot2, %c1 : index
        %wrap2 = arith.cmpi eq, %plus2, %c4 : index
        %slot3 = arith.select %wrap2, %c0, %plus2 : index
        %parity3 = arith.xori %parity2, %wrap2 : i1
        scf.yield %mid2_0, %mid2_1, %outer2_0, %outer2_1, %slot3, %parity3 : f64, f64, f64, f64, index, i1
      }
      gpu.return
    }
  }

  // Three steps. A descriptor for each of them.
  func.func private @steps(%a: !field, %b: !field, %w0: f64, %w1: f64) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %c4 = arith.constant 4 : index
    %c6 = arith.constant 6 : index
    %c16 = arith.constant 16 : index
    %c18 = arith.constant 18 : index
    %c40 = arith.constant 40 : index
    %bytes = arith.constant 7680 : i32
    %r:2 = scf.for %i = %c0 to %c3 step %c1 iter_args(%u = %a, %v = %b) -> (!field, !field) {
      %view = memref.reinterpret_cast %u to offset: [0], sizes: [21, 17, 80], strides: [1360, 80, 1] : !field to memref<21x17x80xf64>
      %any = memref.cast %view : memref<21x17x80xf64> to memref<*xf64>
      %map = nvgpu.tma.create.descriptor %any box[%c1, %c6, %c40] : memref<*xf64> -> !map
      gpu.launch_func @kernels::@star blocks in (%c18, %c1, %c1) threads in (%c16, %c4, %c1) dynamic_shared_memory_size %bytes
          args(%map : !map, %v : !field, %w0 : f64, %w1 : f64)
      scf.yield %v, %u : !field, !field
    }
    return
  }

  // Inputs/ring-host.mlir comes here: the same point by point, and a comparison.
}

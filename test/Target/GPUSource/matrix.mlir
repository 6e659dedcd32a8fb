// Matrix instructions: mma.sync as assembly, v_mfma as clang's builtins, tables of weights.
// DEFINE: %{flags} = --schedule '#stencil.schedule<window = shared, engine = mma, block = [2, 64], points = [4, 4]>' --math reassociate
// RUN: stencil-translate %s --to-cuda --chip sm_90 %{flags} -o %t.cu
// RUN: FileCheck %s < %t.cu
// RUN: stencil-translate %s --to-hip --chip gfx942 %{flags} -o %t.hip
// RUN: FileCheck %s --check-prefix=HIP < %t.hip
// RUN: %if nvcc %{ %nvcc -arch=sm_90 -Werror all-warnings -O1 -c %t.cu -o %t.o %}
// RUN: %if hip-headers %{ %clangxx -x hip --offload-arch=gfx942 -nogpulib -nogpuinc -isystem %hip_include -D__HIP_PLATFORM_AMD__ -D__AMDGCN_WAVEFRONT_SIZE=64 -Wall -Werror -fsyntax-only %t.hip %}

// CHECK: template <typename To, typename From> __device__ inline To stencilPack(
// HIP: using StencilFour =

// A table is in global memory; of 16-bit elements, their bits.
// CHECK: __device__ const double tap_weights0[{{[0-9]+}}] = {
// CHECK: __device__ const uint16_t tap_weights0_{{[0-9]+}}[{{[0-9]+}}] = {

// Doubles are operands as they are.
// CHECK: doubles_pipeline0(
// CHECK: asm volatile("mma.sync.aligned.m16n8k4.row.col.f64.f64.f64.f64 {%0, %1, %2, %3}, {%4, %5}, {%6}, {%7, %8, %9, %10};" : "=d"({{.*}}) : "d"({{.*}}));
// HIP: doubles_pipeline0(
// HIP: const StencilFour<double> [[D:.*]] = __builtin_amdgcn_mfma_f64_16x16x4f64(stencilPack<double>({{.*}}), stencilPack<double>({{.*}}), stencilPack<StencilFour<double>>({{.*}}), 0, 0, 0);
// HIP-NEXT: double {{.*}} = [[D]][0];
!field = !stencil.field<[-1,33]x[-1,257]xf64>
!temp = !stencil.temp<?x?xf64>
func.func @doubles(%u: !field, %v: !field) {
  %t = stencil.load %u : !field -> !temp
  %r = stencil.apply(%a = %t : !temp) -> (!temp) {
    %s = stencil.weighted_sum %a offsets [[-1, 0], [0, -1], [0, 0], [0, 1], [1, 0]] weights dense<[1.0, 2.0, 3.0, 5.0, 7.0]> : tensor<5xf64> : !temp
    stencil.return %s : f64
  }
  stencil.store %r to %v(<[0, 0], [32, 256]>) : !temp to !field
  return
}

// Of 16-bit elements, two are in a register, and are read at once. What comes with an input, but is none, is masked.
// CHECK: halves_pipeline0(
// CHECK: const StencilVector<__half, 2> [[PAIR:view0_2]] = *reinterpret_cast<const StencilVector<__half, 2> *>(&view0[
// CHECK: const __half [[A:a0]][] = {[[PAIR]].at[0], [[PAIR]].at[1]};
// CHECK: asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%10, %11, %12, %13};" : "=f"({{.*}}) : "r"(stencilPack<int>({{a[0-9]+}})), "r"(stencilPack<int>({{a[0-9]+}})), "r"(stencilPack<int>([[A]]) & {{i[0-9]+}}), {{.*}}"f"(
// HIP: halves_pipeline0(
// HIP: const __half [[PAIR:a[0-9]+]][] = {[[V:.*]].at[0], [[V]].at[1]};
// HIP-NEXT: const int [[MASKED:i[0-9]+]] = stencilPack<int>([[PAIR]]) & {{.*}};
// HIP-NEXT: const int [[BITS:a[0-9]+]][] = {[[MASKED]]};
// HIP-NEXT: const StencilVector<__half, 2> [[KEPT:v[0-9]+]] = stencilPack<StencilVector<__half, 2>>([[BITS]]);
// HIP: const __half {{a[0-9]+}}[] = {{.*}}[[KEPT]].at[0], [[KEPT]].at[1]
// HIP: __builtin_amdgcn_mfma_f32_16x16x16f16(stencilPack<StencilFour<_Float16>>({{.*}}), stencilPack<StencilFour<_Float16>>({{.*}}), stencilPack<StencilFour<float>>({{.*}}), 0, 0, 0);
!half = !stencil.field<[-1,33]x[-1,257]xf16>
!any = !stencil.temp<?x?xf16>
func.func @halves(%u: !half, %v: !half) {
  %t = stencil.load %u : !half -> !any
  %r = stencil.apply(%a = %t : !any) -> (!any) {
    %s = stencil.weighted_sum %a offsets [[-1, 0], [0, -1], [0, 0], [0, 1], [1, 0]] weights dense<[1.0, 2.0, 3.0, 5.0, 7.0]> : tensor<5xf16> : !any
    stencil.return %s : f16
  }
  stencil.store %r to %v(<[0, 0], [32, 256]>) : !any to !half
  return
}

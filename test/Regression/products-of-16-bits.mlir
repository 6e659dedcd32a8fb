// Products of matrices of 16-bit elements were computed in the emulator and in CUDA C++, and had no PTX.
// DEFINE: %{entry} = halves
// DEFINE: %{flags} = --entry %{entry} --chip sm_80 --math reassociate --schedule '#stencil.schedule<window = shared, engine = mma>'
// RUN: stencil-translate %s --to-ptx %{flags} | FileCheck %s --check-prefix=HALVES
// RUN: stencil-run %s --target emulator %{flags} --arg 0=random:1 --arg 1=zeros --verify
// HALVES: mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32

// REDEFINE: %{entry} = brains
// RUN: stencil-translate %s --to-ptx %{flags} | FileCheck %s --check-prefix=BRAINS
// RUN: stencil-run %s --target emulator %{flags} --arg 0=random:1 --arg 1=zeros --verify
// BRAINS: mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32

!field = !stencil.field<[-1,130]xf16>
!out = !stencil.field<[0,128]xf16>
!temp = !stencil.temp<?xf16>
func.func @halves(%u: !field, %v: !out) {
  %t = stencil.load %u : !field -> !temp
  %r = stencil.apply(%a = %t : !temp) -> (!temp) {
    %s = stencil.weighted_sum %a offsets [[-1], [0], [1], [2]] weights dense<[1.0, 2.0, 4.0, 1.0]> : tensor<4xf16> : !temp
    stencil.return %s : f16
  }
  stencil.store %r to %v(<[0], [128]>) : !temp to !out
  return
}

!field2 = !stencil.field<[-1,130]xbf16>
!out2 = !stencil.field<[0,128]xbf16>
!temp2 = !stencil.temp<?xbf16>
func.func @brains(%u: !field2, %v: !out2) {
  %t = stencil.load %u : !field2 -> !temp2
  %r = stencil.apply(%a = %t : !temp2) -> (!temp2) {
    %s = stencil.weighted_sum %a offsets [[-1], [0], [1], [2]] weights dense<[1.0, 2.0, 4.0, 1.0]> : tensor<4xbf16> : !temp2
    stencil.return %s : bf16
  }
  stencil.store %r to %v(<[0], [128]>) : !temp2 to !out2
  return
}

// The planes that a walk begins with are waited for, also those that nobody
// reads: their slots are filled again later, and a slot's mbarrier has one
// request at a time.
// RUN: env STENCIL_EMULATOR_SEED=3 stencil-run %s --target emulator --chip sm_90 --arg 0=random:1 --arg 1=zeros --math strict --verify=0

!field = !stencil.field<[-1,10]x[0,32]xf64>
!temp = !stencil.temp<?x?xf64>

func.func @main(%u: !field, %v: !field) {
  stencil.pipeline axis 0 attributes {stencil.schedule = #stencil.schedule<block = [1, 4], points = [1, 2], stream = 0>} {
    %x = stencil.load %u : !field -> !temp
    %w = stencil.window shared %x depth 6 lead 3 prefetch tma : !temp
    %r = stencil.apply(%a = %w : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 0>} {
      %s = stencil.weighted_sum %a offsets [[-1, 0], [0, 0], [1, 0]] weights dense<0.5> : tensor<3xf64> : !temp
      stencil.return %s : f64
    }
    stencil.store %r to %v(<[0, 0], [9, 32]>) : !temp to !field
  }
  return
}

// A window that is further ahead than it is deep: of the planes that come before
// the first iteration, several are for one slot.
// RUN: env STENCIL_EMULATOR_SEED=3 stencil-run %s --target emulator --chip sm_90 --arg 0=random:1 --arg 1=zeros --math strict --verify=0 --entry async
// RUN: env STENCIL_EMULATOR_SEED=3 stencil-run %s --target emulator --chip sm_90 --arg 0=random:1 --arg 1=zeros --math strict --verify=0 --entry tma

!field = !stencil.field<[0,12]x[0,32]xf64>
!temp = !stencil.temp<?x?xf64>

func.func @async(%u: !field, %v: !field) {
  stencil.pipeline axis 0 attributes {stencil.schedule = #stencil.schedule<block = [1, 4], points = [1, 2], stream = 0>} {
    %x = stencil.load %u : !field -> !temp
    %w = stencil.window shared %x depth 2 lead 4 prefetch async : !temp
    %r = stencil.apply(%a = %w : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 0>} {
      %s = stencil.access %a[3, 0] : !temp
      stencil.return %s : f64
    }
    stencil.store %r to %v(<[0, 0], [9, 32]>) : !temp to !field
  }
  return
}

func.func @tma(%u: !field, %v: !field) {
  stencil.pipeline axis 0 attributes {stencil.schedule = #stencil.schedule<block = [1, 4], points = [1, 2], stream = 0>} {
    %x = stencil.load %u : !field -> !temp
    %w = stencil.window shared %x depth 2 lead 4 prefetch tma : !temp
    %r = stencil.apply(%a = %w : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 0>} {
      %s = stencil.access %a[3, 0] : !temp
      stencil.return %s : f64
    }
    stencil.store %r to %v(<[0, 0], [9, 32]>) : !temp to !field
  }
  return
}

// A function may have any name; a kernel that had a character of it that PTX lacks ended in an error of LLVM, or of ptxas. Kernels have
// such names in other words, which differ where theirs do.
// RUN: stencil-opt %s --stencil-to-nvvm="chip=sm_90 format=isa" | FileCheck %s --check-prefixes=KERNEL,PTX
// RUN: stencil-opt %s --stencil-to-rocdl="chip=gfx942 format=isa" | FileCheck %s --check-prefixes=KERNEL,AMD
// RUN: %if ptxas %{ stencil-opt %s --stencil-to-nvvm="chip=sm_90 format=bin" -o /dev/null %}
// PTX: .entry a$20b_apply0(
// AMD: .globl\09a$20b_apply0\0A
// KERNEL: llvm.func @"a b"(
// KERNEL: gpu.launch_func {{.*}} @"a b_kernels"::@a$20b_apply0
// PTX: .entry a$2420b_apply0(
// AMD: .globl\09a$2420b_apply0\0A
// KERNEL: gpu.launch_func {{.*}} @a$20b_kernels::@a$2420b_apply0
// PTX: .entry k$$1$2ed$c3$bc_apply0(
// AMD: .globl\09k$$1$2ed$c3$bc_apply0\0A
// KERNEL: gpu.launch_func {{.*}} @"1.d\C3\BC_kernels"::@k$$1$2ed$c3$bc_apply0
// PTX: .entry in$20regions_regions0(
// AMD: .globl\09in$20regions_regions0\0A
// KERNEL: gpu.launch_func {{.*}} @"in regions_kernels"::@in$20regions_regions0
// PTX: .entry tiles_k$2f0(
// PTX: .entry tiles_k$200(
//
// DEFINE: %{entry} =
// DEFINE: %{run} = stencil-run %s --entry %{entry} --arg 0=random:1 --arg 1=zeros --verify=0 --math strict --target emulator
// DEFINE: %{both} = %{run} --chip sm_90 && %{run} --chip gfx942
// REDEFINE: %{entry} = "a b"
// RUN: %{both}
// REDEFINE: %{entry} = 'a$20b'
// RUN: %{both}
// REDEFINE: %{entry} = 1.dü
// RUN: %{both}
// REDEFINE: %{entry} = "in regions"
// RUN: %{both}
// REDEFINE: %{entry} = tiles
// RUN: %{both}

!field = !stencil.field<[-1,65]xf64>
!temp = !stencil.temp<?xf64>

func.func @"a b"(%u: !field, %v: !field) {
  %x = stencil.load %u : !field -> !temp
  %r = stencil.apply(%a = %x : !temp) -> (!temp) {
    %0 = stencil.access %a[1] : !temp
    stencil.return %0 : f64
  }
  stencil.store %r to %v(<[0], [64]>) : !temp to !field
  return
}

func.func @a$20b(%u: !field, %v: !field) {
  %x = stencil.load %u : !field -> !temp
  %r = stencil.apply(%a = %x : !temp) -> (!temp) {
    %0 = stencil.access %a[-1] : !temp
    stencil.return %0 : f64
  }
  stencil.store %r to %v(<[0], [64]>) : !temp to !field
  return
}

func.func @"1.dü"(%u: !field, %v: !field) {
  %x = stencil.load %u : !field -> !temp
  %r = stencil.apply(%a = %x : !temp) -> (!temp) {
    %0 = stencil.access %a[0] : !temp
    stencil.return %0 : f64
  }
  stencil.store %r to %v(<[0], [64]>) : !temp to !field
  return
}

func.func @"in regions"(%u: !field, %v: !field) {
  %x = stencil.load %u : !field -> !temp
  %r = stencil.apply(%a = %x : !temp) -> (!temp) attributes {stencil.schedule = #stencil.schedule<regions = launch>} {
    %0 = stencil.access %a[1] : !temp
    stencil.return %0 : f64
  }
  %s = stencil.apply(%a = %x : !temp) -> (!temp) attributes {stencil.schedule = #stencil.schedule<regions = launch>} {
    %0 = stencil.access %a[-1] : !temp
    stencil.return %0 : f64
  }
  stencil.store %r to %v(<[0], [32]>) : !temp to !field
  stencil.store %s to %v(<[32], [64]>) : !temp to !field
  return
}

!tile = !stencil.temp<[0,32]xf64>
func.func @tiles(%u: !field, %v: !field) {
  tile.kernel @"k/0"(%a = %u : !field, %b = %v : !field) grid <domain = <[0], [32]>, block = [32], points = [1]> {
    %x = tile.source %a : !field -> !temp
    tile.where {
      %r = stencil.apply(%t = %x : !temp) -> (!tile) {
        %0 = stencil.access %t[1] : !temp
        stencil.return %0 : f64
      }
      tile.store %r to %b : !tile to !field
    }
  }
  tile.kernel @"k 0"(%a = %u : !field, %b = %v : !field) grid <domain = <[32], [64]>, block = [32], points = [1]> {
    %x = tile.source %a : !field -> !temp
    tile.where {
      %r = stencil.apply(%t = %x : !temp) -> (!tile) {
        %0 = stencil.access %t[-1] : !temp
        stencil.return %0 : f64
      }
      tile.store %r to %b : !tile to !field
    }
  }
  return
}

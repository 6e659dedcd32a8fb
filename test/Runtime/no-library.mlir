// A machine on which nothing of a driver is installed.
// REQUIRES: python, no-gpu-driver
// RUN: %exits 1 stencil-run %s --target cuda | FileCheck %s --check-prefix=CUDA
// CUDA: error: {{.*}}no CUDA driver: libcuda.so.1: cannot open shared object file: No such file or directory
// RUN: %exits 1 stencil-run %s --target hip | FileCheck %s --check-prefix=HIP
// HIP: error: {{.*}}no HIP driver: found none of libamdhip64.so.7, libamdhip64.so.6, libamdhip64.so.5, libamdhip64.so
// RUN: %exits 0 stencil-run %s --target cpu

func.func @main() {
  return
}

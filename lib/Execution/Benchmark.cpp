//===- Benchmark.cpp - How fast a program is ------------------------------===//

#include "StencilDialect/Execution/Benchmark.h"

#include <chrono>
#include <cmath>

using namespace stencil;

double Timing::getMedian() const {
  std::vector<double> sorted = seconds;
  llvm::sort(sorted);
  size_t middle = sorted.size() / 2;
  return sorted.size() % 2 ? sorted[middle]
                           : (sorted[middle - 1] + sorted[middle]) / 2;
}

double Timing::getMin() const { return *llvm::min_element(seconds); }
double Timing::getMax() const { return *llvm::max_element(seconds); }

Timing stencil::benchmark(llvm::function_ref<void()> prepare,
                          llvm::function_ref<void()> run, double warmUp,
                          unsigned repeats) {
  if (repeats == 0)
    repeats = static_cast<unsigned>(
        std::clamp(std::ceil(1.5 / std::max(warmUp, 1e-9)), 3.0, 1000.0));
  Timing timing;
  for (unsigned i = 0; i < repeats; ++i) {
    prepare();
    auto start = std::chrono::steady_clock::now();
    run();
    auto end = std::chrono::steady_clock::now();
    timing.seconds.push_back(
        std::chrono::duration<double>(end - start).count());
  }
  return timing;
}

// The hand-written side of the benchmarks. Commands:
//   inputs KERNEL EXTENTS SEED U.npy V.npy   random fields in [0, 1), halo too
//   run KERNEL U.npy V.npy STEPS REPEATS [--check U.npy V.npy]
//                                            seconds of each repeat, as JSON;
//                                            --check: compare what was left
//   triad BYTES REPEATS                      STREAM triad over three arrays
#include "npy.h"
#include "sweeps.h"

#include <chrono>
#include <cmath>
#include <functional>
#include <limits>
#include <random>

namespace {

struct Kernel {
  const char *name;
  int rank, radius;
  std::function<void(const double *, double *, const std::vector<long> &)> step;
};

template <class K> Kernel makeKernel(const char *name) {
  return {name, K::rank, K::radius,
          [](const double *u, double *v, const std::vector<long> &n) {
            if constexpr (K::rank == 1)
              sweep1d<K>(u, v, n[0]);
            else if constexpr (K::rank == 2)
              sweep2d<K>(u, v, n[0], n[1]);
            else
              sweep3d<K>(u, v, n[0], n[1], n[2]);
          }};
}

Kernel findKernel(const std::string &name) {
#define FIND(K)                                                                \
  if (name == #K)                                                              \
    return makeKernel<K>(#K);
  FOR_EACH_KERNEL(FIND)
  fail("unknown kernel '" + name + "'");
}

double now() {
  using Clock = std::chrono::steady_clock;
  return std::chrono::duration<double>(Clock::now().time_since_epoch()).count();
}

void printTimes(const std::vector<double> &seconds) {
  std::printf("{\"seconds\": [");
  for (std::size_t i = 0; i < seconds.size(); ++i)
    std::printf("%s%.9f", i ? ", " : "", seconds[i]);
  std::printf("]}\n");
}

void inputs(const Kernel &k, std::string extents, long seed, const char *u,
            const char *v) {
  Array a;
  for (const char *s = extents.c_str(); *s;) {
    char *end;
    a.shape.push_back(std::strtol(s, &end, 10) + 2 * k.radius);
    s = end + (*end == 'x');
    if (a.shape.back() <= 2 * k.radius || (*end && *end != 'x'))
      fail("expected extents such as 64x64, got '" + extents + "'");
  }
  if (int(a.shape.size()) != k.rank)
    fail("wrong number of extents for " + std::string(k.name));
  a.data = allocate(a.size());
  std::mt19937_64 random(seed);
  for (const char *path : {u, v}) {
    for (long i = 0; i < a.size(); ++i)
      a.data[i] = double(random() >> 11) * 0x1p-53;
    writeNpy(path, a);
  }
}

/// The results agree when every point is within 8 eps per step of the other:
/// weights are positive and add up to less than one, so rounding errors neither
/// grow nor cancel, and a point has at most about 8 eps of them per step.
void check(const Array &got, const char *path, int steps) {
  Array want = readNpy(path);
  if (want.shape != got.shape)
    fail(std::string(path) + ": the shapes differ");
  double worst = 0;
  for (long i = 0; i < got.size(); ++i) {
    double error =
        std::fabs(got.data[i] - want.data[i]) / std::fabs(got.data[i]);
    if (!(error <= worst))
      worst = error;
  }
  if (!(worst <= 8 * steps * std::numeric_limits<double>::epsilon()))
    fail(std::string(path) + ": the results differ by " +
         std::to_string(worst));
  std::free(want.data);
}

void run(const Kernel &k, char **args, int count) {
  Array start[2] = {readNpy(args[0]), readNpy(args[1])},
        field[2] = {start[0], start[1]};
  int steps = std::atoi(args[2]), repeats = std::atoi(args[3]);
  std::vector<long> n;
  for (long extent : start[0].shape)
    n.push_back(extent - 2 * k.radius);
  if (start[0].shape != start[1].shape || int(n.size()) != k.rank || steps < 1)
    fail("the arguments do not fit " + std::string(k.name));
  for (Array &f : field)
    f.data = allocate(f.size());
  std::vector<double> seconds;
  // One unmeasured run first.
  for (int repeat = 0; repeat <= repeats; ++repeat) {
    for (int f = 0; f < 2; ++f)
#pragma omp parallel for schedule(static)
      for (long i = 0; i < field[f].size(); ++i)
        field[f].data[i] = start[f].data[i];
    double begin = now();
    for (int step = 0; step < steps; ++step)
      k.step(field[step % 2].data, field[1 - step % 2].data, n);
    if (repeat)
      seconds.push_back(now() - begin);
  }
  if (count == 7)
    for (int f = 0; f < 2; ++f)
      check(field[f], args[5 + f], steps);
  printTimes(seconds);
}

void triad(long bytes, int repeats) {
  const long n = bytes / long(sizeof(double));
  double *__restrict a = allocate(n), *__restrict b = allocate(n),
                     *__restrict c = allocate(n);
#pragma omp parallel for schedule(static)
  for (long i = 0; i < n; ++i) {
    a[i] = 0.1 * double(i % 7);
    b[i] = 1.0 + 0.01 * double(i % 101);
    c[i] = 2.0 - 0.01 * double(i % 97);
  }
  std::vector<double> seconds;
  for (int repeat = 0; repeat <= repeats; ++repeat) {
    double begin = now();
#pragma omp parallel for simd schedule(static)
    for (long i = 0; i < n; ++i)
      a[i] = b[i] + 3.0 * c[i];
    if (repeat)
      seconds.push_back(now() - begin);
    std::swap(a, b);
  }
  printTimes(seconds);
}

} // namespace

int main(int argc, char **argv) {
  std::string command = argc > 1 ? argv[1] : "";
  if (command == "inputs" && argc == 7)
    inputs(findKernel(argv[2]), argv[3], std::atol(argv[4]), argv[5], argv[6]);
  else if (command == "run" && (argc == 7 || argc == 10) &&
           (argc == 7 || std::string(argv[7]) == "--check"))
    run(findKernel(argv[2]), argv + 3, argc - 3);
  else if (command == "triad" && argc == 4)
    triad(std::atol(argv[2]), std::atoi(argv[3]));
  else {
    std::fprintf(stderr, "usage: see the head of main.cpp\n");
    return 2;
  }
}

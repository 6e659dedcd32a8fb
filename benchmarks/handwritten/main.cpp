// The hand-written side of the benchmarks. points.h, made by benchmarks/suite,
// has the kernels. Commands:
//   inputs TYPE SHAPE SEED FILE...   random fields in [0, 1), one per file
//   run KERNEL STEPS REPEATS STORES U.npy V.npy...
//       [--check EPS point|field FILE...]
//                                    seconds of each repeat, as JSON; STORES:
//                                    plain, streaming (non-temporal); --check:
//                                    each field that is left may differ from
//                                    the one in its file by EPS epsilons of the
//                                    point's value, or of the field's largest
//   triad BYTES REPEATS              STREAM triad over three arrays, with
//                                    stores of both kinds
//   peak f32|f64 REPEATS             chains of FMAs in registers
#include "npy.h"
#include "sweeps.h"

#include "points.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <random>

namespace {

double now() {
  using Clock = std::chrono::steady_clock;
  return std::chrono::duration<double>(Clock::now().time_since_epoch()).count();
}

/// `work` is what each of them did: bytes or operations.
void printTimes(const std::vector<double> &seconds, double work = 0) {
  std::printf("{\"work\": %.17g, \"seconds\": [", work);
  for (std::size_t i = 0; i < seconds.size(); ++i)
    std::printf("%s%.9f", i ? ", " : "", seconds[i]);
  std::printf("]}\n");
}

template <class T>
void inputs(std::string text, long seed, char **paths, int count) {
  Array<T> a;
  for (const char *s = text.c_str(); *s;) {
    char *end;
    a.shape.push_back(std::strtol(s, &end, 10));
    s = end + (*end == 'x');
    if (a.shape.back() <= 0 || (*end && *end != 'x'))
      fail("expected a shape such as 64x64, got '" + text + "'");
  }
  a.data = allocate<T>(a.size());
  std::mt19937_64 random(seed);
  for (int f = 0; f < count; ++f) {
    for (long i = 0; i < a.size(); ++i)
      a.data[i] = sizeof(T) == 8 ? T(double(random() >> 11) * 0x1p-53)
                                 : T(float(random() >> 40) * 0x1p-24f);
    writeNpy(paths[f], a);
  }
}

template <class T>
void check(const Array<T> &got, const char *path, double bound, bool byPoint) {
  Array<T> want = readNpy<T>(path);
  if (want.shape != got.shape)
    fail(std::string(path) + ": the shapes differ");
  double largest = 0, worst = 0;
  for (long i = 0; i < got.size(); ++i)
    largest = std::max(largest, std::fabs(double(got.data[i])));
  for (long i = 0; i < got.size(); ++i) {
    double scale = byPoint ? std::fabs(double(got.data[i])) : largest;
    double difference = std::fabs(double(got.data[i]) - double(want.data[i]));
    double error = difference == 0 ? 0 : difference / scale;
    if (!(error <= worst))
      worst = error;
  }
  worst /= std::numeric_limits<T>::epsilon();
  if (!(worst <= bound))
    fail(std::string(path) + ": the results differ by " +
         std::to_string(worst) + " epsilons, expected at most " +
         std::to_string(bound));
  std::free(want.data);
}

/// One step of kernel K on its fields.
template <class K, Stores stores, class T = typename K::T>
void step(std::vector<T *> &f, const std::vector<long> &n, int index) {
  if constexpr (K::fields > 2) {
    T *const *half = f.data() + K::fields / 2;
    if (index % 2)
      K::step(half, f.data(), n.data());
    else
      K::step(f.data(), half, n.data());
  } else {
    const T *u = f[index % 2];
    T *v = f[1 - index % 2];
    if constexpr (K::isLong)
      sweepLong<K>(u, v, n.data());
    else if constexpr (K::rank == 1)
      sweep1d<K, stores>(u, v, n.data());
    else if constexpr (K::rank == 2)
      sweep2d<K, stores>(u, v, n.data());
    else
      sweep3d<K, stores>(u, v, n.data());
  }
}

template <class K, Stores stores, class T = typename K::T>
void run(int steps, int repeats, char **args, int count) {
  std::vector<Array<T>> start;
  std::vector<T *> field;
  if (count < K::fields)
    fail("expected " + std::to_string(K::fields) + " fields");
  for (int f = 0; f < K::fields; ++f) {
    start.push_back(readNpy<T>(args[f]));
    field.push_back(allocate<T>(start[f].size()));
    if (start[f].shape != start[0].shape ||
        int(start[f].shape.size()) != K::rank)
      fail(std::string(args[f]) + ": does not fit the kernel");
  }
  std::vector<long> n;
  for (long extent : start[0].shape)
    n.push_back(extent - 2 * K::radius);
  std::vector<double> seconds;
  // One unmeasured run first.
  for (int repeat = 0; repeat <= repeats; ++repeat) {
    for (int f = 0; f < K::fields; ++f)
#pragma omp parallel for schedule(static)
      for (long i = 0; i < start[f].size(); ++i)
        field[f][i] = start[f].data[i];
    double begin = now();
    for (int index = 0; index < steps; ++index)
      step<K, stores>(field, n, index);
    if (repeat)
      seconds.push_back(now() - begin);
  }
  char **rest = args + K::fields;
  if (count == 2 * K::fields + 3 && std::string(rest[0]) == "--check")
    for (int f = 0; f < K::fields; ++f)
      check(Array<T>{start[f].shape, field[f]}, rest[3 + f], std::atof(rest[1]),
            std::string(rest[2]) == "point");
  else if (count != K::fields)
    fail("expected --check EPS point|field and as many files as fields");
  printTimes(seconds);
}

void runKernel(const std::string &name, int steps, int repeats,
               const std::string &stores, char **args, int count) {
  if (stores != "plain" && stores != "streaming")
    fail("expected 'plain' or 'streaming', got '" + stores + "'");
  if (steps < 1 || repeats < 1)
    fail("expected positive numbers of steps and repeats");
#define RUN(K)                                                                 \
  if (name == #K)                                                              \
    return stores == "plain"                                                   \
               ? run<K, Stores::Plain>(steps, repeats, args, count)            \
               : run<K, Stores::Streaming>(steps, repeats, args, count);
  FOR_EACH_KERNEL(RUN)
  fail("unknown kernel '" + name + "'");
}

/// Each repeat twice: stored plainly, and around the caches.
void triad(long bytes, int repeats) {
  constexpr long width = 8;
  using Vector = double __attribute__((vector_size(width * sizeof(double))));
  const long n = bytes / long(sizeof(double)) / width * width;
  double *__restrict a = allocate<double>(n),
                     *__restrict b = allocate<double>(n),
                     *__restrict c = allocate<double>(n);
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
    begin = now();
#pragma omp parallel for schedule(static)
    for (long i = 0; i < n; i += width)
      __builtin_nontemporal_store(
          *reinterpret_cast<const Vector *>(a + i) +
              3.0 * *reinterpret_cast<const Vector *>(c + i),
          reinterpret_cast<Vector *>(b + i));
    if (repeat)
      seconds.push_back(now() - begin);
  }
  printTimes(seconds, 3.0 * double(n) * sizeof(double));
}

/// Enough independent chains of vectors to hide the latency of an FMA, and few
/// enough to stay in the registers.
template <class T> void peak(int repeats) {
  constexpr long rounds = 4000000;
#ifdef __AVX512F__
  constexpr int width = 64 / sizeof(T), chains = 16;
#else
  constexpr int width = 32 / sizeof(T), chains = 12;
#endif
  typedef T Vector __attribute__((vector_size(width * sizeof(T))));
  std::vector<double> seconds;
  double sink = 0;
  int threads = 0;
  for (int repeat = 0; repeat <= repeats; ++repeat) {
    double begin = now();
#pragma omp parallel reduction(+ : sink, threads)
    {
      Vector x[chains], factor = Vector{} + T(0.999), term = Vector{} + T(1e-3);
      for (int i = 0; i < chains; ++i)
        x[i] = Vector{} + T(i);
      for (long k = 0; k < rounds; ++k)
#pragma clang loop unroll(full)
        for (int i = 0; i < chains; ++i)
          x[i] = x[i] * factor + term;
      for (int i = 0; i < chains; ++i)
        sink += double(x[i][0]);
      threads += repeat == 0;
    }
    if (repeat)
      seconds.push_back(now() - begin);
  }
  // The sum is used, so that nobody leaves it out.
  printTimes(seconds, sink == 0 ? 0 : 2.0 * rounds * chains * width * threads);
}

} // namespace

int main(int argc, char **argv) {
  std::string command = argc > 1 ? argv[1] : "";
  std::string type = argc > 2 ? argv[2] : "";
  bool isDouble = type == "f64", isTyped = isDouble || type == "f32";
  if (command == "inputs" && argc > 5 && isTyped)
    (isDouble ? inputs<double> : inputs<float>)(argv[3], std::atol(argv[4]),
                                                argv + 5, argc - 5);
  else if (command == "run" && argc > 6)
    runKernel(argv[2], std::atoi(argv[3]), std::atoi(argv[4]), argv[5],
              argv + 6, argc - 6);
  else if (command == "triad" && argc == 4)
    triad(std::atol(argv[2]), std::atoi(argv[3]));
  else if (command == "peak" && argc == 4 && isTyped)
    (isDouble ? peak<double> : peak<float>)(std::atoi(argv[3]));
  else {
    std::fprintf(stderr, "usage: see the head of main.cpp\n");
    return 2;
  }
}

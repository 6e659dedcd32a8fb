// What measures a code beside ours: fields from files, in the code's own
// layout; seconds of each call; every point of the result compared.
//
// A code has `using T`, `put(f, data)` and `get(f, data)`, which copy field f
// of the program (0, 1) from and to an array of full extents, and `run(steps)`.
#pragma once
#include "npy.h"

#include <chrono>
#include <cmath>
#include <limits>

/// Rows of planes; of a plane, planes is 1 and has no halo. `pitch` elements
/// from row to row, all of which begin at one place of a cache line, and one
/// row more for wide halos, as planes of whole pages share lines of the caches.
template <class T> struct PaddedField {
  static constexpr long offset = 64 / sizeof(T);
  long planes, rows, columns, planeHalo, halo;
  T *data = nullptr;

  long pitch() const { return columns + 2 * offset; }
  long plane() const {
    return pitch() * (rows + 2 * halo + (planes > 1 && halo == 4));
  }
  long size() const { return plane() * (planes + 2 * planeHalo); }
  /// The first point inside the halo of a row, counted with the halo.
  T *row(long z, long y) const {
    return data + z * plane() + y * pitch() + offset;
  }

  template <bool in> void copy(T *full) const {
    const long length = columns + 2 * halo, count = rows + 2 * halo;
#pragma omp parallel for collapse(2) schedule(static)
    for (long z = 0; z < planes + 2 * planeHalo; ++z)
      for (long y = 0; y < count; ++y) {
        T *mine = row(z, y) - halo, *its = full + (z * count + y) * length;
        for (long x = 0; x < length; ++x)
          (in ? mine : its)[x] = (in ? its : mine)[x];
      }
  }
};

/// Greatest relative difference of two arrays, in epsilons.
template <class T> double difference(const Array<T> &a, const Array<T> &b) {
  double worst = 0;
#pragma omp parallel for reduction(max : worst)
  for (long i = 0; i < a.size(); ++i) {
    double error = std::fabs(double(a.data[i]) - double(b.data[i])) /
                   std::fmax(std::fabs(double(b.data[i])), 1e-300);
    // What is no number differs from everything.
    worst = std::fmax(worst, error == error ? error : HUGE_VAL);
  }
  return worst / std::numeric_limits<T>::epsilon();
}

template <class T> double compare(const char *got, const char *want) {
  Array<T> a = readNpy<T>(got), b = readNpy<T>(want);
  if (a.shape != b.shape)
    fail(std::string(got) + ": the shapes differ");
  return difference(a, b);
}

/// STEPS REPEATS U.npy V.npy [check FILE | out FILE]: prints seconds, and by
/// how many epsilons the result differs.
template <class Code> int measure(Code &code, int argc, char **argv) {
  using T = typename Code::T;
  if (argc != 4 && argc != 6)
    fail("expected STEPS REPEATS U V [check FILE | out FILE]");
  const int steps = std::atoi(argv[0]), repeats = std::atoi(argv[1]);
  Array<T> start[2] = {readNpy<T>(argv[2]), readNpy<T>(argv[3])};
  std::printf("{\"seconds\": [");
  for (int repeat = 0; repeat < repeats; ++repeat) {
    for (int f = 0; f < 2; ++f)
      code.put(f, start[f].data);
    auto begin = std::chrono::steady_clock::now();
    code.run(steps);
    std::chrono::duration<double> taken =
        std::chrono::steady_clock::now() - begin;
    std::printf("%s%.9f", repeat ? ", " : "", taken.count());
  }
  std::printf("]");
  if (argc == 6) {
    code.get(steps % 2, start[0].data);
    if (std::string(argv[4]) == "out") {
      writeNpy(argv[5], start[0]);
    } else {
      Array<T> want = readNpy<T>(argv[5]);
      if (want.shape != start[0].shape)
        fail(std::string(argv[5]) + ": the shapes differ");
      std::printf(", \"epsilons\": %.3g", difference(start[0], want));
    }
  }
  std::printf("}\n");
  return 0;
}

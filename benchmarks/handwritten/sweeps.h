// One step of a kernel over the interior of `src` into `dst`: the loops that a
// careful HPC programmer writes. Arrays are row-major, x (the last axis) is
// contiguous, extents n are interior, the halo is as wide as the radius.
//
// A kernel is a class with T (float or double), rank, radius, and either
//   at(p, y, z)     the value at a point; y and z: a row and a plane further
//   taps, weights   a sum over a row that is too long to be written out
#pragma once
#include <cmath>
#include <cstddef>

using Stride = std::ptrdiff_t;

template <class K, class T = typename K::T>
void sweep1d(const T *__restrict src, T *__restrict dst, const long *n) {
  const T *__restrict p = src + K::radius;
  T *__restrict q = dst + K::radius;
#pragma omp parallel for simd schedule(static)
  for (long x = 0; x < n[0]; ++x)
    q[x] = K::at(p + x, 0, 0);
}

template <class K, class T = typename K::T>
void sweep2d(const T *__restrict src, T *__restrict dst, const long *n) {
  const int r = K::radius;
  const Stride sy = n[1] + 2 * r;
#pragma omp parallel for schedule(static)
  for (long y = 0; y < n[0]; ++y) {
    const T *__restrict p = src + (y + r) * sy + r;
    T *__restrict q = dst + (y + r) * sy + r;
#pragma omp simd
    for (long x = 0; x < n[1]; ++x)
      q[x] = K::at(p + x, sy, 0);
  }
}

// Blocks of 8 to 128 rows, walked plane by plane, were tried for every kernel:
// they cost 0 to 30 % where the caches hold the 2r + 1 planes, as they do here.
template <class K, class T = typename K::T>
void sweep3d(const T *__restrict src, T *__restrict dst, const long *n) {
  const int r = K::radius;
  const Stride sy = n[2] + 2 * r, sz = sy * (n[1] + 2 * r);
#pragma omp parallel for collapse(2) schedule(static)
  for (long z = 0; z < n[0]; ++z)
    for (long y = 0; y < n[1]; ++y) {
      const Stride row = (z + r) * sz + (y + r) * sy + r;
      const T *__restrict p = src + row;
      T *__restrict q = dst + row;
#pragma omp simd
      for (long x = 0; x < n[2]; ++x)
        q[x] = K::at(p + x, sy, sz);
    }
}

/// A long sum along the row. The sums of a block of points stay in registers
/// while the taps go by; each tap is one broadcast weight and unaligned loads.
template <class K, class T = typename K::T>
void sweepLong(const T *__restrict src, T *__restrict dst, const long *n) {
  // Eight vectors of 64 bytes, or sixteen of 32.
  constexpr long block = 512 / sizeof(T);
  T *__restrict q = dst + K::radius;
#pragma omp parallel for schedule(static)
  for (long x = 0; x < n[0]; x += block) {
    if (x + block > n[0]) {
      for (long i = x; i < n[0]; ++i) {
        T sum = 0;
        for (int j = 0; j < K::taps; ++j)
          sum += K::weights[j] * src[i + j];
        q[i] = sum;
      }
      continue;
    }
    T sum[block] = {};
    for (int j = 0; j < K::taps; ++j)
#pragma omp simd
      for (long i = 0; i < block; ++i)
        sum[i] += K::weights[j] * src[x + i + j];
    for (long i = 0; i < block; ++i)
      q[x + i] = sum[i];
  }
}

/// Periodic halo of a 3D field, axis after axis.
template <int r, class T> void fillPeriodic3d(T *f, const long *n) {
  const Stride sy = n[2] + 2 * r, sz = sy * (n[1] + 2 * r);
#pragma omp parallel
  {
    for (int layer = 0; layer < 2 * r; ++layer) {
      const long from = layer < r ? n[0] + layer : layer;
      const long to = layer < r ? layer : n[0] + layer;
#pragma omp for
      for (long y = r; y < n[1] + r; ++y)
        for (long x = r; x < n[2] + r; ++x)
          f[to * sz + y * sy + x] = f[from * sz + y * sy + x];
    }
#pragma omp for
    for (long z = 0; z < n[0] + 2 * r; ++z) {
      for (int layer = 0; layer < 2 * r; ++layer) {
        const long from = layer < r ? n[1] + layer : layer;
        const long to = layer < r ? layer : n[1] + layer;
        for (long x = r; x < n[2] + r; ++x)
          f[z * sz + to * sy + x] = f[z * sz + from * sy + x];
      }
      for (long y = 0; y < n[1] + 2 * r; ++y) {
        T *row = f + z * sz + y * sy;
        for (int i = 0; i < r; ++i) {
          row[i] = row[n[2] + i];
          row[n[2] + r + i] = row[r + i];
        }
      }
    }
  }
}

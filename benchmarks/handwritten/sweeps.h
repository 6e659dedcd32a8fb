// One step of a kernel over the interior of `src` into `dst`: the loops that a
// careful HPC programmer writes. Arrays are row-major, x (the last axis) is
// contiguous, extents n are interior, the halo is as wide as the radius.
//
// A kernel is a class with T (float or double), rank, radius, and either
//   at(p, y, z)     the value at a point; y and z: a row and a plane further
//   taps, weights   a sum over a row that is too long to be written out
//
// Each sweep stores plainly, or around the caches (non-temporal stores), which
// saves the read of the lines that are overwritten and pays for large fields.
// Both are timed, and the faster counts.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#if defined(__x86_64__) && !defined(__clang__)
#include <immintrin.h>
#endif

using Stride = std::ptrdiff_t;

enum class Stores { Plain, Streaming };

/// The points of a row from 0 to n. Non-temporal stores are whole aligned
/// vectors: what is before the first and behind the last is stored plainly.
template <class K, Stores stores, class T = typename K::T>
[[gnu::always_inline]] inline void row(const T *__restrict p, T *__restrict q,
                                       long n, Stride sy, Stride sz) {
  long x = 0;
#if defined(__x86_64__)
  if constexpr (stores == Stores::Streaming) {
#ifdef __AVX512F__
    constexpr long bytes = 64;
#else
    constexpr long bytes = 32;
#endif
    constexpr long lanes = bytes / long(sizeof(T));
    typedef T Vector __attribute__((vector_size(bytes)));
    const long head =
        long(-reinterpret_cast<std::uintptr_t>(q) % bytes) / long(sizeof(T));
    for (const long end = std::min(n, head); x < end; ++x)
      q[x] = K::at(p + x, sy, sz);
    for (; x + lanes <= n; x += lanes) {
      alignas(bytes) T values[lanes];
#pragma omp simd
      for (long i = 0; i < lanes; ++i)
        values[i] = K::at(p + x + i, sy, sz);
#if defined(__clang__)
      __builtin_nontemporal_store(*reinterpret_cast<Vector *>(values),
                                  reinterpret_cast<Vector *>(q + x));
#elif defined(__AVX512F__)
      _mm512_stream_si512(reinterpret_cast<__m512i *>(q + x),
                          *reinterpret_cast<__m512i *>(values));
#else
      _mm256_stream_si256(reinterpret_cast<__m256i *>(q + x),
                          *reinterpret_cast<__m256i *>(values));
#endif
    }
  }
#endif
#pragma omp simd
  for (long i = x; i < n; ++i)
    q[i] = K::at(p + i, sy, sz);
}

/// Non-temporal stores become visible to other threads.
template <Stores stores> void finish() {
#if defined(__x86_64__)
  if constexpr (stores == Stores::Streaming)
    __builtin_ia32_sfence();
#endif
}

template <class K, Stores stores, class T = typename K::T>
void sweep1d(const T *__restrict src, T *__restrict dst, const long *n) {
  const T *__restrict p = src + K::radius;
  T *__restrict q = dst + K::radius;
  // Blocks that one thread takes at a time; a vector's worth divides them.
  constexpr long block = 1 << 14;
#pragma omp parallel
  {
#pragma omp for schedule(static) nowait
    for (long x = 0; x < n[0]; x += block)
      row<K, stores>(p + x, q + x, std::min(block, n[0] - x), 0, 0);
    finish<stores>();
  }
}

template <class K, Stores stores, class T = typename K::T>
void sweep2d(const T *__restrict src, T *__restrict dst, const long *n) {
  const int r = K::radius;
  const Stride sy = n[1] + 2 * r;
#pragma omp parallel
  {
#pragma omp for schedule(static) nowait
    for (long y = 0; y < n[0]; ++y) {
      const Stride at = (y + r) * sy + r;
      row<K, stores>(src + at, dst + at, n[1], sy, 0);
    }
    finish<stores>();
  }
}

// Blocks of 8 to 128 rows, walked plane by plane, were tried for every kernel:
// they cost 0 to 30 % where the caches hold the 2r + 1 planes, as they do here.
template <class K, Stores stores, class T = typename K::T>
void sweep3d(const T *__restrict src, T *__restrict dst, const long *n) {
  const int r = K::radius;
  const Stride sy = n[2] + 2 * r, sz = sy * (n[1] + 2 * r);
#pragma omp parallel
  {
#pragma omp for collapse(2) schedule(static) nowait
    for (long z = 0; z < n[0]; ++z)
      for (long y = 0; y < n[1]; ++y) {
        const Stride at = (z + r) * sz + (y + r) * sy + r;
        row<K, stores>(src + at, dst + at, n[2], sy, sz);
      }
    finish<stores>();
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

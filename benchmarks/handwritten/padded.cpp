// Loops by hand over padded rows, one kernel (KERNEL of points.h) and its
// extents (PLANES, ROWS, COLUMNS; a plane has one plane) per program:
//   plain | streaming STEPS REPEATS ...   one step per sweep, volumes in blocks
//   HEIGHT,WIDTH STEPS REPEATS ...        diamonds in time and the first axis
//   compare GOT WANT                      two files, in epsilons
#include "peers.h"
#include "sweeps.h"

#include "points.h"

namespace {

using K = KERNEL;
constexpr int r = K::radius;
constexpr bool isPlane = K::rank == 2;

struct Hand {
  using T = K::T;
  PaddedField<T> field[2];
  bool streams = false;
  /// Half of a diamond's steps, and rows (of planes: columns) of its tiles; 0:
  /// one step per sweep.
  long height = 0, width = 0;

  Hand() {
    field[0] = field[1] = {PLANES, ROWS, COLUMNS, isPlane ? 0 : r, r};
    T *data = allocate<T>(2 * field[0].size());
    for (int f = 0; f < 2; ++f)
      field[f].data = data + f * field[0].size();
  }
  void put(int f, T *full) { field[f].copy<true>(full); }
  void get(int f, T *full) { field[f].copy<false>(full); }

  /// Columns `first` to `last` of a row.
  template <Stores stores>
  void computeRow(long t, long z, long y, long first, long last) const {
    const auto &from = field[t % 2], &to = field[(t + 1) % 2];
    const long plane = isPlane ? 0 : z + r;
    row<K, stores>(from.row(plane, y + r) + first, to.row(plane, y + r) + first,
                   last - first, from.pitch(), from.plane());
  }

  template <Stores stores> void sweep(long t) const {
    constexpr long block = isPlane ? 1 : 32;
#pragma omp for collapse(2) schedule(static) nowait
    for (long zb = 0; zb < PLANES; zb += block)
      for (long yb = 0; yb < ROWS; yb += block)
        for (long z = zb; z < std::min<long>(zb + block, PLANES); ++z)
          for (long y = yb; y < std::min<long>(yb + block, ROWS); ++y)
            computeRow<stores>(t, z, y, 0, COLUMNS);
    finish<stores>();
#pragma omp barrier
  }

  /// A step of a tile: what it is moved to along both axes, within the grid.
  void stepTile(long t, long first, long last, long left, long right) const {
    constexpr long second = isPlane ? COLUMNS : ROWS;
    constexpr long extent = isPlane ? ROWS : PLANES;
    first = std::max(first, 0L), last = std::min(last, extent);
    left = std::max(left, 0L), right = std::min(right, second);
    if (left >= right)
      return;
    for (long i = first; i < last; ++i)
      if constexpr (isPlane)
        computeRow<Stores::Plain>(t, 0, i, left, right);
      else
        for (long j = left; j < right; ++j)
          computeRow<Stores::Plain>(t, i, j, 0, COLUMNS);
  }

  void diamonds(long steps) const {
    constexpr long extent = isPlane ? ROWS : PLANES;
    constexpr long second = isPlane ? COLUMNS : ROWS;
    // Columns move by whole lines.
    constexpr long skew = isPlane ? 64 / long(sizeof(T)) : r;
    const long span = 2 * r * height, count = (extent + span - 1) / span;
#pragma omp parallel
    for (long band = 0; band <= (steps + height - 1) / height; ++band) {
      const long start = (band - 1) * height;
      const long begin = std::max(start, 0L);
      const long end = std::min(start + 2 * height, steps);
#pragma omp for schedule(dynamic, 1)
      for (long b = 0; b <= count; ++b) {
        const long centre = b * span + (band % 2 ? span / 2 : 0);
        for (long at = 0; at < second + skew * (end - begin); at += width)
          for (long t = begin; t < end; ++t) {
            const long s = t - start;
            const long half = s < height ? r * s : span / 2 - r * (s - height);
            const long left = at - skew * (t - begin);
            stepTile(t, centre - half, centre + half, left, left + width);
          }
      }
    }
  }

  void run(int steps) {
    if (height)
      return diamonds(steps);
#pragma omp parallel
    for (int t = 0; t < steps; ++t)
      if (streams)
        sweep<Stores::Streaming>(t);
      else
        sweep<Stores::Plain>(t);
  }
};

} // namespace

int main(int argc, char **argv) {
  const std::string form = argc > 1 ? argv[1] : "";
  if (form == "compare" && argc == 4) {
    std::printf("%.3g\n", compare<K::T>(argv[2], argv[3]));
    return 0;
  }
  Hand hand;
  hand.streams = form == "streaming";
  if (std::size_t comma = form.find(','); comma != std::string::npos) {
    hand.height = std::atol(form.c_str());
    hand.width = std::atol(form.c_str() + comma + 1);
  }
  if (hand.height ? hand.width <= 0 : form != "plain" && !hand.streams)
    fail("expected 'plain', 'streaming' or HEIGHT,WIDTH, got '" + form + "'");
  return measure(hand, argc - 2, argv + 2);
}

// Measures what PLuTo has made of a kernel: `steps_of_pluto` computes its
// steps in two static fields, which are padded as those of the loops by hand.
#include "peers.h"

extern "C" {
/// Of field 0; field 1 is behind it.
ELEMENT *fields_of_pluto(void);
void steps_of_pluto(void);
}

namespace {

struct Pluto {
  using T = ELEMENT;
  PaddedField<T> field[2];

  Pluto() {
    field[0] =
        field[1] = {PLANES, ROWS, COLUMNS, PLANES > 1 ? RADIUS : 0, RADIUS};
    T *fields = fields_of_pluto();
    madvise(fields, 2 * field[0].size() * sizeof(T), MADV_HUGEPAGE);
    for (int f = 0; f < 2; ++f)
      field[f].data = fields + f * field[0].size();
  }
  void put(int f, T *full) { field[f].copy<true>(full); }
  void get(int f, T *full) { field[f].copy<false>(full); }
  void run(int) { steps_of_pluto(); }
};

} // namespace

int main(int argc, char **argv) {
  Pluto pluto;
  return measure(pluto, argc - 1, argv + 1);
}

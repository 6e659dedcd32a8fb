// Calls both programs on each target; the extents are known, so `u` brings
// none.
#include "two.h"

#include <cstdio>
#include <initializer_list>

static void report(int32_t code, const char *message) {
  std::printf("%d: %s\n", static_cast<int>(code), message);
}

int main() {
  stencilSetErrorHandler(report);
  std::printf("auto: %s\n", two_target_name(two_selected_target()));
  for (int32_t target : {TWO_TARGET_CPU, TWO_TARGET_EMULATOR_GFX942}) {
    const float u[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    float v[6] = {}, w[6] = {}, x[7] = {};
    two_select_target(target);
    if (scale(u, v, 6, 10) != STENCIL_OK || shift(u, w, 6) != STENCIL_OK)
      return 1;
    std::printf("%s: %g %g, %g %g\n", two_target_name(target), v[0], v[5], w[0],
                w[5]);
    std::printf("other extent: %d\n", static_cast<int>(shift(u, x, 7)));
    std::printf("in place: %d\n", static_cast<int>(scale(v, v + 1, 6, 1)));
    std::printf("null: %d\n", static_cast<int>(shift(u, nullptr, 6)));
  }
}

/* Heat spreads in a plate with a hot square: calls the library heat.
 *
 *   plate ROWS COLUMNS STEPS [TARGET]
 *
 * TARGET is cpu, sm_90, ...: without it the library takes what is at hand.
 */
#include "heat.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void report(int32_t code, const char *message) {
  fprintf(stderr, "plate: %s: %s\n", stencilErrorText(code), message);
}

static int32_t find_target(const char *name) {
  int32_t target = 0;
  while (heat_target_name(target) &&
         strcmp(heat_target_name(target), name) != 0)
    ++target;
  return target; /* A number that is no target if there is none. */
}

static int32_t run(double *u, double *v, int64_t n0, int64_t n1,
                   int64_t steps) {
  double before, after;
  int32_t code = heat_total(u, n0, n1, &before);
  for (int64_t step = 0; step < steps && code == STENCIL_OK; ++step) {
    double *const old = u;
    code = heat_step(u, n0, n1, v, n0, n1, 0.2);
    u = v;
    v = old;
  }
  if (code == STENCIL_OK)
    code = heat_total(u, n0, n1, &after);
  if (code == STENCIL_OK)
    printf("%s: heat before %.6g, after %.6g\n",
           heat_target_name(heat_selected_target()), before, after);
  return code;
}

int main(int argc, char **argv) {
  if (argc < 4 || argc > 5) {
    fprintf(stderr, "usage: %s ROWS COLUMNS STEPS [TARGET]\n", argv[0]);
    return 2;
  }
  stencilSetErrorHandler(report);
  if (argc > 4 && heat_select_target(find_target(argv[4])) != STENCIL_OK)
    return 2;
  /* One cell of halo on each side. */
  const int64_t n0 = atol(argv[1]) + 2, n1 = atol(argv[2]) + 2;
  const int64_t steps = atol(argv[3]);
  if (n0 < 3 || n1 < 3 || steps < 0) {
    fprintf(stderr,
            "plate: expected at least one row, one column and 0 steps\n");
    return 2;
  }
  const size_t count = (size_t)n0 * (size_t)n1;
  double *u = (double *)calloc(count, sizeof(double));
  double *v = (double *)calloc(count, sizeof(double));
  if (!u || !v) {
    fprintf(stderr, "plate: out of memory\n");
    return 1;
  }
  for (int64_t i = n0 / 3; i < n0 / 2; ++i)
    for (int64_t j = n1 / 3; j < n1 / 2; ++j)
      u[i * n1 + j] = 100;
  const int32_t code = run(u, v, n0, n1, steps);
  free(u);
  free(v);
  return code != STENCIL_OK;
}

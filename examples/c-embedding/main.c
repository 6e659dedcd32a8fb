/* Calls a compiled stencil program from C: heat spreads in a plate with a hot
 * square. build.sh makes heat2d.h and heat2d.o of examples/heat2d.mlir.
 *
 *   embedding ROWS COLUMNS STEPS BEFORE.raw AFTER.raw
 *
 * The states, halo included, are written as raw doubles in row-major order.
 */
#include "heat2d.h"

#include <stdio.h>
#include <stdlib.h>

static int write_state(const char *path, const double *state, size_t count) {
  FILE *file = fopen(path, "wb");
  if (!file || fwrite(state, sizeof(double), count, file) != count) {
    perror(path);
    if (file)
      fclose(file);
    return 1;
  }
  return fclose(file) != 0;
}

int main(int argc, char **argv) {
  if (argc != 6) {
    fprintf(stderr, "usage: %s ROWS COLUMNS STEPS BEFORE.raw AFTER.raw\n",
            argv[0]);
    return 2;
  }
  /* One cell of halo on each side. */
  const int64_t n0 = atol(argv[1]) + 2, n1 = atol(argv[2]) + 2;
  const int64_t steps = atol(argv[3]);
  if (n0 < 3 || n1 < 3 || steps < 0) {
    fprintf(stderr, "error: expected at least one row, column and no less than "
                    "0 steps\n");
    return 2;
  }
  const size_t count = (size_t)n0 * (size_t)n1;
  /* Any memory will do; aligned to 64 bytes is fastest. */
  double *u = (double *)calloc(count, sizeof(double));
  double *v = (double *)calloc(count, sizeof(double));
  if (!u || !v) {
    fprintf(stderr, "error: out of memory\n");
    return 1;
  }
  for (int64_t i = 0; i < n0; ++i)
    for (int64_t j = 0; j < n1; ++j)
      u[i * n1 + j] = i > n0 / 3 && i < n0 / 2 && j > n1 / 4 && j < n1 / 2
                          ? 95.0
                          : 20.0 + 0.01 * (double)j;
  int failed = write_state(argv[4], u, count);

  /* An error has been printed; stencilSetErrorHandler would change that. */
  if (heat2d(u, n0, n1, v, n0, n1, steps) == STENCIL_OK)
    /* The program swaps its two fields in every step. */
    failed |= write_state(argv[5], steps % 2 ? v : u, count);
  else
    failed = 1;
  free(u);
  free(v);
  return failed;
}

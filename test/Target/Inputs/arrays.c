/* Calls heat2d with arrays that it takes, and with others. */
#include "heat2d.h"

#include <stdio.h>

static const char *what;

static void report(int32_t code, const char *message) {
  (void)code;
  printf("%s: %s\n", what, message);
}

static double u[400], v[400];

static void call(const char *name, double *start, int64_t offset,
                 const int64_t *sizes, int64_t stride0, int64_t stride1) {
  struct stencil_array_2d a = {u, u, 0, {sizes[0], sizes[1]}, {sizes[1], 1}};
  struct stencil_array_2d b = {
      start, start, offset, {sizes[0], sizes[1]}, {stride0, stride1}};
  what = name;
  /* Where the first argument is the odd one, it is checked first. */
  if (offset || !start)
    printf("%s: %d\n", name, (int)_mlir_ciface_heat2d(&b, &a, 1));
  else
    printf("%s: %d\n", name, (int)_mlir_ciface_heat2d(&a, &b, 1));
}

int main(void) {
  const int64_t sizes[] = {10, 10}, row[] = {3, 10};
  stencilSetErrorHandler(report);
  call("padded", v, 0, sizes, 12, 1);
  call("transposed", v, 0, sizes, 1, 10);
  call("offset", v, 1, sizes, 10, 1);
  call("null", 0, 0, sizes, 10, 1);
  call("same", u, 0, sizes, 10, 1);
  call("last element", u + 99, 0, sizes, 10, 1);
  call("adjacent", u + 100, 0, sizes, 10, 1);
  call("one row", v, 0, row, 10, 1);
  return 0;
}

/* Calls a compiled loop of 11 steps on two planes, or with -DRANK=3 volumes. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef RANK
#define RANK 2
#endif

struct array {
  double *allocated, *aligned;
  int64_t offset, sizes[RANK], strides[RANK];
};

int32_t _mlir_ciface_program(struct array *, struct array *, int64_t steps);

int32_t stencilTakeStatus(void) { return 0; }
void stencilFail(int32_t code, const char *message) {
  printf("failed: %d %s\n", code, message);
}

static struct array make(int64_t size) {
  struct array a = {.offset = 0};
  int64_t count = 1;
  for (int axis = RANK - 1; axis >= 0; --axis) {
    a.sizes[axis] = size + 7 * axis;
    a.strides[axis] = count;
    count *= a.sizes[axis];
  }
  a.allocated = a.aligned = malloc(count * sizeof(double));
  for (int64_t i = 0; i < count; ++i)
    a.aligned[i] = (double)(i % 101);
  return a;
}

int main(void) {
  struct array u = make(RANK == 2 ? 150 : 40), v = make(RANK == 2 ? 150 : 40);
  printf("returned %d\n", (int)_mlir_ciface_program(&u, &v, 11));
  return 0;
}

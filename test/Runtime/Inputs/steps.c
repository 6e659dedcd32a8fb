#include <stdint.h>

struct memref {
  double *allocated, *aligned;
  int64_t offset, size, stride;
};

void _mlir_ciface_steps(struct memref *u, struct memref *v, int64_t steps);

int main(void) {
  static double u[10], v[10];
  struct memref a = {u, u, 0, 10, 1}, b = {v, v, 0, 10, 1};
  _mlir_ciface_steps(&a, &b, 1001);
  return 0;
}

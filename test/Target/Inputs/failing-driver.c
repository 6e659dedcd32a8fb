/* Calls one function, on a device that fails. */
#include "failing.h"

#include <stdio.h>

int main(void) {
  static double u[128 * 128], v[128 * 128];
  printf("gather: %d\n", (int)gather(u, v, 0));
  return 0;
}

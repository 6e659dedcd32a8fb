/* Calls a compiled program, and says what it returns. */
#include "heat2d.h"
#include <stdio.h>

int main(void) {
  static double u[100], v[100];
  printf("returned %d\n", (int)heat2d(u, 10, 10, v, 10, 10, 1));
  return 0;
}

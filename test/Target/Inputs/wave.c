/* What stands in place of Devito's own caller: its timers, and a call. */
#include "wave.h"
#include <stdio.h>

double timer_start(void) { return 20; }
double timer_end(double start) { return start + 22; }

static float u[3][32 * 22];

int main(void) {
  double time = 0;
  u[0][5 * 22 + 5] = 1;
  if (wave(u[0], u[1], u[2], &time) != STENCIL_OK)
    return 1;
  printf("time %g, points", time);
  for (int i = 0; i < 3; ++i)
    printf(" %g", u[i][5 * 22 + 5]);
  printf("\n");
  return 0;
}

/* Calls heat2d with arrays without gaps and with gaps, and compares. */
#include "heat2d.h"

#include <math.h>
#include <stdio.h>

enum { kRows = 41, kColumns = 43, kMost = 50 };

static double u[2][kRows * kMost], v[2][kRows * kMost];

static void run(int number, int gap) {
  int64_t stride = kColumns + gap;
  for (int i = 0; i < kRows * kMost; ++i)
    u[number][i] = v[number][i] = NAN;
  for (int i = 0; i < kRows; ++i)
    for (int j = 0; j < kColumns; ++j)
      u[number][i * stride + j] = v[number][i * stride + j] =
          sin(7 * i + j * j);
  struct stencil_array_2d a = {
      u[number], u[number], 0, {kRows, kColumns}, {stride, 1}};
  struct stencil_array_2d b = {
      v[number], v[number], 0, {kRows, kColumns}, {stride, 1}};
  if (_mlir_ciface_heat2d(&a, &b, 5))
    printf("failed\n");
}

int main(void) {
  const int gaps[] = {0, 7};
  for (int i = 0; i < 2; ++i) {
    int differ = 0;
    run(0, 0);
    run(1, gaps[i]);
    for (int row = 0; row < kRows; ++row)
      for (int j = 0; j < kColumns; ++j) {
        int64_t at = row * (kColumns + gaps[i]) + j, dense = row * kColumns + j;
        differ += !(u[0][dense] == u[1][at] && v[0][dense] == v[1][at]);
      }
    printf("%d: %d of %d points differ\n", gaps[i], differ, kRows * kColumns);
  }
  return 0;
}

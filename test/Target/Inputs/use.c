/* Calls everything that c-header.mlir declares. */
double use(void);
double use(void) {
  float u[4] = {0, 0, 0, 0}, v[4] = {0, 0, 0, 0};
  double x[4] = {1, 2, 3, 4};
  struct several_results results;
  open(u, 2, 2, v, 2, 2, 3);
  kinds(0, 0, 0, 0, 0, 0, 0, x);
  results = several(x, 1.5f, 2);
  return scalar(true, 1, 2, 3, 4, 5.0f, 6.0) + (double)results.r0 +
         (double)results.r2 + (double)results.r1.sizes[0];
}

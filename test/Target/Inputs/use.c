/* Calls everything that c-header.mlir declares. */
double use(void);
double use(void) {
  float u[4] = {0, 0, 0, 0}, v[4] = {0, 0, 0, 0};
  double x[4] = {1, 2, 3, 4};
  struct several_results results;
  double product = 0;
  open(u, 2, 2, v, 2, 2, 3);
  kinds(0, 0, 0, 0, 0, 0, 0, x);
  if (several(x, 1.5f, 2, &results) != STENCIL_OK ||
      scalar(true, 1, 2, 3, 4, 5.0f, 6.0, &product) == STENCIL_CHECK_FAILED)
    return -1;
  return product + (double)results.r0 + (double)results.r2 +
         (double)results.r1.sizes[0];
}

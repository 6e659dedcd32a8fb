/* A host that goes on when compiled functions fail. */
#include "failing.h"

#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

enum { kExtent = 128 };
static double u[kExtent * kExtent], v[kExtent * kExtent];
static int numReports;

static void report(int32_t code, const char *message) {
  ++numReports;
  printf("handler: %d, %s\n", (int)code, message);
}

static void show(const char *what, int32_t status) {
  printf("%s: %d\n", what, (int)status);
  fflush(stdout);
}

/* The buffers that failures leave behind. */
static int leak(void) {
  struct mallinfo2 before = mallinfo2(), after;
  int i;
  for (i = 0; i < 10; ++i)
    gather(u, v, 5);
  after = mallinfo2();
  return (
      int)((after.uordblks + after.hblkhd - before.uordblks - before.hblkhd) /
           sizeof(u));
}

int main(int argc, char **argv) {
  int64_t count = 0;
  /* Large buffers are the system's again when they are freed. */
  mallopt(M_MMAP_THRESHOLD, 1 << 16);
  if (argc > 1 && !strcmp(argv[1], "handler"))
    stencilSetErrorHandler(report);

  show("far", gather(u, v, 5));
  u[3 * kExtent + 7] = 21;
  show("near", gather(u, v, 0));
  printf("value: %g\n", v[3 * kExtent + 7]);

  show("extents", steps(u, 8, v, 9, 1, &count));
  show("zero step", steps(u, 8, v, 8, 0, &count));
  show("step", steps(u, 8, v, 8, 3, &count));
  printf("count: %d\n", (int)count);

  show("by zero", divide(u, v, 0));
  show("by three", divide(u, v, 3));
  printf("quotient: %g\n", v[100 * kExtent + 7]);

  if (argc > 1 && !strcmp(argv[1], "handler")) {
    struct rlimit limit;
    printf("reports: %d\n", numReports);
    printf("leak: %d\n", leak());
    /* Nothing is left for a buffer. */
    getrlimit(RLIMIT_AS, &limit);
    limit.rlim_cur = 0;
    setrlimit(RLIMIT_AS, &limit);
    while (malloc(1 << 14)) {
    }
    show("no memory", gather(u, v, 0));
  }
  return 0;
}

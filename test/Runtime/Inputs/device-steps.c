/* Runs `steps` on arrays in the memory of the device, in a stream of its own.
   If asked for: with an array of the host, at an odd address, twice the same
   one, too small a one, or as a graph that is launched twice. */
#include "StencilRuntime/Runtime.h"
#include "steps.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
  int64_t n = argc > 2 ? atoi(argv[2]) : 1001;
  const char *how = argc > 3 ? argv[3] : "";
  double host[10], *u, *v;
  void *stream, *graph;
  int32_t status;
  for (int i = 0; i < 10; ++i)
    host[i] = i;
  stencilSelectBackend(atoi(argv[1]));
  stream = mgpuStreamCreate();
  u = mgpuMemAlloc(sizeof host, stream, 0);
  v = mgpuMemAlloc(sizeof host, stream, 0);
  mgpuMemcpy(u, host, sizeof host, stream);
  mgpuMemcpy(v, host, sizeof host, stream);
  stencilSetStream(stream);
  mgpuEventDestroy(mgpuEventCreate());
  if (strcmp(how, "graph") == 0) {
    stencilBeginCapture(stream);
    status = steps(u, v, n);
    graph = stencilEndCapture(stream);
    stencilLaunchGraph(graph, stream);
    stencilLaunchGraph(graph, stream);
    stencilRetireGraph(graph, stream);
  } else {
    if (strcmp(how, "odd") == 0) /* An address that is no number's. */
      status = steps((double *)((char *)u + 4), v, n);
    else if (strcmp(how, "small") == 0) /* The second half of an array. */
      status = steps(u + 5, v, n);
    else
      status = steps(strcmp(how, "host") == 0 ? host : u,
                     strcmp(how, "same") == 0 ? u : v, n);
  }
  mgpuEventDestroy(mgpuEventCreate());
  stencilSetStream(0);
  mgpuMemcpy(host, n % 2 ? v : u, sizeof host, stream);
  mgpuStreamSynchronize(stream);
  for (int i = 0; i < 10; ++i)
    printf("%g ", host[i]);
  mgpuMemFree(u, stream);
  mgpuMemFree(v, stream);
  mgpuStreamDestroy(stream);
  return status ? 1 : 0;
}

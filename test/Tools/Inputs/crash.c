/* Preloaded into a tool, takes the place of mlir::PassManager::run and crashes,
   as CRASH says. The tools themselves have nothing to crash with. */
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static void *crash(void *unused) {
  (void)unused;
  *(volatile int *)(uintptr_t)8 = 1;
  return NULL;
}

int run(void *manager,
        void *op) __asm__("_ZN4mlir11PassManager3runEPNS_9OperationE");

int run(void *manager, void *op) {
  const char *how = getenv("CRASH");
  pthread_t thread;
  (void)manager;
  (void)op;
  if (how && strcmp(how, "abort") == 0)
    abort();
  if (how && strcmp(how, "thread") == 0) {
    pthread_create(&thread, NULL, crash, NULL);
    pthread_join(thread, NULL);
  }
  crash(NULL);
  return 0;
}

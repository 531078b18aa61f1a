#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <malloc.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <unistd.h>

int clinux_usable_processors(void) {
  // The kernel refuses a set that is smaller than its own, so try larger ones.
  for (int count = 1024; count <= 1 << 20; count *= 4) {
    cpu_set_t *set = CPU_ALLOC(count);
    if (set == NULL) return -1;
    size_t size = CPU_ALLOC_SIZE(count);
    int usable = sched_getaffinity(0, size, set) == 0 ? CPU_COUNT_S(size, set) : -1;
    CPU_FREE(set);
    if (usable >= 0) return usable;
  }
  return -1;
}

// Left to itself the C library raises the bound to the largest block that was ever freed, up to 32 MiB, and keeps what
// comes below it: tables that grow by and by would then stay in memory several times.
void clinux_return_large_blocks(void) { mallopt(M_MMAP_THRESHOLD, 128 << 10); }

int clinux_syncfs(int descriptor) { return syncfs(descriptor); }

static void *pass(void *gate) {
  pthread_mutex_lock(gate);
  pthread_mutex_unlock(gate);
  return NULL;
}

int clinux_try_threads(int count) {
  pthread_t *threads = calloc(count, sizeof *threads);
  if (threads == NULL) return ENOMEM;
  pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
  pthread_mutex_lock(&gate);
  int made = 0, error = 0;
  while (made < count && (error = pthread_create(&threads[made], NULL, pass, &gate)) == 0) made++;
  pthread_mutex_unlock(&gate);
  while (made > 0) pthread_join(threads[--made], NULL);
  free(threads);
  return error;
}

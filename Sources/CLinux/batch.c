#define _GNU_SOURCE
#include "CLinux.h"

#include <malloc.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
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

static atomic_int stop_signal;

// The first signal asks for an orderly end; the second one, or a third, gets what it would get anywhere else.
static void note_stop(int signal_number) {
  atomic_store(&stop_signal, signal_number);
  struct sigaction action = {.sa_handler = clinux_end_now};
  sigfillset(&action.sa_mask);
  sigaction(SIGINT, &action, NULL);
  sigaction(SIGTERM, &action, NULL);
}

static void defer(int signal_number) {
  struct sigaction before, action = {.sa_handler = note_stop, .sa_flags = SA_RESTART};
  sigfillset(&action.sa_mask);
  if (sigaction(signal_number, &action, &before) == 0 && before.sa_handler == SIG_IGN) {
    sigaction(signal_number, &before, NULL);
  }
}

void clinux_defer_stop(void) {
  defer(SIGINT);
  defer(SIGTERM);
}

int clinux_stop_signal(void) { return atomic_load(&stop_signal); }

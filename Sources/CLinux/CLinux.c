#define _GNU_SOURCE
#include "CLinux.h"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int clinux_open_unnamed(const char *folder, mode_t mode) {
  return open(folder, O_TMPFILE | O_WRONLY | O_CLOEXEC, mode);
}

int clinux_rename_exclusive(const char *from, const char *to) {
  return renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE);
}

const char *clinux_error_text(int error) {
  const char *text = strerrordesc_np(error);
  return text != NULL ? text : "unknown error";
}

// The handler may run at any instruction, so a slot is one pointer that is exchanged whole. A path that is being
// forgotten is leaked if a signal could still be reading it: the process is about to end then.
enum { slot_count = 1024 };
static _Atomic(char *) temporaries[slot_count];
static atomic_bool is_ending;

static void remove_temporaries_and_exit(int signal_number) {
  atomic_store(&is_ending, true);
  for (int slot = 0; slot < slot_count; slot++) {
    char *path = atomic_load(&temporaries[slot]);
    if (path != NULL) unlink(path);
  }
  _exit(128 + signal_number);
}

void clinux_install_signal_handlers(void) {
  const int ending[] = {SIGINT, SIGTERM, SIGHUP};
  for (size_t i = 0; i < sizeof ending / sizeof *ending; i++) {
    struct sigaction before, action = {.sa_handler = remove_temporaries_and_exit};
    sigfillset(&action.sa_mask);
    if (sigaction(ending[i], &action, &before) == 0 && before.sa_handler == SIG_IGN) {
      sigaction(ending[i], &before, NULL);
    }
  }
  sigset_t reported;
  sigemptyset(&reported);
  sigaddset(&reported, SIGPIPE);
  sigaddset(&reported, SIGXFSZ);
  // The whole mask: a parent with blocked signals (a dispatch thread, say) must not make this process immune to them.
  pthread_sigmask(SIG_SETMASK, &reported, NULL);
}

int clinux_register_temporary(const char *path) {
  char *copy = strdup(path);
  if (copy == NULL) return -1;
  for (int slot = 0; slot < slot_count; slot++) {
    char *expected = NULL;
    if (atomic_compare_exchange_strong(&temporaries[slot], &expected, copy)) return slot;
  }
  free(copy);
  return -1;
}

void clinux_unregister_temporary(int slot) {
  if (slot < 0) return;
  char *path = atomic_exchange(&temporaries[slot], NULL);
  if (!atomic_load(&is_ending)) free(path);
}

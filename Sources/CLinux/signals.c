#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// A file that a signal removes: this file, not another one that was moved to its path.
struct removable {
  dev_t device;
  ino_t inode;
  char path[];
};

// The handler may run at any instruction, so a slot is one pointer that is exchanged whole. A file that is being
// forgotten is leaked if a signal could still be reading it: the process is about to end then.
enum { slot_count = 1024 };
static _Atomic(struct removable *) files[slot_count];
static atomic_bool is_ending;

void clinux_end_now(int signal_number) {
  atomic_store(&is_ending, true);
  for (int slot = 0; slot < slot_count; slot++) {
    struct removable *file = atomic_load(&files[slot]);
    struct stat status;
    if (file == NULL || lstat(file->path, &status) != 0) continue;
    if (status.st_dev == file->device && status.st_ino == file->inode) unlink(file->path);
  }
  _exit(128 + signal_number);
}

static void handle(int signal_number) {
  struct sigaction before, action = {.sa_handler = clinux_end_now};
  sigfillset(&action.sa_mask);
  if (sigaction(signal_number, &action, &before) == 0 && before.sa_handler == SIG_IGN) {
    sigaction(signal_number, &before, NULL);
  }
}

void clinux_install_signal_handlers(void) {
  handle(SIGINT);
  handle(SIGTERM);
  sigset_t reported;
  sigemptyset(&reported);
  sigaddset(&reported, SIGPIPE);
  sigaddset(&reported, SIGXFSZ);
  // The whole mask: a parent with blocked signals (a dispatch thread, say) must not make this process immune to them.
  pthread_sigmask(SIG_SETMASK, &reported, NULL);
}

// The others that end a process matter only when there is something to remove.
static void handle_the_others(void) {
  static const int others[] = {SIGHUP,  SIGQUIT,   SIGUSR1, SIGUSR2, SIGALRM,
                               SIGXCPU, SIGVTALRM, SIGPROF, SIGIO,   SIGPWR};
  for (size_t i = 0; i < sizeof others / sizeof *others; i++) handle(others[i]);
}

static int register_file(const char *path, const struct stat *status) {
  struct removable *file = malloc(sizeof *file + strlen(path) + 1);
  if (file == NULL) return -1;
  file->device = status->st_dev;
  file->inode = status->st_ino;
  strcpy(file->path, path);
  for (int slot = 0; slot < slot_count; slot++) {
    struct removable *expected = NULL;
    if (atomic_compare_exchange_strong(&files[slot], &expected, file)) return slot;
  }
  free(file);
  return -1;
}

int clinux_create_registered(const char *path, mode_t mode, int *slot) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, handle_the_others);
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  int descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
  int error = errno;
  struct stat status;
  if (descriptor >= 0 && fstat(descriptor, &status) != 0) {
    error = errno;
    unlink(path);
    close(descriptor);
    descriptor = -1;
  }
  // Only a file that this process made may be removed by it.
  *slot = descriptor >= 0 ? register_file(path, &status) : -1;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  errno = error;
  return descriptor;
}

void clinux_unregister(int slot) {
  if (slot < 0) return;
  struct removable *file = atomic_exchange(&files[slot], NULL);
  if (!atomic_load(&is_ending)) free(file);
}

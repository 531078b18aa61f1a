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
#include <sys/time.h>
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

static void remove_files(void) {
  atomic_store(&is_ending, true);
  for (int slot = 0; slot < slot_count; slot++) {
    struct removable *file = atomic_load(&files[slot]);
    struct stat status;
    if (file == NULL || lstat(file->path, &status) != 0) continue;
    if (status.st_dev == file->device && status.st_ino == file->inode) unlink(file->path);
  }
}

void clinux_end_now(int signal_number) {
  remove_files();
  _exit(128 + signal_number);
}

static void handle(int signal_number, void (*handler)(int), int flags) {
  struct sigaction before, action = {.sa_handler = handler, .sa_flags = flags};
  sigfillset(&action.sa_mask);
  if (sigaction(signal_number, &action, &before) == 0 && before.sa_handler == SIG_IGN) {
    sigaction(signal_number, &before, NULL);
  }
}

void clinux_install_signal_handlers(void) {
  handle(SIGINT, clinux_end_now, 0);
  handle(SIGTERM, clinux_end_now, 0);
  // Swift's own handler would print a backtrace and go on.
  handle(SIGQUIT, clinux_end_now, 0);
  sigset_t reported;
  sigemptyset(&reported);
  sigaddset(&reported, SIGPIPE);
  sigaddset(&reported, SIGXFSZ);
  // The whole mask: a parent with blocked signals (a dispatch thread, say) must not make this process immune to them.
  pthread_sigmask(SIG_SETMASK, &reported, NULL);
}

static struct sigaction crash_actions[NSIG];

// A fault happens again as soon as this returns, and then has the effect that it had before.
static void crash(int signal_number, siginfo_t *info, void *context) {
  (void)context;
  remove_files();
  bool was_sent = info->si_code <= 0;
  sigaction(signal_number, was_sent ? &(struct sigaction){.sa_handler = SIG_DFL} : &crash_actions[signal_number], NULL);
  if (was_sent) raise(signal_number);
}

// The others that end a process matter only when there is something to remove.
static void handle_the_others(void) {
  static const int others[] = {SIGHUP, SIGUSR1, SIGUSR2, SIGALRM, SIGXCPU, SIGVTALRM, SIGPROF, SIGIO, SIGPWR, SIGSTKFLT};
  static const int crashes[] = {SIGABRT, SIGSEGV, SIGILL, SIGTRAP, SIGFPE};
  for (size_t i = 0; i < sizeof others / sizeof *others; i++) handle(others[i], clinux_end_now, 0);
  struct sigaction action = {.sa_sigaction = crash, .sa_flags = SA_SIGINFO | SA_ONSTACK};
  sigfillset(&action.sa_mask);
  for (size_t i = 0; i < sizeof crashes / sizeof *crashes; i++) {
    sigaction(crashes[i], &action, &crash_actions[crashes[i]]);
  }
}

static pthread_once_t others_are_handled = PTHREAD_ONCE_INIT;
static atomic_int stop_signal;
static atomic_int grace;

static void end_late(int signal_number) {
  (void)signal_number;
  clinux_end_now(atomic_load(&stop_signal));
}

// The first signal asks for an orderly end; the second one, or a third, gets what it would get anywhere else. An alarm
// ends what takes too long: a thread could not, where none can be made or all wait for a lock.
static void note_stop(int signal_number) {
  atomic_store(&stop_signal, signal_number);
  struct sigaction action = {.sa_handler = clinux_end_now};
  sigfillset(&action.sa_mask);
  sigaction(SIGINT, &action, NULL);
  sigaction(SIGTERM, &action, NULL);
  action.sa_handler = end_late;
  sigaction(SIGALRM, &action, NULL);
  int milliseconds = atomic_load(&grace);
  struct itimerval alarm = {
      .it_value = {.tv_sec = milliseconds / 1000, .tv_usec = milliseconds % 1000 * 1000}};
  setitimer(ITIMER_REAL, &alarm, NULL);
}

void clinux_defer_stop(int grace_milliseconds) {
  // Now, so that nothing takes the alarm away later.
  pthread_once(&others_are_handled, handle_the_others);
  atomic_store(&grace, grace_milliseconds);
  handle(SIGINT, note_stop, SA_RESTART);
  handle(SIGTERM, note_stop, SA_RESTART);
}

int clinux_stop_signal(void) { return atomic_load(&stop_signal); }

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
  pthread_once(&others_are_handled, handle_the_others);
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

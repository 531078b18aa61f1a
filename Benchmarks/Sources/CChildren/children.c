#define _GNU_SOURCE
#include "CChildren.h"

#include <errno.h>
#include <fcntl.h>
#include <gnu/libc-version.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static long long now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1000000000LL + time.tv_nsec;
}

static long long nanoseconds(struct timeval time) {
  return time.tv_sec * 1000000000LL + time.tv_usec * 1000LL;
}

// The number behind a key in a file of /proc; -1 where there is none.
static long long proc_number(pid_t child, const char *file, const char *key) {
  char path[64], line[256];
  snprintf(path, sizeof path, "/proc/%d/%s", (int)child, file);
  FILE *lines = fopen(path, "r");
  long long value = -1;
  if (lines == NULL) return value;
  while (value < 0 && fgets(line, sizeof line, lines) != NULL) {
    if (strncmp(line, key, strlen(key)) == 0) sscanf(line + strlen(key), "%lld", &value);
  }
  fclose(lines);
  return value;
}

static int start(
    char *const *words, char *const *environment, const char *folder, int output, int errors, pid_t *child) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, output, 1);
  posix_spawn_file_actions_adddup2(&actions, errors, 2);
  posix_spawn_file_actions_addchdir_np(&actions, folder);
  posix_spawnattr_t attributes;
  sigset_t all, none;
  sigfillset(&all);
  sigemptyset(&none);
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP);
  posix_spawnattr_setsigdefault(&attributes, &all);
  posix_spawnattr_setsigmask(&attributes, &none);
  int error = posix_spawn(child, words[0], &actions, &attributes, words, environment);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return error;
}

static int start_watched(
    char *const *words, char *const *environment, const char *folder, int output, int errors, pid_t *child) {
  *child = fork();
  if (*child < 0) return errno;
  if (*child > 0) return 0;
  setpgid(0, 0);
  for (int number = 1; number < NSIG; number++) signal(number, SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  int input = open("/dev/null", O_RDONLY);
  if (dup2(input, 0) == 0 && dup2(output, 1) == 1 && dup2(errors, 2) == 2 && chdir(folder) == 0) {
    // Where it is not allowed the child goes on unwatched.
    ptrace(PTRACE_TRACEME, 0, NULL, NULL);
    execve(words[0], words, environment);
  }
  _exit(127);
}

static void watch(pid_t child, struct cchild_result *result) {
  int status;
  int is_set_up = 0;
  // WNOWAIT is not for ptrace stops, so the exit itself is left to the caller by looking first.
  for (;;) {
    siginfo_t info;
    if (waitid(P_PID, (id_t)child, &info, WEXITED | WSTOPPED | WNOWAIT) != 0) return;
    if (info.si_code == CLD_EXITED || info.si_code == CLD_KILLED || info.si_code == CLD_DUMPED) return;
    waitpid(child, &status, 0);
    int signal = WSTOPSIG(status);
    if (!is_set_up) {
      ptrace(PTRACE_SETOPTIONS, child, NULL, (void *)(PTRACE_O_TRACEEXIT | PTRACE_O_EXITKILL));
      is_set_up = 1;
      signal = 0;
    } else if (status >> 8 == (SIGTRAP | PTRACE_EVENT_EXIT << 8)) {
      result->anonymous = (long)proc_number(child, "status", "RssAnon:");
      result->peak = (long)proc_number(child, "status", "VmHWM:");
      signal = 0;
    }
    ptrace(PTRACE_CONT, child, NULL, (void *)(long)signal);
  }
}

static _Atomic pid_t running;
static _Atomic int is_stopping;

// With all that it has started.
static void stop(pid_t child) {
  kill(-child, SIGKILL);
  kill(child, SIGKILL);
}

void cchild_stop(void) {
  is_stopping = 1;
  pid_t child = running;
  if (child > 0) stop(child);
}

int cchild_run(
    char *const *words, char *const *environment, const char *folder, int output, int errors, int watched,
    struct cchild_result *result) {
  *result = (struct cchild_result){.anonymous = -1, .peak = -1};
  pid_t child;
  long long begin = now();
  int error = (watched ? start_watched : start)(words, environment, folder, output, errors, &child);
  if (error != 0) return error;
  running = child;
  if (is_stopping) stop(child);
  if (watched) watch(child, result);
  siginfo_t info;
  while (waitid(P_PID, (id_t)child, &info, WEXITED | WNOWAIT) != 0 && errno == EINTR) continue;
  result->wall = now() - begin;
  // A zombie still has its counts.
  result->handed = proc_number(child, "io", "wchar:");
  result->written = proc_number(child, "io", "write_bytes:");
  running = 0;
  struct rusage usage;
  while (wait4(child, &result->status, 0, &usage) < 0 && errno == EINTR) continue;
  result->core = nanoseconds(usage.ru_utime) + nanoseconds(usage.ru_stime);
  return 0;
}

int cchild_own_mounts(void) {
  if (unshare(CLONE_NEWNS) != 0) return errno;
  // Those of others still come in; nothing goes out.
  return mount("none", "/", NULL, MS_REC | MS_SLAVE, NULL) == 0 ? 0 : errno;
}

const char *cchild_libc_version(void) { return gnu_get_libc_version(); }

#define _GNU_SOURCE
#include "CChildren.h"

#include <errno.h>
#include <fcntl.h>
#include <gnu/libc-version.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

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

static int start(char *const *words, const char *folder, int output, int errors, pid_t *child) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, output, 1);
  posix_spawn_file_actions_adddup2(&actions, errors, 2);
  posix_spawn_file_actions_addchdir_np(&actions, folder);
  int error = posix_spawn(child, words[0], &actions, NULL, words, environ);
  posix_spawn_file_actions_destroy(&actions);
  return error;
}

static int start_watched(char *const *words, const char *folder, int output, int errors, pid_t *child) {
  *child = fork();
  if (*child < 0) return errno;
  if (*child > 0) return 0;
  int input = open("/dev/null", O_RDONLY);
  if (dup2(input, 0) == 0 && dup2(output, 1) == 1 && dup2(errors, 2) == 2 && chdir(folder) == 0) {
    // Where it is not allowed the child goes on unwatched.
    ptrace(PTRACE_TRACEME, 0, NULL, NULL);
    execv(words[0], words);
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

void cchild_stop(void) {
  pid_t child = running;
  if (child > 0) kill(child, SIGKILL);
}

int cchild_run(
    char *const *words, const char *folder, int output, int errors, int watched, struct cchild_result *result) {
  *result = (struct cchild_result){.anonymous = -1, .peak = -1};
  pid_t child;
  long long begin = now();
  int error = (watched ? start_watched : start)(words, folder, output, errors, &child);
  if (error != 0) return error;
  running = child;
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

const char *cchild_libc_version(void) { return gnu_get_libc_version(); }

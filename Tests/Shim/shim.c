// Preloaded by tests, never part of the product: calls that move bytes come short or are interrupted, and something
// happens to a file in front of one of them.
//
//   SHIM_CAP=N        no call moves more than N bytes; 0: a random number, from SHIM_SEED
//   SHIM_INTERRUPTS=1 every second call fails with EINTR first
//   SHIM_AT=N         in front of the Nth call (from 0) that reads or moves bytes:
//   SHIM_DO=COMMAND   truncate PATH SIZE | overwrite PATH OFFSET | rename PATH OTHER | unlink PATH | chmod PATH MODE |
//                     rmdir PATH
//   SHIM_COUNT=FILE   the number of such calls is written there in the end
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

static long number(const char *name, long otherwise) {
  const char *text = getenv(name);
  return text == NULL ? otherwise : atol(text);
}

static void act(void) {
  char what[16], path[4096], more[4096] = "";
  const char *command = getenv("SHIM_DO");
  if (command == NULL || sscanf(command, "%15s %4095s %4095s", what, path, more) < 2) abort();
  int failed = 0;
  if (strcmp(what, "truncate") == 0) failed = truncate(path, atoll(more));
  if (strcmp(what, "rename") == 0) failed = rename(path, more);
  if (strcmp(what, "unlink") == 0) failed = unlink(path);
  if (strcmp(what, "rmdir") == 0) failed = rmdir(path);
  if (strcmp(what, "chmod") == 0) failed = chmod(path, (mode_t)strtol(more, NULL, 8));
  if (strcmp(what, "overwrite") == 0) {
    int file = open(path, O_WRONLY | O_CLOEXEC);
    failed = syscall(SYS_pwrite64, file, "changed", 7, atoll(more)) != 7;
    close(file);
  }
  if (failed != 0) abort();
}

static long calls;

__attribute__((destructor)) static void tell(void) {
  const char *path = getenv("SHIM_COUNT");
  FILE *file = path == NULL ? NULL : fopen(path, "w");
  if (file == NULL) return;
  fprintf(file, "%ld\n", calls);
  fclose(file);
}

// Whether the call is interrupted instead of made.
static int begin(void) {
  static int was_interrupted;
  if (number("SHIM_INTERRUPTS", 0) != 0 && !was_interrupted) {
    was_interrupted = 1;
    errno = EINTR;
    return 1;
  }
  was_interrupted = 0;
  if (number("SHIM_AT", -1) == calls++) act();
  return 0;
}

static size_t cap(size_t wanted) {
  static unsigned seed;
  long most = number("SHIM_CAP", -1);
  if (most < 0 || wanted < 2) return wanted;
  if (most == 0) {
    if (seed == 0) seed = (unsigned)number("SHIM_SEED", 1);
    // Mostly around pages, now and then anything.
    most = rand_r(&seed) % 4 == 0 ? 1 + rand_r(&seed) % 300000 : 4096 * (1 + rand_r(&seed) % 8) + rand_r(&seed) % 3 - 1;
  }
  return wanted < (size_t)most ? wanted : (size_t)most;
}

static int shorten(const struct iovec *vectors, int count, struct iovec *shorter) {
  size_t wanted = 0;
  for (int i = 0; i < count; i++) wanted += vectors[i].iov_len;
  size_t rest = cap(wanted);
  int kept = 0;
  for (; kept < count && (rest > 0 || kept == 0); kept++) {
    shorter[kept] = vectors[kept];
    if (shorter[kept].iov_len > rest) shorter[kept].iov_len = rest;
    rest -= shorter[kept].iov_len;
  }
  return kept;
}

ssize_t writev(int file, const struct iovec *vectors, int count) {
  struct iovec shorter[1024];
  if (begin()) return -1;
  return syscall(SYS_writev, file, shorter, shorten(vectors, count, shorter));
}

ssize_t pwritev(int file, const struct iovec *vectors, int count, off_t at) {
  struct iovec shorter[1024];
  if (begin()) return -1;
  int kept = shorten(vectors, count, shorter);
  return syscall(SYS_pwritev, file, shorter, kept, at, 0);
}

ssize_t pwritev64(int file, const struct iovec *vectors, int count, off64_t at) {
  return pwritev(file, vectors, count, at);
}

ssize_t pread(int file, void *bytes, size_t count, off_t at) {
  return begin() ? -1 : syscall(SYS_pread64, file, bytes, cap(count), at);
}

ssize_t pread64(int file, void *bytes, size_t count, off64_t at) { return pread(file, bytes, count, at); }

ssize_t copy_file_range(int source, off64_t *from, int target, off64_t *to, size_t count, unsigned flags) {
  return begin() ? -1 : syscall(SYS_copy_file_range, source, from, target, to, cap(count), flags);
}

int ioctl(int file, unsigned long request, ...) {
  va_list rest;
  va_start(rest, request);
  void *argument = va_arg(rest, void *);
  va_end(rest);
  // FICLONERANGE is the one that moves bytes; it cannot come short.
  if (request == 0x4020940d && begin()) return -1;
  return (int)syscall(SYS_ioctl, file, request, argument);
}

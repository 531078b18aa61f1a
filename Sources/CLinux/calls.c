#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/fs.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

int clinux_open_unnamed(const char *target, mode_t mode) {
  char folder[PATH_MAX];
  const char *slash = strrchr(target, '/');
  size_t length = slash == target ? 1 : slash == NULL ? 0 : (size_t)(slash - target);
  if (length >= sizeof folder) {
    errno = ENAMETOOLONG;
    return -1;
  }
  memcpy(folder, target, length);
  folder[length] = '\0';
  return open(length > 0 ? folder : ".", O_TMPFILE | O_RDWR | O_CLOEXEC, mode);
}

// By the descriptor alone it takes Linux 6.10 or a privilege; where it is refused is remembered.
int clinux_link_unnamed(int descriptor, const char *target) {
  static atomic_bool is_refused;
  int refusal = ENOENT;
  if (!atomic_load_explicit(&is_refused, memory_order_relaxed)) {
    if (linkat(descriptor, "", AT_FDCWD, target, AT_EMPTY_PATH) == 0) return 0;
    refusal = errno;
    if (refusal != ENOENT && refusal != EPERM && refusal != EINVAL) return -1;
  }
  char own[32];
  snprintf(own, sizeof own, "/proc/self/fd/%d", descriptor);
  if (linkat(AT_FDCWD, own, AT_FDCWD, target, AT_SYMLINK_FOLLOW) == 0) {
    atomic_store_explicit(&is_refused, true, memory_order_relaxed);
    return 0;
  }
  // There may be no /proc.
  if (errno == ENOENT || errno == ENOTDIR) errno = refusal;
  return -1;
}

int clinux_rename_exclusive(const char *from, const char *to) {
  return renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE);
}

int clinux_clone_range(int source, off_t offset, off_t length, int target, off_t target_offset) {
  struct file_clone_range range = {source, (__u64)offset, (__u64)length, (__u64)target_offset};
  return ioctl(target, FICLONERANGE, &range);
}

ssize_t clinux_copy_range(int source, off_t offset, size_t length, int target, off_t target_offset) {
  return copy_file_range(source, &offset, target, &target_offset, length, 0);
}

int clinux_only_grows(const char *folder) {
  struct statx status;
  return statx(AT_FDCWD, folder, 0, STATX_TYPE, &status) == 0 && (status.stx_attributes & STATX_ATTR_APPEND) != 0;
}

const char *clinux_error_text(int error) {
  const char *text = strerrordesc_np(error);
  return text != NULL ? text : "unknown error";
}

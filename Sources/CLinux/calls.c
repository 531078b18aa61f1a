#define _GNU_SOURCE
#include "CLinux.h"

#include <fcntl.h>
#include <linux/fs.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

int clinux_open_unnamed(const char *folder, mode_t mode) {
  return open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, mode);
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

// What Swift's Glibc module hides behind _GNU_SOURCE, and the few lines that must be C.
// Every call returns what the system call returns and leaves errno alone.
#ifndef KERFLESS_CLINUX_H
#define KERFLESS_CLINUX_H

#include <sys/types.h>

/// open(2) with O_TMPFILE | O_WRONLY | O_CLOEXEC: a file without a name in a folder.
int clinux_open_unnamed(const char *folder, mode_t mode);

/// renameat2(2) with RENAME_NOREPLACE.
int clinux_rename_exclusive(const char *from, const char *to);

/// The text of an error number; never NULL.
const char *clinux_error_text(int error);

/// From now on SIGINT, SIGTERM and SIGHUP remove the registered files and end the process with 128 + signal; one
/// that is ignored already stays ignored. SIGPIPE and SIGXFSZ are blocked, so that write(2) reports EPIPE and EFBIG;
/// no other signal is.
/// To be called before other threads start: they inherit what is blocked.
void clinux_install_signal_handlers(void);

/// Registers a file that a signal shall remove; the path is copied. Returns a slot, or -1 when there is no room.
int clinux_register_temporary(const char *path);

/// Forgets a slot; -1 is allowed.
void clinux_unregister_temporary(int slot);

#endif

// What Swift's Glibc module hides behind _GNU_SOURCE, and the few lines that must be C.
// Every call returns what the system call returns and leaves errno alone.
#ifndef KERFLESS_CLINUX_H
#define KERFLESS_CLINUX_H

#include <stddef.h>
#include <sys/types.h>

/// The words of the command line as the kernel gave them. Swift's own take /proc.
int clinux_argument_count(void);
const char *clinux_argument(int index);

/// open(2) with O_TMPFILE | O_RDWR | O_CLOEXEC: a file without a name, in the folder of the path that it shall have.
int clinux_open_unnamed(const char *target, mode_t mode);

/// linkat(2): gives such a file its name, from Linux 6.10 on by the descriptor alone, before through /proc.
int clinux_link_unnamed(int descriptor, const char *target);

/// renameat2(2) with RENAME_NOREPLACE.
int clinux_rename_exclusive(const char *from, const char *to);

/// ioctl(2) FICLONERANGE: shares whole blocks of a source with the target.
int clinux_clone_range(int source, off_t offset, off_t length, int target, off_t target_offset);

/// copy_file_range(2) at these offsets; the descriptors' own are left alone.
ssize_t clinux_copy_range(int source, off_t offset, size_t length, int target, off_t target_offset);

/// statx(2): whether a folder takes names and gives none away (chattr +a).
int clinux_only_grows(const char *folder);

/// The text of an error number; never NULL.
const char *clinux_error_text(int error);

/// From now on SIGINT, SIGTERM and SIGQUIT end the process with 128 + signal, even as pid 1; one that is ignored already stays
/// ignored. SIGPIPE and SIGXFSZ are blocked, so that write(2) reports EPIPE and EFBIG; no other signal is.
/// To be called before other threads start: they inherit what is blocked.
void clinux_install_signal_handlers(void);

/// open(2) with O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, registered before any signal can come between: one that ends
/// the process, also a fault of its own, removes the file first. *slot is -1 when there is no room.
int clinux_create_registered(const char *path, mode_t mode, int *slot);

/// Forgets a slot; -1 is allowed.
void clinux_unregister(int slot);

/// Guards a mapping: a page that cannot be read (the file shrank, the medium failed) reads as zeros and is counted
/// instead of ending the process. Returns a slot, or -1 when there is no room or no handler.
int clinux_guard(const void *start, size_t length);

/// How many faults a guarded mapping has had; 0 for -1.
unsigned clinux_fault_count(int slot);

/// To be called before the mapping goes; -1 is allowed.
void clinux_unguard(int slot);

/// How many processors this process may run on; -1 where the kernel does not tell.
int clinux_usable_processors(void);

/// From now on blocks of 128 KiB or more are given back to the kernel when they are freed.
void clinux_return_large_blocks(void);

/// Makes so many threads that live at once, and lets them end. Returns 0, or why one of them could not be made.
int clinux_try_threads(int count);

/// syncfs(2).
int clinux_syncfs(int descriptor);

/// From now on the first SIGINT or SIGTERM is only noted; one that is ignored already stays ignored. The next one ends
/// the process as before, and so does an alarm when the grace is over. It is given once, in milliseconds.
void clinux_defer_stop(int grace_milliseconds);

/// The signal that was noted; 0 when none was.
int clinux_stop_signal(void);

/// Removes the registered files and ends the process with 128 + signal. It may be called in a signal handler.
void clinux_end_now(int signal_number);

#endif

// Starts other programs and tells what they used.
#ifndef KERFLESS_CCHILDREN_H
#define KERFLESS_CCHILDREN_H

struct cchild_result {
  /// As from waitpid(2).
  int status;
  /// Nanoseconds by the clock on the wall, and on a core: user and system together.
  long long wall, core;
  /// Bytes handed to write(2) and its like, and bytes that it made dirty on a disk (/proc/PID/io); -1 where that cannot be read.
  long long handed, written;
  /// KiB of memory of its own at its end, and the most that was ever resident; -1 unless `watched`.
  long anonymous, peak;
};

/// Runs a program to its end, in a folder, its standard output and error going to two descriptors. It gets no
/// environment but the given one, `NAME=VALUE` each, signals as they are by default, and a process group of its own, so that
/// what ends or spares this process on a terminal is no concern of its.
/// A child that is watched is stopped at its exit (ptrace) to read its memory; its times then mean nothing.
/// Returns 0, or an error number when it could not be started.
int cchild_run(
    char *const *words, char *const *environment, const char *folder, int output, int errors, int watched,
    struct cchild_result *result);

/// Kills what runs at the moment, and whatever is started from now on.
void cchild_stop(void);

/// What is mounted from now on is seen by this process and its children only, and goes with them however they end.
/// Returns 0, or an error number where that is not allowed. To be called in front of all threads.
int cchild_own_mounts(void);

/// The version of the C library that runs.
const char *cchild_libc_version(void);

#endif

// Counts every heap allocation of the process that links this, by defining malloc and its like over glibc's own.
#ifndef KERFLESS_CALLOCATIONS_H
#define KERFLESS_CALLOCATIONS_H

struct callocations {
  /// All but the following.
  unsigned long own;
  /// Those that json-c makes while it parses.
  unsigned long json;
};

/// The counts since the process started.
struct callocations callocations_so_far(void);

#endif

// Preloaded by a test, never part of the product: the benchmark's counter of what is taken from the heap.
//
//   ALLOCATIONS=FILE  two numbers are written there in the end: the program's own, and those made inside json-c
#include "../../Benchmarks/Sources/CAllocations/allocations.c"

#include <stdio.h>
#include <stdlib.h>

__attribute__((destructor)) static void tell(void) {
  const char *path = getenv("ALLOCATIONS");
  struct callocations counts = callocations_so_far();
  FILE *file = path == NULL ? NULL : fopen(path, "w");
  if (file == NULL) return;
  fprintf(file, "%lu %lu\n", (unsigned long)counts.own, (unsigned long)counts.json);
  fclose(file);
}

#include "CLinux.h"

static int count;
static char **words;

// The C library hands the command line to every constructor, before main and without /proc.
__attribute__((constructor)) static void keep_arguments(int argc, char **argv) {
  count = argc;
  words = argv;
}

int clinux_argument_count(void) { return count; }

const char *clinux_argument(int index) { return index < count ? words[index] : NULL; }

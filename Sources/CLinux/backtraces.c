#define _GNU_SOURCE
#include <stdlib.h>
#include <sys/auxv.h>

// Before main, the Swift runtime looks for its backtracer in eight places around the program's own file, and ends the
// process where it cannot learn which file that is: in a root without /proc. A static program is meant to run there, and
// has no backtracer beside it. So it is told not to look, unless the variable is set already; this comes first of all
// constructors.
__attribute__((constructor(101))) static void look_for_no_backtracer(void) {
  // Where the loader lies, which a static program has none of.
  if (getauxval(AT_BASE) == 0) setenv("SWIFT_BACKTRACE", "enable=no,swift-backtrace=/", 0);
}

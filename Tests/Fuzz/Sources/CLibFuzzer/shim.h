#include <stddef.h>
#include <stdint.h>

// libFuzzer's own mutations, for a mutator of our own to fall back on.
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);

#define _GNU_SOURCE
#include "CAllocations.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *old, size_t size);
void *__libc_memalign(size_t alignment, size_t size);

static atomic_ulong own, json;
static _Thread_local int is_in_json;

static void count(void) {
  atomic_fetch_add_explicit(is_in_json ? &json : &own, 1, memory_order_relaxed);
}

struct callocations callocations_so_far(void) {
  return (struct callocations){atomic_load(&own), atomic_load(&json)};
}

void *malloc(size_t size) {
  count();
  return __libc_malloc(size);
}

void *calloc(size_t number, size_t size) {
  count();
  return __libc_calloc(number, size);
}

void *realloc(void *old, size_t size) {
  count();
  return __libc_realloc(old, size);
}

void *memalign(size_t alignment, size_t size) {
  count();
  return __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
  count();
  return __libc_memalign(alignment, size);
}

int posix_memalign(void **out, size_t alignment, size_t size) {
  count();
  *out = __libc_memalign(alignment, size);
  return *out == NULL ? ENOMEM : 0;
}

struct json_tokener;
struct json_object;

// The one function of json-c that makes objects; the engine's calls come here first.
struct json_object *json_tokener_parse_ex(struct json_tokener *tokener, const char *text, int length) {
  static struct json_object *(*_Atomic next)(struct json_tokener *, const char *, int);
  if (next == NULL) {
    *(void **)&next = dlsym(RTLD_NEXT, "json_tokener_parse_ex");
  }
  is_in_json = 1;
  struct json_object *object = next(tokener, text, length);
  is_in_json = 0;
  return object;
}

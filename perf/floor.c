// The floor: the system calls that a clip cannot do without, made by a C program that knows all offsets beforehand.
//
//   floor [OPTION…] METHOD SOURCE HEADER OFFSET LENGTH OUT   one clip
//   floor [OPTION…] METHOD SOURCE HEADER --bulk LIST         many: a line "OFFSET LENGTH OUT" each
//
// METHOD is clone, copy or gather. HEADER is a file with the bytes in front of the payload; with --bulk it is filled up
// with zeros until each payload lies in the phase that cloning needs. Prints, with --bulk, microseconds a clip: by the
// clock on the wall, and of this process on a core.
//
// Options vary what was decided by measuring:
//   --header-first   the header and the first edge in front of the blocks
//   --allocate       fallocate(2) of the whole output first
//   --read HOW       how a gather reads the source: prepared (default; as kerfless does), announced (MADV_WILLNEED for
//                    everything at once, one mapping), faults (nothing), sequential (MADV_SEQUENTIAL)
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

enum { block = 4096 };
static const size_t clone_step = 256 << 20, copy_step = 64 << 20, step = 8 << 20, write_step = 2 << 20;
static const size_t announced_length = 32 << 10, run_length = 1 << 20, long_copy = 8 << 20;

enum method { method_clone, method_copy, method_gather };
enum reading { reading_prepared, reading_announced, reading_faults, reading_sequential };

struct settings {
  enum method method;
  enum reading reading;
  bool allocates;
  bool header_first;
};

struct source {
  int descriptor;
  const char *path;
  const unsigned char *bytes;
  const unsigned char *run;  // the same, mapped once more for long reads
  struct stat status;
};

struct clip {
  const unsigned char *header;
  size_t header_length;
  off_t offset;
  size_t length;
  const char *out;
};

static void fail(const char *what, const char *path) {
  fprintf(stderr, "floor: %s: %s: %s\n", path, what, strerror(errno));
  exit(1);
}

static struct source open_source(const char *path) {
  struct source source = {.path = path};
  source.descriptor = open(path, O_RDONLY | O_CLOEXEC);
  if (source.descriptor < 0) fail("open", path);
  if (fstat(source.descriptor, &source.status) != 0) fail("fstat", path);
  size_t length = (size_t)source.status.st_size;
  source.bytes = mmap(NULL, length, PROT_READ, MAP_PRIVATE, source.descriptor, 0);
  if (source.bytes == MAP_FAILED) fail("mmap", path);
  madvise((void *)source.bytes, length, MADV_RANDOM);
  posix_fadvise(source.descriptor, 0, 0, POSIX_FADV_RANDOM);
  return source;
}

static void write_all(int target, struct iovec *vectors, int count, off_t at, const char *path) {
  while (count > 0) {
    ssize_t written = pwritev(target, vectors, count, at);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) fail("pwritev", path);
    at += written;
    while (count > 0 && (size_t)written >= vectors->iov_len) {
      written -= (ssize_t)vectors->iov_len;
      vectors++;
      count--;
    }
    if (count > 0) {
      vectors->iov_base = (char *)vectors->iov_base + written;
      vectors->iov_len -= (size_t)written;
    }
  }
}

static void advise(const unsigned char *bytes, size_t length, int advice) {
  uintptr_t in_page = (uintptr_t)bytes % block;
  madvise((void *)(bytes - in_page), length + in_page, advice);
}

static void announce(const unsigned char *bytes, size_t length) {
  if (length >= announced_length) advise(bytes, length < step ? length : step, MADV_WILLNEED);
}

static const unsigned char *payload(
    const struct settings *settings, struct source *source, off_t offset, size_t length) {
  const unsigned char *bytes = source->bytes + offset;
  switch (settings->reading) {
  case reading_faults: return bytes;
  case reading_sequential: advise(bytes, length, MADV_SEQUENTIAL); return bytes;
  case reading_announced:
    if (length >= announced_length) advise(bytes, length, MADV_WILLNEED);
    return bytes;
  case reading_prepared: break;
  }
  if (length >= run_length) {
    if (source->run == NULL)
      source->run = mmap(NULL, (size_t)source->status.st_size, PROT_READ, MAP_PRIVATE, source->descriptor, 0);
    if (source->run == MAP_FAILED) fail("mmap", source->path);
    bytes = source->run + offset;
  }
  announce(bytes, length);
  return bytes;
}

// The header and `length` payload bytes behind it.
static void gather(
    const struct settings *settings, struct source *source, const struct clip *clip, size_t length, int target) {
  const unsigned char *bytes = payload(settings, source, clip->offset, length);
  size_t header = clip->header_length, prepared = 0;
  off_t at = 0;
  do {
    if (prepared == 0) {
      prepared = length < step ? length : step;
      if (settings->reading == reading_prepared) {
        announce(bytes + prepared, length - prepared);
        if (prepared >= run_length) advise(bytes, prepared, MADV_POPULATE_READ);
      }
    }
    size_t part = prepared < write_step - header ? prepared : write_step - header;
    struct iovec vectors[] = {{(void *)clip->header, header}, {(void *)bytes, part}};
    write_all(target, header > 0 ? vectors : vectors + 1, header > 0 ? 2 : 1, at, clip->out);
    at += (off_t)(header + part);
    bytes += part;
    length -= part;
    prepared -= part;
    header = 0;
  } while (length > 0);
}

static void clone_body(const struct source *source, off_t from, off_t to, size_t length, int target) {
  for (size_t done = 0; done < length; done += clone_step) {
    size_t part = length - done < clone_step ? length - done : clone_step;
    struct file_clone_range range = {
        source->descriptor, (uint64_t)from + done, part, (uint64_t)to + done};
    if (ioctl(target, FICLONERANGE, &range) != 0) fail("FICLONERANGE", source->path);
  }
}

static void copy_body(const struct source *source, off_t from, off_t to, size_t length, int target) {
  if (length >= long_copy) posix_fadvise(source->descriptor, 0, 0, POSIX_FADV_SEQUENTIAL);
  while (length > 0) {
    ssize_t copied = copy_file_range(source->descriptor, &from, target, &to, length < copy_step ? length : copy_step, 0);
    if (copied < 0 && errno == EINTR) continue;
    if (copied <= 0) fail("copy_file_range", source->path);
    length -= (size_t)copied;
  }
}

static void fill(const struct settings *settings, struct source *source, const struct clip *clip, int target) {
  if (settings->method == method_gather) {
    gather(settings, source, clip, clip->length, target);
    return;
  }
  size_t edge = (size_t)(-clip->offset & (block - 1));
  size_t body = clip->length - edge;
  if (settings->method == method_clone) body -= body % block;
  size_t tail = clip->length - edge - body;
  off_t from = clip->offset + (off_t)edge, to = (off_t)(clip->header_length + edge);
  if (settings->header_first) gather(settings, source, clip, edge, target);
  if (settings->method == method_clone) clone_body(source, from, to, body, target);
  if (settings->method == method_copy) copy_body(source, from, to, body, target);
  if (!settings->header_first) gather(settings, source, clip, edge, target);
  struct iovec vector = {(void *)(source->bytes + from + body), tail};
  if (tail > 0) write_all(target, &vector, 1, to + (off_t)body, clip->out);
}

static void cut(const struct settings *settings, struct source *source, const struct clip *clip) {
  struct stat status;
  if (lstat(clip->out, &status) == 0) {
    errno = EEXIST;
    fail("lstat", clip->out);
  }
  const char *slash = strrchr(clip->out, '/');
  char folder[4096] = ".";
  if (slash != NULL) snprintf(folder, sizeof folder, "%.*s", (int)(slash - clip->out), clip->out);
  int target = open(folder, O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666);
  if (target < 0) fail("open", folder);
  if (settings->allocates && fallocate(target, 0, 0, (off_t)(clip->header_length + clip->length)) != 0)
    fail("fallocate", clip->out);
  fill(settings, source, clip, target);
  if (fstat(source->descriptor, &status) != 0) fail("fstat", source->path);
  if (status.st_size != source->status.st_size || status.st_mtim.tv_sec != source->status.st_mtim.tv_sec ||
      status.st_mtim.tv_nsec != source->status.st_mtim.tv_nsec) {
    errno = EBUSY;
    fail("the source changed", source->path);
  }
  // From Linux 6.10 on, or with a privilege, it takes no way through /proc.
  if (linkat(target, "", AT_FDCWD, clip->out, AT_EMPTY_PATH) != 0) {
    char own[64];
    snprintf(own, sizeof own, "/proc/self/fd/%d", target);
    if (linkat(AT_FDCWD, own, AT_FDCWD, clip->out, AT_SYMLINK_FOLLOW) != 0) fail("linkat", clip->out);
  }
  close(target);
}

static unsigned char *read_file(const char *path, size_t *length, size_t room) {
  FILE *file = fopen(path, "rb");
  if (file == NULL) fail("fopen", path);
  struct stat status;
  if (fstat(fileno(file), &status) != 0) fail("fstat", path);
  unsigned char *bytes = calloc(1, (size_t)status.st_size + room);
  if (bytes == NULL) fail("calloc", path);
  *length = fread(bytes, 1, (size_t)status.st_size, file);
  fclose(file);
  return bytes;
}

static double now(clockid_t clock) {
  struct timespec time;
  clock_gettime(clock, &time);
  return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static void cut_all(const struct settings *settings, struct source *source, const char *header, const char *list) {
  size_t header_length;
  unsigned char *bytes = read_file(header, &header_length, block);
  FILE *lines = fopen(list, "r");
  if (lines == NULL) fail("fopen", list);
  long long offset;
  size_t length;
  char out[4096];
  size_t count = 0;
  double start = now(CLOCK_MONOTONIC), used = now(CLOCK_PROCESS_CPUTIME_ID);
  while (fscanf(lines, "%lld %zu %4095[^\n]", &offset, &length, out) == 3) {
    size_t phase = (size_t)(offset - (long long)header_length) & (block - 1);
    struct clip clip = {bytes, header_length + phase, offset, length, out};
    cut(settings, source, &clip);
    count++;
  }
  double scale = 1e6 / (double)(count > 0 ? count : 1);
  printf("%.3f %.3f\n", (now(CLOCK_MONOTONIC) - start) * scale, (now(CLOCK_PROCESS_CPUTIME_ID) - used) * scale);
  fclose(lines);
}

static int find(const char *word, const char *const *words) {
  for (int i = 0; words[i] != NULL; i++) {
    if (strcmp(word, words[i]) == 0) return i;
  }
  fprintf(stderr, "floor: there is no '%s'\n", word);
  exit(64);
}

int main(int count, char **words) {
  static const char *const methods[] = {"clone", "copy", "gather", NULL};
  static const char *const readings[] = {"prepared", "announced", "faults", "sequential", NULL};
  static const char *const options[] = {"--header-first", "--allocate", "--read", NULL};
  struct settings settings = {.reading = reading_prepared};
  int next = 1;
  for (; next < count && strncmp(words[next], "--", 2) == 0; next++) {
    switch (find(words[next], options)) {
    case 0: settings.header_first = true; break;
    case 1: settings.allocates = true; break;
    default: settings.reading = next + 1 < count ? find(words[++next], readings) : reading_prepared;
    }
  }
  char **rest = words + next;
  if (count - next != 5 && count - next != 6) {
    fprintf(stderr, "floor: METHOD SOURCE HEADER (OFFSET LENGTH OUT | --bulk LIST)\n");
    return 64;
  }
  settings.method = find(rest[0], methods);
  struct source source = open_source(rest[1]);
  if (count - next == 5) {
    cut_all(&settings, &source, rest[2], rest[4]);
    return 0;
  }
  struct clip clip = {.offset = atoll(rest[3]), .length = (size_t)atoll(rest[4]), .out = rest[5]};
  clip.header = read_file(rest[2], &clip.header_length, 0);
  cut(&settings, &source, &clip);
  return 0;
}

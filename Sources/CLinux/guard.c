#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

// Slots come in blocks that are never freed, so that the handler may walk them without a lock.
enum { block_slots = 1024 };

struct slot {
  _Atomic(uintptr_t) start;  // 0: free, 1: being filled
  _Atomic(size_t) length;
  atomic_uint faults;
};

struct block {
  struct slot slots[block_slots];
  _Atomic(struct block *) next;
};

static struct block first_block;
static struct sigaction before;
static uintptr_t page_bytes;
static bool is_installed;

// Maps zeros from the faulting page to the region's end: what follows a page that is gone is gone too.
static bool contain(uintptr_t address) {
  for (struct block *block = &first_block; block != NULL; block = atomic_load(&block->next)) {
    for (int i = 0; i < block_slots; i++) {
      struct slot *slot = &block->slots[i];
      uintptr_t start = atomic_load(&slot->start);
      size_t length = atomic_load(&slot->length);
      if (start < 2 || address < start || address - start >= length) continue;
      uintptr_t page = address & ~(page_bytes - 1);
      size_t rest = start + length - page;
      void *zeros = mmap((void *)page, rest, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
      if (zeros == MAP_FAILED) return false;
      atomic_fetch_add(&slot->faults, 1);
      return true;
    }
  }
  return false;
}

static void handle_bus_error(int signal_number, siginfo_t *info, void *context) {
  int error = errno;
  bool is_contained = contain((uintptr_t)info->si_addr);
  errno = error;
  if (is_contained) return;
  // Not ours: the previous action, or else the default one, when the instruction faults again.
  if ((before.sa_flags & SA_SIGINFO) != 0 && before.sa_sigaction != NULL) {
    before.sa_sigaction(signal_number, info, context);
  } else if (before.sa_handler != SIG_DFL && before.sa_handler != SIG_IGN) {
    before.sa_handler(signal_number);
  } else {
    signal(SIGBUS, SIG_DFL);
  }
}

static void install(void) {
  page_bytes = (uintptr_t)sysconf(_SC_PAGESIZE);
  struct sigaction action = {.sa_sigaction = handle_bus_error, .sa_flags = SA_SIGINFO | SA_ONSTACK};
  sigfillset(&action.sa_mask);
  is_installed = sigaction(SIGBUS, &action, &before) == 0;
}

// pthread_once would cost a system call of its own.
static void install_once(void) {
  static atomic_int state;  // 0: not yet, 1: somebody is at it, 2: done
  int expected = 0;
  if (atomic_load(&state) == 2) return;
  if (atomic_compare_exchange_strong(&state, &expected, 1)) {
    install();
    atomic_store(&state, 2);
  }
  while (atomic_load(&state) != 2) sched_yield();
}

static struct block *next_block(struct block *block) {
  struct block *next = atomic_load(&block->next);
  if (next != NULL) return next;
  struct block *made = calloc(1, sizeof *made);
  if (made == NULL) return NULL;
  if (atomic_compare_exchange_strong(&block->next, &next, made)) return made;
  free(made);
  return next;
}

int clinux_guard(const void *start, size_t length) {
  if (length == 0) return -1;
  install_once();
  if (!is_installed) return -1;
  int base = 0;
  for (struct block *block = &first_block; block != NULL; block = next_block(block), base += block_slots) {
    for (int i = 0; i < block_slots; i++) {
      uintptr_t expected = 0;
      if (!atomic_compare_exchange_strong(&block->slots[i].start, &expected, 1)) continue;
      atomic_store(&block->slots[i].faults, 0);
      atomic_store(&block->slots[i].length, length);
      atomic_store(&block->slots[i].start, (uintptr_t)start);
      return base + i;
    }
  }
  return -1;
}

static struct slot *find(int number) {
  if (number < 0) return NULL;
  struct block *block = &first_block;
  while (block != NULL && number >= block_slots) {
    block = atomic_load(&block->next);
    number -= block_slots;
  }
  return block == NULL ? NULL : &block->slots[number];
}

unsigned clinux_fault_count(int number) {
  struct slot *slot = find(number);
  return slot == NULL ? 0 : atomic_load(&slot->faults);
}

void clinux_unguard(int number) {
  struct slot *slot = find(number);
  if (slot != NULL) atomic_store(&slot->start, 0);
}

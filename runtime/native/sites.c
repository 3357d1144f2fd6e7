/*
 * Sites inside library code that is part of the program: templates and inline functions of system headers that were not inlined. They act for their
 * caller, so such a site is two addresses: the one in the library, and the nearest return address above it in the program's own code.
 *
 * The address ranges of library code are read from the debug information before the start (`library` in docs/native-format.md). Elsewhere a site is
 * one address and costs nothing. The pairs are numbered. Such a number has bit 47 set, which no address of a program has, and stands in records and
 * results like an address.
 *
 * The caller is found by frame pointers, which `heddle cc` keeps. Frames of libstdc++.so have none; there backtrace() is used.
 */
#include "core.h"
#include <execinfo.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#define MOST_SITES (1u << 14)
#define MOST_TRIES 64
#define NUMBERED (1ull << 47)
/* So many frames of the runtime are between the program and here. */
#define MOST_OURS 12
#define MOST_FRAMES 64
/* It takes microseconds: a program without frame pointers must not do it all the time. */
#define MOST_UNWOUND 20000

typedef struct {
  _Atomic uintptr_t pc; /* written last */
  uintptr_t caller;
} Site;

typedef struct Frame Frame;
struct Frame {
  const Frame *next;
  uintptr_t back;
};

uint8_t *hd_library;
uintptr_t hd_library_size;
static Site *sites;
static atomic_flag busy = ATOMIC_FLAG_INIT;

/* `FROM TO FROM TO …`, hexadecimal, rising, in the program's own numbering. */
void hd_library_line(const char *text) {
  char *end;
  for (const char *at = text; *at; at = *end == ' ' ? end + 1 : end) {
    uintptr_t n = strtoull(at, &end, 16);
    if (end == at) return;
    if (n > hd_library_size) hd_library_size = n;
  }
  hd_library = hd_map(hd_library_size / 8 + 1);
  if (!hd_library) hd_library_size = 0;
  if (hd_library_size == 0) return;
  for (const char *at = text; *at; at = *end == ' ' ? end + 1 : end) {
    uintptr_t from = strtoull(at, &end, 16), to = strtoull(end, &end, 16);
    for (; from < to; from++) hd_library[from >> 3] |= (uint8_t)(1u << (from & 7));
  }
}

static bool is_own(uintptr_t back) { return hd_in_program((void *)back) && !hd_in_library((void *)back); }

/* UNKNOWN: the chain does not lead there. NOBODY: a library calls it, as at the bottom of a thread. */
#define UNKNOWN 0
#define NOBODY 1
static uintptr_t by_frames(const Thread *t, uintptr_t pc) {
  const Frame *frame = __builtin_frame_address(0);
  bool passed = false;
  if ((uintptr_t)frame < t->stack_lo || (uintptr_t)frame >= t->stack_hi) return UNKNOWN;
  for (unsigned i = 0; i < MOST_FRAMES; i++) {
    if (passed && !hd_in_program((void *)frame->back)) return NOBODY;
    if (passed && is_own(frame->back)) return frame->back;
    passed |= frame->back == pc;
    if (!passed && i == MOST_OURS) return UNKNOWN;
    const Frame *next = frame->next;
    if (next <= frame || (uintptr_t)next + sizeof *next > t->stack_hi || ((uintptr_t)next & 7)) return UNKNOWN;
    frame = next;
  }
  return UNKNOWN;
}

void hd_callers(const Thread *t, const void *pc, uintptr_t callers[HD_CALLERS]) {
  const Frame *frame = __builtin_frame_address(0);
  bool passed = false;
  unsigned n = 0;
  for (unsigned i = 0; i < MOST_FRAMES && n < HD_CALLERS; i++) {
    if ((uintptr_t)frame < t->stack_lo || (uintptr_t)frame + sizeof *frame > t->stack_hi || ((uintptr_t)frame & 7)) break;
    if (passed && is_own(frame->back)) callers[n++] = frame->back;
    passed |= frame->back == (uintptr_t)pc;
    if ((!passed && i == MOST_OURS) || frame->next <= frame) break;
    frame = frame->next;
  }
  while (n < HD_CALLERS) callers[n++] = 0;
}

void hd_callers_text(const uintptr_t callers[HD_CALLERS], char text[HD_CALLERS_TEXT]) {
  char *at = text;
  for (unsigned i = 0; i < HD_CALLERS && callers[i]; i++) {
    *at++ = ' ';
    hd_put_number(&at, text + HD_CALLERS_TEXT, callers[i], 16);
  }
  *at = 0;
}

static uintptr_t by_unwinding(uintptr_t pc) {
  void *frames[MOST_FRAMES];
  int n = backtrace(frames, MOST_FRAMES), i = 0;
  while (i < n && (uintptr_t)frames[i] != pc) i++;
  for (i++; i < n; i++)
    if (is_own((uintptr_t)frames[i])) return (uintptr_t)frames[i];
  return NOBODY;
}

static uintptr_t caller_above(const Thread *t, void *pc) {
  uintptr_t caller = by_frames(t, (uintptr_t)pc);
  static _Atomic unsigned unwound;
  if (caller == UNKNOWN && atomic_fetch_add_explicit(&unwound, 1, memory_order_relaxed) < MOST_UNWOUND)
    caller = by_unwinding((uintptr_t)pc);
  return caller == NOBODY || caller == UNKNOWN ? 0 : caller;
}

static Site *find(uintptr_t pc, uintptr_t caller, bool *is_new) {
  size_t at = (pc * 0x9e3779b97f4a7c15ull ^ caller * 0xc2b2ae3d27d4eb4full) >> 40;
  for (unsigned i = 0; i < MOST_TRIES; i++) {
    Site *s = &sites[(at + i) % MOST_SITES];
    uintptr_t there = atomic_load_explicit(&s->pc, memory_order_acquire);
    *is_new = there == 0;
    if (there == 0 || (there == pc && s->caller == caller)) return s;
  }
  return NULL;
}

static Site *added(uintptr_t pc, uintptr_t caller) {
  bool is_new;
  while (atomic_flag_test_and_set_explicit(&busy, memory_order_acquire)) syscall(SYS_sched_yield);
  Site *s = find(pc, caller, &is_new);
  if (s && is_new) {
    s->caller = caller;
    atomic_store_explicit(&s->pc, pc, memory_order_release);
    hd_result("site %llx %llx %llx", NUMBERED | (uint64_t)(s - sites), (unsigned long long)pc, (unsigned long long)caller);
  }
  atomic_flag_clear_explicit(&busy, memory_order_release);
  return s;
}

static void *numbered(void *pc, uintptr_t caller) {
  bool is_new;
  Site *s = caller && sites ? find((uintptr_t)pc, caller, &is_new) : NULL;
  if (s && is_new) s = added((uintptr_t)pc, caller);
  return s ? (void *)(NUMBERED | (uintptr_t)(s - sites)) : pc;
}

/* They may be called where the runtime is not at work yet, and what they call is interposed. */
#define INSIDE(result, expression) \
  do {                             \
    Thread *t = hd_me;             \
    if (!t) break;                 \
    int inside = t->inside;        \
    t->inside = 1;                 \
    result = expression;           \
    t->inside = inside;            \
  } while (0)

void *hd_site_for(void *pc, void *caller) {
  void *site = pc;
  INSIDE(site, numbered(pc, (uintptr_t)caller));
  return site;
}

void *hd_site_above(void *pc) {
  void *site = pc;
  INSIDE(site, numbered(pc, caller_above(t, pc)));
  return site;
}

uintptr_t hd_caller_above(void *pc) {
  uintptr_t caller = 0;
  if (hd_in_library(pc)) INSIDE(caller, caller_above(t, pc));
  return caller;
}

void hd_sites_start(void) { sites = hd_map(MOST_SITES * sizeof *sites); }

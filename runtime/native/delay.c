/*
 * Delay mode (docs/native-format.md, `delay`; seed 001, section 3.4): a thread that reaches one site waits there until another thread has been at the
 * other site with the same object. Nothing else is controlled.
 *
 * If several threads reach the site with the same object, one of them waits: the others may be the ones it waits for. What was done before a thread
 * reached the site does not count, because descriptor numbers and addresses are reused. What a thread does at the other site is done when the thread
 * comes to its next step. If it never comes to one, the waiting thread goes on after its time-out.
 */
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
#include "gate.h"
#include "heap.h"

#define MOST_DELAYS 16
#define MOST_PCS 8
#define MOST_HELD 32
#define MOST_PASSES 1024
#define POLL_NS 200000
/* Before the pass from which on it counts, a hold is so much shorter, and there are so many of them at most. */
#define BRIEF 16
#define MOST_BRIEF 60

typedef struct {
  int state; /* 0: free, 1: held, 2: the other place was passed, 3: and that is done */
  uintptr_t from, to;
  const Thread *thread;
} Held;

/* How often a thread has come with an object. What does not fit is not told apart. */
typedef struct {
  const Thread *thread;
  uintptr_t object;
  unsigned count;
} Passes;

/* `caller`: of a place in the library's part of the program, for whom it is done (sites.c); 0: for anybody. */
typedef struct {
  uintptr_t pc, caller;
} Place;

typedef struct {
  Place places[MOST_PCS], until_places[MOST_PCS];
  int kind, until_kind, most, ms;
  unsigned from;
  int count, brief;
  Held held[MOST_HELD];
  Passes passes[MOST_PASSES];
} Delay;

static Delay *delays[MOST_DELAYS];
static unsigned delay_count;
/* Guards all of it. Nobody waits while it has it. */
static atomic_flag busy = ATOMIC_FLAG_INIT;

/* What this thread has been about to do at places that others wait for: bits of the lines. */
static __thread uint32_t doing __attribute__((tls_model("initial-exec")));

static void enter(void) {
  while (atomic_flag_test_and_set_explicit(&busy, memory_order_acquire)) syscall(SYS_sched_yield);
}
static void leave(void) { atomic_flag_clear_explicit(&busy, memory_order_release); }

static uintptr_t number(const char **text, unsigned base) {
  uintptr_t n = 0;
  while (**text == ' ') ++*text;
  for (;; ++*text) {
    char c = **text;
    unsigned digit = c >= '0' && c <= '9' ? (unsigned)(c - '0') : c >= 'a' && c <= 'f' ? (unsigned)(c - 'a' + 10) : 99;
    if (digit >= base) return n;
    n = n * base + digit;
  }
}

static void places_of(const char **text, Place *places) {
  for (unsigned i = 0; i < MOST_PCS; i++) {
    places[i].pc = number(text, 16);
    if (**text == '@') {
      ++*text;
      places[i].caller = number(text, 16);
    }
    if (**text != ',') return;
    ++*text;
  }
}

void hd_delay_line(const char *text) {
  if (delay_count == MOST_DELAYS) return;
  Delay *d = hd_map(sizeof *d);
  places_of(&text, d->places);
  d->kind = (int)number(&text, 10);
  places_of(&text, d->until_places);
  d->until_kind = (int)number(&text, 10);
  d->most = (int)number(&text, 10);
  d->ms = (int)number(&text, 10);
  d->from = (unsigned)number(&text, 10);
  delays[delay_count++] = d;
}

static bool is_at(const Place *places, int wanted, void *pc, int kind) {
  if (wanted != 0 && wanted != kind) return false;
  for (unsigned i = 0; i < MOST_PCS && places[i].pc != 0; i++) {
    if (places[i].pc != (uintptr_t)pc - hd_program_base) continue;
    if (places[i].caller == 0 || places[i].caller == hd_caller_above(pc) - hd_program_base) return true;
  }
  return false;
}

/* What a step is about, as a range: all of a block that is freed, else the one address, lock or descriptor. */
static uintptr_t end_of(int kind, const void *object) {
  uintptr_t from = (uintptr_t)object;
  return kind == HD_FREE && from != 0 ? from + hd_block_size((void *)object) : from + 1;
}

static unsigned pass(Delay *d, const Thread *t, uintptr_t object) {
  size_t at = (object >> 2) * 31 + t->id;
  for (unsigned tries = 0; tries < 8; tries++) {
    Passes *p = &d->passes[(at + tries) % MOST_PASSES];
    if (!p->thread) *p = (Passes){t, object, 0};
    if (p->thread == t && p->object == object) return ++p->count;
  }
  return d->from;
}

static Held *take(Delay *d, const Thread *t, uintptr_t from, uintptr_t to) {
  Held *place = NULL;
  for (Held *h = d->held; h < d->held + MOST_HELD; h++) {
    if (h->state == 0) place = h;
    else if (h->from < to && from < h->to) return NULL;
  }
  if (place) *place = (Held){1, from, to, t};
  return place;
}

static void hold(Thread *t, unsigned line, int kind, const void *object) {
  Delay *d = delays[line];
  enter();
  bool brief = pass(d, t, (uintptr_t)object) < d->from;
  bool may = brief ? d->brief < MOST_BRIEF : d->count < d->most;
  Held *h = may ? take(d, t, (uintptr_t)object, end_of(kind, object)) : NULL;
  /* Each is held somewhat longer than the one before: of two that are held at once one stays when the other has given up. */
  int64_t ns = (int64_t)d->ms * 1000000;
  ns = brief ? ns / BRIEF : ns + ns * d->count / 8;
  if (h && brief) d->brief++;
  else if (h) d->count++;
  leave();
  if (!h) return;
  hd_result("delay %u held", line + 1);
  int64_t deadline = hd_now() + ns;
  int state = 1;
  while (state < 3 && hd_now() < deadline) {
    struct timespec pause = {0, POLL_NS};
    syscall(SYS_nanosleep, &pause, NULL);
    enter();
    state = h->state;
    leave();
  }
  enter();
  state = h->state;
  h->state = 0;
  leave();
  if (state == 1) hd_result("delay %u gave-up", line + 1);
}

/* Whoever waits for this has seen it come; told at once, because the step itself may be the end of the program. */
static void come(const Thread *t, unsigned line, int kind, const void *object) {
  uintptr_t from = (uintptr_t)object, to = end_of(kind, object);
  bool told = false;
  enter();
  for (Held *h = delays[line]->held; h < delays[line]->held + MOST_HELD; h++) {
    if (h->state != 1 || h->thread == t || h->from >= to || from >= h->to) continue;
    h->state = 2;
    h->thread = t; /* who does it */
    told = true;
  }
  leave();
  if (!told) return;
  doing |= 1u << line;
  hd_result("delay %u released", line + 1);
}

static void let_go(const Thread *t) {
  enter();
  for (unsigned i = 0; i < delay_count; i++) {
    if (!(doing & (1u << i))) continue;
    for (Held *h = delays[i]->held; h < delays[i]->held + MOST_HELD; h++)
      if (h->state == 2 && h->thread == t) h->state = 3;
  }
  leave();
  doing = 0;
}

void hd_delayed(Thread *t, int kind, const void *object, void *pc) {
  if (doing) let_go(t);
  for (unsigned i = 0; i < delay_count; i++) {
    if (is_at(delays[i]->places, delays[i]->kind, pc, kind)) hold(t, i, kind, object);
    if (is_at(delays[i]->until_places, delays[i]->until_kind, pc, kind)) come(t, i, kind, object);
  }
}

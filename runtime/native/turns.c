/*
 * Replays: which thread runs where the schedule says nothing. Each rule switches threads much more often than a machine does. Each is sound for every
 * program: a thread may be slow at any step, and a sleep of less than a second may seem short to the others.
 *
 *   writes, releases   the turn goes round: after every write, after every release of a lock
 *   steps N            the turn goes round after N steps
 *   random N           at each step the turn is passed on with probability 1 in N, to any thread
 *   priorities N       threads have random priorities, and the running one loses its own at two steps out of the first N (Burckhardt et al., ASPLOS 2010, section 2)
 *
 * The run that results is recorded, and replayed by the steps it took.
 */
#include "gate.h"
#include <string.h>

enum { NO_RULE, WRITES, RELEASES, STEPS, RANDOM, PRIORITIES };
static const char *const names[] = {"", "writes", "releases", "steps", "random", "priorities"};

/* A sleep of a second or more is meant to be longer than what others do: so many steps of them, in case they go on for ever. */
#define LONG_SLEEP 1000000000
#define STEPS_OF_A_SLEEP 5000
/* A run that is longer than this goes on without a rule: nobody looks at it. */
#define MOST_STEPS 50000
/* So many steps in one go, and it may be spinning for what another one does. */
#define MOST_AT_ONCE 500
#define CHANGES 2

static int rule;
static uint64_t n = 1, random_state;
static uint64_t taken;           /* steps of the one that has the turn, since it got it */
static uint64_t all_taken, changes[CHANGES];
static int64_t lowest;
static int last_kind;            /* of its last step */
static uintptr_t last_object;

static uint64_t any(uint64_t below) {
  /* splitmix64 */
  uint64_t z = random_state += 0x9e3779b97f4a7c15ull;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
  z = (z ^ z >> 27) * 0x94d049bb133111ebull;
  return (z ^ z >> 31) % below;
}

static uint64_t number(const char **at) {
  uint64_t value = 0;
  while (**at == ' ') ++*at;
  for (; **at >= '0' && **at <= '9'; ++*at) value = value * 10 + (uint64_t)(**at - '0');
  return value;
}

/* `RULE N SEED` */
void hd_turns_line(const char *text) {
  for (int i = WRITES; i <= PRIORITIES; i++) {
    size_t length = strlen(names[i]);
    if (strncmp(text, names[i], length) != 0 || text[length] != ' ') continue;
    rule = i;
    text += length;
    n = number(&text);
    if (n == 0) n = 1;
    random_state = number(&text);
    for (unsigned c = 0; c < CHANGES; c++) changes[c] = 1 + any(n);
  }
}

bool hd_has_rule(void) { return rule != NO_RULE && all_taken < MOST_STEPS; }

static bool writes(const Thread *t) {
  if (last_object >= t->stack_lo && last_object < t->stack_hi) return false;
  return last_kind == HD_WRITE || last_kind == HD_ATOMIC_WRITE || last_kind == HD_ATOMIC_UPDATE || last_kind == HD_RANGE_WRITE;
}

static bool releases(void) { return last_kind == HD_UNLOCK || last_kind == HD_UNLOCK_SHARED || last_kind == HD_SEM_POST; }

static int64_t priority(Thread *t) {
  if (t->priority == 0) t->priority = 1 + (int64_t)any(1u << 20);
  return t->priority;
}

static void lower(Thread *t) { t->priority = --lowest; }

/* With the turn, before a step: does it pass the turn on? */
bool hd_passes_on(Thread *t, int kind, const void *object) {
  bool passes = ++taken > MOST_AT_ONCE;
  all_taken++;
  switch (rule) {
    case WRITES: passes |= writes(t); break;
    case RELEASES: passes |= releases(); break;
    case STEPS: passes |= taken > n; break;
    case RANDOM: passes |= any(n) == 0; break;
    case PRIORITIES:
      for (unsigned c = 0; c < CHANGES; c++)
        if (changes[c] == all_taken) lower(t);
      if (passes) lower(t);
      passes = true; /* the highest goes on */
      break;
    default: break;
  }
  last_kind = kind;
  last_object = (uintptr_t)object;
  return passes;
}

static bool sleeps_long(const Thread *t, int64_t now) { return t && t->state == HD_READY && t->deadline >= now + LONG_SLEEP / 2; }

/* With the gate locked. */
static bool may_run(const Thread *t, int64_t now) {
  static uint64_t from;
  if (!t || t->state != HD_READY) return false;
  if (!sleeps_long(t, now)) return true;
  if (from == 0) from = all_taken + 1;
  if (all_taken < from + STEPS_OF_A_SLEEP) return false;
  from = 0;
  return true;
}

/* Of those that want the turn. `rests`: the last one sleeps or yields. NULL: nobody does, or all sleep for long. */
Thread *hd_next_by_rule(Thread *const *threads, unsigned count, Thread *last, int64_t now) {
  Thread *next = NULL;
  unsigned wanting = 0;
  bool rests = last && last_kind == HD_YIELD;
  if (rule == PRIORITIES && rests) lower(last);
  for (unsigned k = 1; k <= count; k++) {
    Thread *t = threads[((last ? last->id : count - 1) + k) % count];
    if (!may_run(t, now)) continue;
    if (rule == PRIORITIES) {
      if (!next || priority(t) > priority(next)) next = t;
    } else if (rule == RANDOM) {
      if (any(++wanting) == 0) next = t;
    } else if (!next) {
      next = t;
    }
  }
  if (next != last) taken = 0, last_kind = HD_NONE;
  return next;
}

/* Of those that wait for a signal one gets it: any may. */
bool hd_takes_signal(unsigned nth) { return (rule == RANDOM || rule == PRIORITIES) && any(nth) == 0; }

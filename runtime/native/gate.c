/*
 * Replays. One thread runs at a time: it has the turn. It passes the turn on where the schedule says so, where it has to wait, or when it leaves for
 * something that is not modelled. A line of the schedule names a thread and the number of the step up to which it runs. After the last line, or when
 * a line cannot be carried out, a fixed rule decides: the thread that has the turn runs until it has to wait, then the next one.
 *
 * Delay mode (seed 001, section 3.4) is at the end. There threads run freely, and a thread that reaches a site waits for another thread.
 */
#include "core.h"
#include "gate.h"
#include "heap.h"
#include <errno.h>
#include <linux/futex.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <fcntl.h>
#include <time.h>
#include <unistd.h>

#define PLACES 16
typedef struct {
  uint64_t up_to;
  int kind, flags;
  uintptr_t places[PLACES]; /* its last step is at one of these; none: anywhere */
  char name[HD_NAME];
} Line;
#define TIMES_OUT 1
/* A program that does not do the same twice comes to the place of a line somewhat later: so many steps it is waited for. */
#define MOST_DRIFT 5000

static Line *lines;
static unsigned line_count, line_room, line; /* `line` is the present one */
static bool given_up, last_first, goes_on;
static Thread *runner;
static uint64_t queue_numbers;
static int watchdog; /* its number */

/* Of the present line: its last step has been begun, by this place. */
static bool begun;
static void *begun_pc;
static int begun_kind;

/* So many steps without a wait, and the next thread gets the turn: it may be spinning for what another one does. */
#define QUANTUM 20000
#define MOST_ALONE 50
/* So often nobody can go on before it is called a deadlock. */
#define STUCK_LOOKS 6
#define LOOK_MS 5
/* A thread that sleeps this long with the turn waits for something that is not modelled. */
#define ASLEEP_LOOKS 10
/* So long a line waits for a thread that is away. */
#define PATIENCE_LOOKS 400

/* --- a lock of our own --- */

static _Atomic int gate_word;

static long futex(void *at, int op, int value, const struct timespec *time) { return syscall(SYS_futex, at, op, value, time, NULL, 0); }

static void lock_gate(void) {
  int seen = 0;
  if (atomic_compare_exchange_strong(&gate_word, &seen, 1)) return;
  while (atomic_exchange(&gate_word, 2) != 0) futex(&gate_word, FUTEX_WAIT_PRIVATE, 2, NULL);
}
static void unlock_gate(void) {
  if (atomic_exchange(&gate_word, 0) == 2) futex(&gate_word, FUTEX_WAKE_PRIVATE, 1, NULL);
}

int64_t hd_now(void) {
  struct timespec now;
  syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &now);
  return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/* --- the schedule --- */

static uint64_t number(const char **at, unsigned base) {
  uint64_t n = 0;
  while (**at == ' ') ++*at;
  for (;; ++*at) {
    unsigned digit = **at >= '0' && **at <= '9' ? (unsigned)(**at - '0') : **at >= 'a' && **at <= 'f' ? (unsigned)(**at - 'a' + 10) : 99;
    if (digit >= base) return n;
    n = n * base + digit;
  }
}

void hd_schedule_line(const char *text) {
  if (line_count == line_room) {
    unsigned room = line_room ? line_room * 2 : 256;
    Line *more = hd_map(room * sizeof *more);
    if (!more) return;
    if (lines) memcpy(more, lines, line_count * sizeof *lines);
    lines = more;
    line_room = room;
  }
  Line *l = &lines[line_count++];
  l->up_to = number(&text, 10);
  l->kind = (int)number(&text, 10);
  l->flags = (int)number(&text, 10);
  for (unsigned i = 0; i < PLACES; i++) {
    l->places[i] = number(&text, 16);
    if (*text != ',') break;
    text++;
  }
  while (*text == ' ') text++;
  strncpy(l->name, text, HD_NAME - 1);
}

void hd_last_first(void) { last_first = true; }
void hd_goes_on(void) { goes_on = true; }

static bool scheduled(void) { return !given_up && line < line_count; }

static unsigned thread_total(void) { return atomic_load(&hd_thread_count); }

static Thread *named(const char *name) {
  for (unsigned i = 0, n = thread_total(); i < n; i++)
    if (hd_threads[i] && strcmp(hd_threads[i]->name, name) == 0) return hd_threads[i];
  return NULL;
}

static void give_up(const char *why, const char *detail) {
  if (!scheduled()) return;
  hd_result("gave-up %u %s%s", line + 1, why, detail ? detail : "");
  given_up = true;
}

/* The step that ends the present line, which is the thread's. */
static uint64_t end_of_line(const Thread *t) { return lines[line].up_to + t->drift; }

static void line_done(void) {
  hd_result("line %u %llu %llx %d", line + 1, (unsigned long long)lines[line].up_to, (unsigned long long)(uintptr_t)begun_pc, begun_kind);
  line++;
  begun = false;
  begun_pc = NULL;
  begun_kind = 0;
}

/* The process ends in the very step that ends a line: then it was carried out. */
void hd_last_line(void) {
  if (hd_config.mode == HD_REPLAY && scheduled() && begun && runner == hd_me) line_done();
}

/* --- who is next --- */

static void run(Thread *t) {
  runner = t;
  t->state = HD_RUNS;
  t->waits_for = NULL;
  atomic_store(&t->turn, 1);
  futex(&t->turn, FUTEX_WAKE_PRIVATE, 1, NULL);
}

static void tell_deadlock(void) {
  static bool told;
  if (told) return;
  told = true;
  for (unsigned i = 0, n = thread_total(); i < n; i++) {
    Thread *t = hd_threads[i];
    if (!t || t->state != HD_BLOCKED) continue;
    hd_tell_wait(t, hd_holder(t->waits_for));
  }
  hd_result("deadlock");
}

static bool anyone(int state) {
  for (unsigned i = 0, n = thread_total(); i < n; i++)
    if (hd_threads[i] && hd_threads[i]->state == state) return true;
  return false;
}

/* Ready threads that do not sleep, or have slept long enough; of these the next after the one that ran last. */
static Thread *fair(Thread *last) {
  unsigned n = thread_total();
  int64_t now = hd_now();
  if (hd_has_rule()) return hd_next_by_rule(hd_threads, n, last, now);
  if (goes_on && last && last->state == HD_READY && last->deadline == 0) {
    goes_on = false; /* once: it may spin for what another one does */
    return last;
  }
  for (unsigned k = 1; k <= n; k++) {
    unsigned from = last ? last->id : last_first ? 0 : n - 1;
    unsigned i = last_first ? (from + n - k % n) % n : (from + k) % n;
    Thread *t = hd_threads[i];
    if (t && t->state == HD_READY && (t->deadline == 0 || t->deadline <= now)) return t;
  }
  return NULL;
}

/* Of the threads in this state that have a deadline the one whose time comes first. */
static Thread *earliest(int state) {
  Thread *first = NULL;
  for (unsigned i = 0, n = thread_total(); i < n; i++) {
    Thread *t = hd_threads[i];
    if (t && t->state == state && t->deadline != 0 && (!first || t->deadline < first->deadline)) first = t;
  }
  return first;
}

static void time_out(Thread *t) {
  t->woken = 2;
  t->deadline = 0;
  run(t);
}

/* With the gate locked and nobody running. */
static void pick(Thread *last) {
  runner = NULL;
  while (scheduled()) {
    Line *l = &lines[line];
    Thread *t = named(l->name);
    if (!t) {
      if (anyone(HD_AWAY)) return;
      give_up("it was never made: ", l->name);
      break;
    }
    if (t->state == HD_READY) {
      if (t->steps > end_of_line(t)) {
        line_done();
        continue;
      }
      t->deadline = 0;
      run(t);
      return;
    }
    if (t->state == HD_BLOCKED && (l->flags & TIMES_OUT) && t->deadline != 0) {
      time_out(t);
      return;
    }
    if (t->state == HD_AWAY) return; /* it will come, or the watchdog gives up */
    if (t->state == HD_GONE && t->steps >= end_of_line(t)) {
      line_done();
      continue;
    }
    if (t->state == HD_GONE) give_up("it ended before that: ", l->name);
    else {
      /* Time passes where nothing else can happen. */
      Thread *late = t->deadline != 0 ? t : NULL;
      if (late) {
        time_out(late);
        return;
      }
      const Thread *holder = hd_holder(t->waits_for);
      give_up(holder ? "it has to wait for what is held by " : "it has to wait: ", holder ? holder->name : l->name);
    }
    break;
  }
  Thread *next = fair(last);
  /* One that goes round and round may wait for what a sleeper will do. */
  static unsigned alone;
  alone = next && next == last ? alone + 1 : 0;
  if (alone > MOST_ALONE && earliest(HD_READY)) next = earliest(HD_READY), alone = 0;
  if (!next && anyone(HD_AWAY)) {
    /* Sleeps are short compared with what is outside. */
    next = earliest(HD_READY);
    if (next) {
      next->deadline = 0;
      run(next);
    }
    return;
  }
  if (!next) next = earliest(HD_READY);
  if (next) {
    next->deadline = 0;
    run(next);
    return;
  }
  next = earliest(HD_BLOCKED);
  if (next) time_out(next);
  /* Otherwise nobody can go on. The watchdog says so, when it has looked for what we do not see. */
}

static void wait_turn(Thread *t) {
  while (atomic_load(&t->turn) == 0) futex(&t->turn, FUTEX_WAIT_PRIVATE, 0, NULL);
  atomic_store(&t->turn, 0);
}

static bool is_at(const Line *l, int kind, void *pc) {
  if (kind != 0 && l->kind != 0 && l->kind != kind) return false;
  if (pc == NULL || l->places[0] == 0) return true;
  for (unsigned i = 0; i < PLACES; i++)
    if (l->places[i] == (uintptr_t)pc - hd_program_base) return true;
  return false;
}

/* With the turn, before step `t->steps`: how far may it go without asking? */
static void set_until(Thread *t, int kind, void *pc) {
  if (!scheduled()) {
    t->until = t->steps + (hd_has_rule() ? 0 : QUANTUM);
    return;
  }
  Line *l = &lines[line];
  if (t->steps < end_of_line(t)) {
    t->until = end_of_line(t) - 1;
    return;
  }
  t->until = t->steps;
  if (is_at(l, kind, pc)) {
    begun = true;
    begun_pc = kind == HD_BEGIN ? t->create_site : kind == HD_FREE ? hd_site_of_free(pc) : hd_site(pc);
    begun_kind = kind;
    t->tries = 0;
  } else if (l->places[0] != 0 && t->tries++ < MOST_DRIFT) {
    t->drift++;
  } else {
    give_up("it does something else there: ", l->name);
    t->until = t->steps + QUANTUM;
  }
}

/* The line of the one that runs has been carried out when it stands before a later step. */
static void settle_line(Thread *t, uint64_t stands_before) {
  while (scheduled() && strcmp(lines[line].name, t->name) == 0 && stands_before > end_of_line(t)) line_done();
}

static void stand(Thread *t, int kind, void *pc, int state) {
  t->state = state;
  t->seq = ++queue_numbers;
  if (runner == t || runner == NULL) pick(runner);
  unlock_gate();
  wait_turn(t);
  lock_gate();
  set_until(t, kind, pc);
}

void hd_gate(Thread *t, int kind, const void *object, void *pc) {
  if (hd_config.mode == HD_DELAY) {
    hd_delayed(t, kind, object, pc);
    return;
  }
  if (hd_config.mode != HD_REPLAY) {
    t->until = UINT64_MAX;
    return;
  }
  lock_gate();
  if (runner == t) {
    settle_line(t, t->steps);
    /* It goes on where the next line is its own. */
    if (scheduled() && strcmp(lines[line].name, t->name) == 0) {
      set_until(t, kind, pc);
      unlock_gate();
      return;
    }
    if (!scheduled() && hd_has_rule() && !hd_passes_on(t, kind, object)) {
      t->until = t->steps;
      unlock_gate();
      return;
    }
  }
  stand(t, kind, pc, HD_READY);
  unlock_gate();
}

void hd_block(Thread *t, int kind, const void *object, void *pc, int64_t deadline) {
  lock_gate();
  if (runner == t) settle_line(t, t->steps);
  t->waits_for = object;
  t->waits_kind = kind;
  t->waits_pc = hd_site(pc);
  hd_callers(t, pc, t->waits_stack);
  t->deadline = deadline;
  t->woken = 0;
  stand(t, kind, pc, HD_BLOCKED);
  t->deadline = 0;
  unlock_gate();
}

static void wake(Thread *t) {
  t->woken = 1;
  t->deadline = 0;
  t->state = HD_READY;
}

void hd_wake_all(const void *object) {
  lock_gate();
  for (unsigned i = 0, n = thread_total(); i < n; i++)
    if (hd_threads[i] && hd_threads[i]->state == HD_BLOCKED && hd_threads[i]->waits_for == object) wake(hd_threads[i]);
  unlock_gate();
}

bool hd_wake_one(const void *object) {
  lock_gate();
  Thread *best = NULL;
  unsigned best_line = UINT_MAX, waiting = 0;
  for (unsigned i = 0, n = thread_total(); i < n; i++) {
    Thread *t = hd_threads[i];
    if (!t || t->state != HD_BLOCKED || t->waits_for != object) continue;
    unsigned at = UINT_MAX;
    for (unsigned l = line; !given_up && l < line_count; l++)
      if (strcmp(lines[l].name, t->name) == 0 && lines[l].up_to + t->drift >= t->steps) {
        at = l;
        break;
      }
    if (at == UINT_MAX) waiting++;
    bool any = at == UINT_MAX && best_line == UINT_MAX && hd_takes_signal(waiting);
    if (!best || at < best_line || (at == best_line && t->seq < best->seq) || any) {
      best = t;
      best_line = at;
    }
  }
  if (best) wake(best);
  unlock_gate();
  return best != NULL;
}

void hd_cancel(Thread *t) {
  lock_gate();
  t->cancelled = 1;
  bool may_end = t->waits_kind == HD_WOKEN || t->waits_kind == HD_JOIN || t->waits_kind == HD_SEM_WAIT;
  if (t->state == HD_BLOCKED && may_end) wake(t);
  unlock_gate();
}

/* With everything given back that the caller has taken. */
void hd_end_if_cancelled(Thread *t) {
  if (HD_LIKELY(!t->cancelled)) return;
  int inside = t->inside;
  t->inside = 0;
  pthread_testcancel();
  t->inside = inside; /* it may not be cancelled now */
}

void hd_rest(Thread *t, int64_t ns) {
  lock_gate();
  if (runner == t && !scheduled()) {
    t->deadline = ns > 0 ? hd_now() + ns : 0;
    stand(t, HD_YIELD, NULL, HD_READY);
    t->deadline = 0;
  }
  unlock_gate();
}

void hd_outside(Thread *t) {
  if (hd_config.mode != HD_REPLAY) return;
  lock_gate();
  t->state = HD_AWAY;
  if (runner == t) {
    settle_line(t, t->steps + 1); /* what it does outside is its step */
    pick(t);
  }
  unlock_gate();
}

void hd_back(Thread *t) {
  if (hd_config.mode != HD_REPLAY) return;
  lock_gate();
  /* The step has been taken: it stands before the next one. */
  t->steps++;
  stand(t, 0, NULL, HD_READY);
  t->steps--;
  if (t->until == t->steps + 1) t->until = t->steps;
  unlock_gate();
}

void hd_arrived_wait(Thread *child) {
  for (int i = 0; i < 20000 && child->state == HD_AWAY; i++) {
    struct timespec pause = {0, i < 100 ? 20000 : 500000};
    syscall(SYS_nanosleep, &pause, NULL);
  }
}

void hd_gone(Thread *t) {
  lock_gate();
  t->state = HD_GONE;
  if (runner == t) {
    settle_line(t, t->steps + 1);
    pick(t);
  }
  unlock_gate();
}

/* --- the watchdog: a thread of ours, unseen by the program --- */

static bool is_asleep(const Thread *t) {
  char path[64] = "/proc/self/task/", digits[12], text[256];
  int n = t->os_id, k = 0;
  do digits[k++] = (char)('0' + n % 10);
  while ((n /= 10) > 0);
  char *at = path + strlen(path);
  while (k > 0) *at++ = digits[--k];
  strcpy(at, "/stat");
  int fd = (int)syscall(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return false;
  ssize_t got = syscall(SYS_read, fd, text, sizeof text - 1);
  syscall(SYS_close, fd);
  if (got <= 0) return false;
  text[got] = 0;
  char *end = strrchr(text, ')');
  return end && end[2] == 'S'; /* D, a wait for the disk, ends by itself */
}

/* A handler of a signal, or a stranger, may have posted what somebody waits for. */
static bool is_posted_for(void) {
  bool any = false;
  for (unsigned i = 0, n = thread_total(); i < n; i++) {
    Thread *t = hd_threads[i];
    if (!t || t->state != HD_BLOCKED || t->waits_kind != HD_SEM_WAIT || !hd_semaphore_posted(t->waits_for)) continue;
    wake(t);
    any = true;
  }
  return any;
}

/* Nobody runs. Is that for ever? */
static bool is_stuck(void) {
  if (anyone(HD_AWAY) || anyone(HD_READY) || !anyone(HD_BLOCKED) || earliest(HD_BLOCKED)) return false;
  return !hd_timer_is_set() && !hd_strangers(watchdog);
}

static void *watch(void *unused) {
  (void)unused;
  watchdog = (int)syscall(SYS_gettid);
  Thread *seen = NULL;
  uint64_t steps = 0;
  unsigned stuck = 0;
  unsigned asleep = 0, nobody = 0, at_line = UINT_MAX;
  for (;;) {
    struct timespec pause = {0, LOOK_MS * 1000000};
    syscall(SYS_nanosleep, &pause, NULL);
    if (hd_config.mode != HD_REPLAY) return NULL;
    lock_gate();
    /* main may have ended by pthread_exit: the process ends with its last thread, and that must not be this one. */
    if (!anyone(HD_RUNS) && !anyone(HD_READY) && !anyone(HD_BLOCKED) && !anyone(HD_AWAY)) {
      unlock_gate();
      return NULL;
    }
    Thread *t = runner;
    if (t && t == seen && t->steps == steps && is_asleep(t)) asleep++;
    else asleep = 0;
    seen = t;
    steps = t ? t->steps : 0;
    if (asleep >= ASLEEP_LOOKS) {
      asleep = 0;
      t->state = HD_AWAY;
      t->until = 0;
      settle_line(t, t->steps + 1);
      pick(t);
    }
    /* While somebody is away time passes as it does. */
    Thread *late = runner ? NULL : earliest(HD_BLOCKED);
    if (late && late->deadline <= hd_now()) time_out(late);
    if (!runner && (is_posted_for() || anyone(HD_READY))) pick(NULL);
    stuck = !runner && is_stuck() ? stuck + 1 : 0;
    if (stuck >= STUCK_LOOKS) tell_deadlock();
    nobody = !runner && at_line == line ? nobody + 1 : 0;
    at_line = line;
    if (nobody >= PATIENCE_LOOKS && scheduled()) {
      give_up("it is held up by something outside: ", lines[line].name);
      pick(NULL);
      nobody = 0;
    }
    unlock_gate();
  }
}

void hd_gate_start(void) {
  if (hd_config.mode != HD_REPLAY) return;
  runner = hd_me;
  runner->state = HD_RUNS;
  runner->until = 0;
  hd_own_thread(watch);
}

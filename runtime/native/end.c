/*
 * The end of the process, in every way it can end, and its children.
 *
 * Leaving the process is a step, so that a schedule can let other threads run before it. The handler of on_exit is registered before those of the
 * program and so runs after them: what goes wrong in those is still recorded. A forked child is not observed. vfork is replaced by fork, because what
 * its child does before exec would be recorded as its parent's.
 */
#include "crash.h"
#include "descriptors.h"
#include "gate.h"
#include <pthread.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

static int owner;
static _Atomic int code_of_quick_exit;

bool hd_is_ours(void) { return owner != 0 && hd_config.mode != HD_OFF && (int)syscall(SYS_getpid) == owner; }

static void ended(int code) {
  static _Atomic int told;
  if (!hd_is_ours() || atomic_exchange(&told, 1)) return;
  Thread *t = hd_me;
  int inside = t ? t->inside : 0;
  if (t) t->inside = 1;
  hd_last_line();
  hd_tell_dropped();
  hd_result("end %d", code & 255);
  if (t) t->inside = inside;
}

static void on_end(int code, void *unused) {
  (void)unused;
  /* A step, so that others can go on after what the program's own handlers did. */
  Thread *t = hd_is_ours() ? hd_enter() : NULL;
  if (t) {
    hd_step(t, HD_YIELD, NULL, NULL);
    hd_record(t, HD_YIELD, NULL, 0, NULL);
    hd_leave(t);
  }
  ended(code);
}
static void on_quick_end(void) { ended(atomic_load(&code_of_quick_exit)); }

static void in_child(void) {
  hd_blocks_on = false;
  hd_off();
}

void hd_end_start(void) {
  owner = (int)syscall(SYS_getpid);
  on_exit(on_end, NULL);
  at_quick_exit(on_quick_end);
  pthread_atfork(NULL, NULL, in_child);
}

/* A step before the program's own handlers run. Where nothing says who is next, others go first: what they do is not to be cut short. */
static void leaving(int code, void *pc) {
  Thread *t = hd_enter();
  if (!t) return;
  if (hd_config.mode == HD_RECORD && (code & 255) == hd_config.good_exit && hd_multi && hd_is_ours()) hd_linger(t);
  hd_step(t, HD_YIELD, NULL, pc);
  hd_record(t, HD_YIELD, NULL, 0, pc);
  if (hd_gated()) hd_rest(t, 1000000000);
  hd_leave(t);
}

HD_EXPORT void exit(int code) {
  leaving(code, HD_CALLER);
  REAL(exit)(code);
  __builtin_unreachable();
}
HD_EXPORT void _exit(int code) {
  leaving(code, HD_CALLER);
  ended(code);
  REAL(_exit)(code);
  __builtin_unreachable();
}
HD_EXPORT void _Exit(int code) {
  leaving(code, HD_CALLER);
  ended(code);
  REAL(_Exit)(code);
  __builtin_unreachable();
}
HD_EXPORT void quick_exit(int code) {
  leaving(code, HD_CALLER);
  atomic_store(&code_of_quick_exit, code);
  REAL(quick_exit)(code);
  __builtin_unreachable();
}

/* main is called by one of ours, to see it return. libc calls its own exit then. */
typedef int Main(int, char **, char **);
static Main *real_main;
static int watched_main(int count, char **words, char **environment) {
  hd_live();
  int code = real_main(count, words, environment);
  leaving(code, (char *)real_main + 1); /* reads as a place in main */
  return code;
}
typedef void Routine(void);
int __libc_start_main(Main *main, int count, char **words, Routine *init, Routine *fini, Routine *rtld_fini, void *stack);
HD_EXPORT int __libc_start_main(Main *main, int count, char **words, Routine *init, Routine *fini, Routine *rtld_fini, void *stack) {
  real_main = main;
  return REAL(__libc_start_main)(watched_main, count, words, init, fini, rtld_fini, stack);
}

HD_EXPORT pid_t vfork(void) { return fork(); }

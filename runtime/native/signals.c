/*
 * The program's signal handlers. A handler may run at any point, also inside the runtime, so nothing in it is recorded. Every handler is called by
 * one of the runtime's, which marks the thread as inside. Fatal signals go to crash.c first.
 *
 * A handler can also be left by a jump (longjmp). The mark is then removed, and so is that of a call that the signal interrupted (a read that an
 * alarm ends).
 */
#include "crash.h"
#include "descriptors.h"
#include <setjmp.h>
#include <string.h>

#define SIGNALS 65
#define DEEPEST 16

int (*hd_real_sigaction)(int, const struct sigaction *, struct sigaction *);
static struct sigaction wanted[SIGNALS];
static bool on;

/* Handlers that run in this thread, innermost last: the frame of ours, and how the thread was marked before. */
typedef struct {
  int depth;
  struct {
    uintptr_t frame;
    int inside;
  } at[DEEPEST];
} Running;
static __thread Running running __attribute__((tls_model("initial-exec")));

struct sigaction hd_wanted(int number) { return wanted[number]; }

void hd_run_handler(int number, siginfo_t *about, void *context) {
  struct sigaction own = wanted[number];
  Thread *t = hd_me;
  Running *r = &running;
  int before = t ? t->inside : 0;
  bool noted = r->depth < DEEPEST;
  if (noted) {
    r->at[r->depth].frame = (uintptr_t)__builtin_frame_address(0);
    r->at[r->depth++].inside = before;
  }
  if (t) t->inside = 1;
  if (own.sa_flags & (int)SA_RESETHAND) wanted[number].sa_handler = SIG_DFL;
  if (own.sa_flags & SA_SIGINFO) own.sa_sigaction(number, about, context);
  else own.sa_handler(number);
  if (noted) r->depth--;
  if (t && hd_me) t->inside = before;
}

static void handle(int number, siginfo_t *about, void *context) {
  if (hd_is_deadly(number)) hd_deadly(number, about, context);
  else if (wanted[number].sa_handler != SIG_DFL && wanted[number].sa_handler != SIG_IGN) hd_run_handler(number, about, context);
  if (!hd_is_deadly(number) && wanted[number].sa_handler == SIG_DFL) { /* it was for one time */
    struct sigaction plain = {.sa_handler = SIG_DFL};
    hd_real_sigaction(number, &plain, NULL);
  }
}

/* Ours, in the way the program wants it. */
static struct sigaction ours(int number, const struct sigaction *theirs) {
  struct sigaction action = *theirs;
  action.sa_flags = (action.sa_flags | SA_SIGINFO) & ~(int)SA_RESETHAND;
  action.sa_sigaction = handle;
  if (hd_is_deadly(number)) {
    action.sa_flags |= SA_ONSTACK;
    sigdelset(&action.sa_mask, SIGSEGV);
  }
  return action;
}

static bool is_plain(const struct sigaction *action) { return action->sa_handler == SIG_DFL || action->sa_handler == SIG_IGN; }

/* Has the program a handler for a signal that somebody may send? */
bool hd_handles_signals(void) {
  for (int i = 1; i < SIGNALS; i++)
    if (!is_plain(&wanted[i]) && !hd_is_deadly(i)) return true;
  return false;
}

static int set(int number, const struct sigaction *action, struct sigaction *old) {
  if (!hd_real_sigaction) hd_real_sigaction = (__typeof__(hd_real_sigaction))hd_real("sigaction");
  if (!on || number <= 0 || number >= SIGNALS) return hd_real_sigaction(number, action, old);
  struct sigaction before;
  if (hd_real_sigaction(number, NULL, &before) != 0) return -1;
  if (before.sa_flags & SA_SIGINFO && before.sa_sigaction == handle) before = wanted[number];
  if (action) {
    struct sigaction theirs = *action, mine = ours(number, action);
    bool direct = is_plain(&theirs) && !hd_is_deadly(number);
    struct sigaction last = wanted[number];
    wanted[number] = theirs; /* before it can be needed */
    if (hd_real_sigaction(number, direct ? &theirs : &mine, NULL) != 0) {
      wanted[number] = last;
      return -1;
    }
  }
  if (old) *old = before;
  return 0;
}

void hd_signals_start(void) {
  hd_real_sigaction = (__typeof__(hd_real_sigaction))hd_real("sigaction");
  if (!hd_real_sigaction) return;
  on = true;
  /* Those that are there already are asked for and set again. */
  for (int n = 1; n < SIGNALS; n++) {
    struct sigaction action;
    if (hd_real_sigaction(n, NULL, &action) == 0 && (hd_is_deadly(n) || !is_plain(&action))) set(n, &action, NULL);
  }
}

HD_EXPORT int sigaction(int number, const struct sigaction *restrict action, struct sigaction *restrict old) {
  return set(number, action, old);
}

static sighandler_t simple(int number, sighandler_t handler, int flags) {
  struct sigaction action = {.sa_handler = handler, .sa_flags = flags}, old;
  if (!(flags & SA_NODEFER)) sigaddset(&action.sa_mask, number);
  return set(number, &action, &old) == 0 ? old.sa_handler : SIG_ERR;
}
HD_EXPORT sighandler_t signal(int number, sighandler_t handler) { return simple(number, handler, SA_RESTART); }
HD_EXPORT sighandler_t bsd_signal(int number, sighandler_t handler) { return simple(number, handler, SA_RESTART); }
HD_EXPORT sighandler_t ssignal(int number, sighandler_t handler) { return simple(number, handler, SA_RESTART); }
HD_EXPORT sighandler_t __sysv_signal(int number, sighandler_t handler) { return simple(number, handler, (int)SA_RESETHAND | SA_NODEFER); }
HD_EXPORT sighandler_t sysv_signal(int number, sighandler_t handler) { return simple(number, handler, (int)SA_RESETHAND | SA_NODEFER); }

/* --- jumps --- */

/* Where the stack will be after the jump; glibc hides it a little. 0 where we do not know: then it counts as a jump out of the handler. */
static uintptr_t stack_after(struct __jmp_buf_tag *to) {
#if defined(__x86_64__)
  uintptr_t at = (uintptr_t)to->__jmpbuf[6], guard;
  __asm__("mov %%fs:0x30, %0" : "=r"(guard));
  return (at >> 17 | at << 47) ^ guard;
#else
  (void)to;
  return 0;
#endif
}

static void leaving(struct __jmp_buf_tag *to) {
  Running *r = &running;
  if (r->depth == 0) return;
  uintptr_t after = stack_after(to), here = (uintptr_t)__builtin_frame_address(0);
  bool left = false;
  int inside = 0;
  /* What the jump stays in lies between here and the frame of the handler. */
  while (r->depth > 0 && !(after > here && after < r->at[r->depth - 1].frame)) {
    inside = r->at[--r->depth].inside;
    left = true;
  }
  Thread *t = hd_me;
  if (!left || !t) return;
  if (inside && hd_call) hd_call_cut(hd_call);
  /* Where it goes is the program's code: in an outer handler, or outside of all. */
  t->inside = r->depth > 0;
}

#define JUMPS(name, type)                                       \
  HD_EXPORT void name(type to, int value) {                     \
    leaving(to);                                                \
    REAL(name)(to, value);                                      \
    __builtin_unreachable();                                    \
  }
void __longjmp_chk(jmp_buf to, int value) __attribute__((noreturn));
JUMPS(longjmp, jmp_buf)
JUMPS(_longjmp, jmp_buf)
JUMPS(siglongjmp, sigjmp_buf)
JUMPS(__longjmp_chk, jmp_buf)

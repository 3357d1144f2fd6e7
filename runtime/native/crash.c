/*
 * Fatal signals. The thread, the address and the stack are recorded. Then the signal takes its normal course: the program's handler runs, or the
 * program dies.
 *
 * The stack comes from backtrace(), which is called once at the start so that it has loaded what it needs. Frames of the runtime are left out.
 */
#include "crash.h"
#include "gate.h"
#include <errno.h>
#include <execinfo.h>
#include <link.h>
#include <string.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#define FRAMES 64
#define STACK (64u << 10)
/* A program that handles its faults and lives with them would fill the disk. */
#define MOST_TOLD 32

/* Where a module lies. */
typedef struct {
  uintptr_t inside, low, high;
} Module;
static Module us, libc, libstdcxx;

static bool is_in(const Module *module, uintptr_t at) { return at >= module->low && at < module->high; }

static int find(struct dl_phdr_info *info, size_t size, void *data) {
  (void)size;
  Module *module = data;
  uintptr_t low = UINTPTR_MAX, high = 0;
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *part = &info->dlpi_phdr[i];
    if (part->p_type != PT_LOAD) continue;
    uintptr_t from = info->dlpi_addr + part->p_vaddr;
    if (from < low) low = from;
    if (from + part->p_memsz > high) high = from + part->p_memsz;
  }
  if (module->inside < low || module->inside >= high) return 0;
  module->low = low;
  module->high = high;
  return 1;
}

static void find_module(Module *module, void *address) {
  module->inside = (uintptr_t)address;
  if (address) dl_iterate_phdr(find, module);
}

/* Stacks for handlers, with the threads that have them: those of threads that have ended are used again. */
#define STACKS 256
static struct {
  _Atomic(Thread *) user;
  void *_Atomic at;
} stacks[STACKS];

static void *stack_for(Thread *t) {
  for (int i = 0; t && i < STACKS; i++) {
    Thread *user = atomic_load(&stacks[i].user);
    if ((user && !user->ended) || !atomic_compare_exchange_strong(&stacks[i].user, &user, t)) continue;
    if (!stacks[i].at) stacks[i].at = hd_map(STACK);
    return stacks[i].at;
  }
  return hd_map(STACK);
}

void hd_crash_thread(void) {
  stack_t now;
  if (sigaltstack(NULL, &now) != 0 || !(now.ss_flags & SS_DISABLE)) return;
  stack_t own = {.ss_sp = stack_for(hd_me), .ss_size = STACK};
  if (own.ss_sp) sigaltstack(&own, NULL);
}

void hd_crash_start(void) {
  void *frames[4];
  backtrace(frames, 4);
  find_module(&us, (void *)find);
  find_module(&libc, hd_real("abort"));
  find_module(&libstdcxx, hd_real("__cxa_throw"));
  hd_crash_thread();
  hd_signals_start();
  hd_end_start();
}

static uintptr_t pc_of(const ucontext_t *context) {
#if defined(__x86_64__)
  return (uintptr_t)context->uc_mcontext.gregs[REG_RIP];
#elif defined(__aarch64__)
  return (uintptr_t)context->uc_mcontext.pc;
#else
  (void)context;
  return 0;
#endif
}

/* A jump to nowhere leaves nothing to unwind: who called is on top of the stack, or in the link register. */
static uintptr_t caller_of(const ucontext_t *context) {
#if defined(__x86_64__)
  return *(uintptr_t *)context->uc_mcontext.gregs[REG_RSP];
#elif defined(__aarch64__)
  return (uintptr_t)context->uc_mcontext.regs[30];
#else
  (void)context;
  return 0;
#endif
}

static size_t put(char *text, size_t at, uintptr_t pc) {
  text[at++] = ' ';
  int top = 60;
  while (top > 0 && !(pc >> top)) top -= 4;
  for (; top >= 0; top -= 4) text[at++] = "0123456789abcdef"[pc >> top & 15];
  return at;
}

/*
 * Return addresses, innermost first. The place of the fault itself is written one higher, so that it reads like one. Of an abort, what
 * the libraries do between it and the program is left out.
 */
static void write_stack(char *text, const ucontext_t *context, bool is_abort) {
  void *frames[FRAMES];
  int n = backtrace(frames, FRAMES), first = 0;
  uintptr_t pc = pc_of(context);
  while (first < n && (uintptr_t)frames[first] != pc) first++;
  size_t at = 0;
  if (!is_abort && !is_in(&us, pc)) at = put(text, at, pc + 1);
  if (first == n && pc < 65536) at = put(text, at, caller_of(context));
  for (int i = first + 1; i < n; i++) {
    uintptr_t frame = (uintptr_t)frames[i];
    if (is_in(&us, frame) || (is_abort && at == 0 && i < n - 2 && (is_in(&libc, frame) || is_in(&libstdcxx, frame)))) continue;
    at = put(text, at, frame);
  }
  text[at] = 0;
}

static void tell(int number, const siginfo_t *about, const ucontext_t *context) {
  static _Atomic int told;
  static __thread bool telling __attribute__((tls_model("initial-exec")));
  if (telling || !hd_is_ours() || atomic_fetch_add(&told, 1) >= MOST_TOLD) return;
  telling = true;
  char text[FRAMES * 18 + 1];
  Thread *t = hd_me;
  const char *name = t ? t->name : "-";
  write_stack(text, context, number == SIGABRT);
  hd_last_line();
  if (number == SIGABRT) hd_result("assert %s%s", name, text);
  else hd_result("signal %d %llx %s%s", number, (unsigned long long)(about->si_code > 0 ? (uintptr_t)about->si_addr : 0), name, text);
  telling = false;
}

void hd_deadly(int number, siginfo_t *about, void *context) {
  int error = errno;
  Thread *t = hd_me;
  int inside = t ? t->inside : 0;
  if (t) t->inside = 1;
  struct sigaction wanted = hd_wanted(number);
  bool sent = about->si_code <= 0; /* by kill or raise, not by what it did */
  bool ignored = wanted.sa_handler == SIG_IGN && sent;
  if (!ignored) tell(number, about, context);
  if (t) t->inside = inside;
  errno = error;
  if (ignored) return;
  if (wanted.sa_handler != SIG_DFL && wanted.sa_handler != SIG_IGN) {
    hd_run_handler(number, about, context);
    return;
  }
  struct sigaction plain = {.sa_handler = SIG_DFL};
  hd_real_sigaction(number, &plain, NULL);
  /* A fault happens again by itself when we return. */
  if (sent) syscall(SYS_tgkill, getpid(), (int)syscall(SYS_gettid), number);
}

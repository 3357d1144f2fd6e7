/*
 * Deadlocks in a recorded run, a plain one and one with delays: every thread waits, without a time-out, for something that only another thread of the
 * program can do. A thread of the runtime looks for this now and then. It reports the deadlock as a replay by steps does.
 *
 * No deadlock is reported if something else could wake a thread: a signal handler, a timer, a thread that is not observed, memory that is shared with
 * another process.
 */
#include "core.h"
#include "crash.h"
#include "gate.h"
#include "real.h"
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

enum { LOOK_MS = 100, STUCK_LOOKS = 5 };

static int watcher; /* its number */

/* Threads of the process that we know nothing of, such as those that timers make. `ours`: a thread of the runtime. */
bool hd_strangers(int ours) {
  int fd = (int)syscall(SYS_openat, AT_FDCWD, "/proc/self/task", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) return false;
  bool found = false;
  char entries[2048];
  long got;
  while ((got = syscall(SYS_getdents64, fd, entries, sizeof entries)) > 0) {
    for (long at = 0; at < got;) {
      unsigned short size;
      memcpy(&size, entries + at + 16, sizeof size);
      int id = 0;
      for (const char *digit = entries + at + 19; *digit >= '0' && *digit <= '9'; digit++) id = id * 10 + *digit - '0';
      bool known = id == 0 || id == ours;
      for (uint32_t i = 0, n = atomic_load(&hd_thread_count); !known && i < n && i < MOST_THREADS; i++)
        known = hd_threads[i] && hd_threads[i]->os_id == id;
      found = found || !known;
      at += size;
    }
  }
  syscall(SYS_close, fd);
  return found;
}

bool hd_timer_is_set(void) {
  struct itimerval timer;
  return syscall(SYS_getitimer, ITIMER_REAL, &timer) == 0 && (timer.it_value.tv_sec != 0 || timer.it_value.tv_usec != 0);
}

static uintptr_t hexadecimal(const char **at) {
  uintptr_t n = 0;
  for (;; ++*at) {
    char c = **at;
    if (c >= '0' && c <= '9') n = n * 16 + (uintptr_t)(c - '0');
    else if (c >= 'a' && c <= 'f') n = n * 16 + (uintptr_t)(c - 'a' + 10);
    else return n;
  }
}

/* Does somebody wait for an object in memory that other processes may have? */
static bool line_is_shared(const char *at) {
  uintptr_t from = hexadecimal(&at);
  if (*at++ != '-') return false;
  uintptr_t to = hexadecimal(&at);
  if (strlen(at) < 5 || at[4] != 's') return false;
  for (uint32_t i = 0, n = atomic_load(&hd_thread_count); i < n && i < MOST_THREADS; i++) {
    const Thread *t = hd_threads[i];
    if (t && (uintptr_t)t->waits_for >= from && (uintptr_t)t->waits_for < to) return true;
  }
  return false;
}

static bool is_shared(void) {
  int fd = (int)syscall(SYS_openat, AT_FDCWD, "/proc/self/maps", O_RDONLY | O_CLOEXEC);
  if (fd < 0) return true;
  char text[4096], line[64];
  size_t length = 0;
  bool found = false;
  long got;
  while (!found && (got = syscall(SYS_read, fd, text, sizeof text)) > 0)
    for (long i = 0; i < got && !found; i++) {
      if (text[i] == '\n') {
        line[length] = 0;
        found = line_is_shared(line);
        length = 0;
      } else if (length < sizeof line - 1) {
        line[length++] = text[i];
      }
    }
  syscall(SYS_close, fd);
  return found;
}

/* Those that have not ended, what all have done, and whether each of them waits for another one. */
typedef struct {
  unsigned there;
  uint64_t steps;
  bool all_wait;
} Look;

static Look look(void) {
  Look now = {.all_wait = true};
  for (uint32_t i = 0, n = atomic_load(&hd_thread_count); i < n && i < MOST_THREADS; i++) {
    const Thread *t = hd_threads[i];
    if (!t || t->ended || t->state == HD_GONE) continue;
    now.there++;
    now.steps += t->steps + t->left_out;
    if (!t->waits_for) now.all_wait = false;
  }
  return now;
}

void hd_tell_wait(const Thread *t, const Thread *holder) {
  char text[HD_CALLERS_TEXT];
  hd_callers_text(t->waits_stack, text);
  hd_result("waits %s|%d|%llx|%llx|%s|%s", t->name, t->waits_kind, (unsigned long long)(uintptr_t)t->waits_for,
            (unsigned long long)(uintptr_t)t->waits_pc, holder ? holder->name : "-", text);
}

bool hd_first_to_tell(void) {
  static _Atomic int told;
  return !atomic_exchange(&told, 1);
}

void hd_deadlocked(void) {
  hd_result("deadlock");
  if (hd_config.mode == HD_RECORD) syscall(SYS_kill, getpid(), SIGKILL);
}

static void tell(void) {
  if (!hd_first_to_tell()) return;
  for (uint32_t i = 0, n = atomic_load(&hd_thread_count); i < n && i < MOST_THREADS; i++) {
    const Thread *t = hd_threads[i];
    if (!t || t->ended || t->state == HD_GONE || !t->waits_for) continue;
    hd_tell_wait(t, hd_holder(t->waits_for));
  }
  hd_deadlocked();
}

static void *watch(void *unused) {
  (void)unused;
  watcher = (int)syscall(SYS_gettid);
  uint64_t steps = 0;
  unsigned stuck = 0;
  for (;;) {
    struct timespec pause = {0, LOOK_MS * 1000000};
    syscall(SYS_nanosleep, &pause, NULL);
    if (!hd_waits_really() || !hd_is_ours()) return NULL;
    Look now = look();
    /* main may have ended by pthread_exit: the process ends with its last thread, and that must not be this one. */
    if (now.there == 0) return NULL;
    stuck = now.all_wait && now.steps == steps ? stuck + 1 : 0;
    steps = now.steps;
    if (stuck < STUCK_LOOKS) continue;
    if (hd_handles_signals() || hd_timer_is_set() || hd_strangers(watcher) || is_shared()) stuck = 0;
    else tell();
  }
}

/* A thread of our own, unseen by the program. */
bool hd_own_thread(void *(*start)(void *)) {
  int (*create)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *) =
      (int (*)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *))hd_real("pthread_create");
  if (!create) return false;
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  pthread_t handle;
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, 256 << 10);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  bool made = create(&handle, &attributes, start, NULL) == 0;
  pthread_attr_destroy(&attributes);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  return made;
}

void hd_watch_stuck(void) {
  static _Atomic int begun;
  if (hd_waits_really() && !atomic_exchange(&begun, 1)) hd_own_thread(watch);
}

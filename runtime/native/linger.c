/*
 * Threads that have not finished their work when the process is about to end. How late a process ends depends on the machine. So while a run is
 * recorded, the end waits a little for threads that can still run: those that have not begun, those that are running, and those in a sleep that ends
 * soon. It does not wait for blocked threads.
 */
#include "core.h"
#include "gate.h"
#include <fcntl.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { MOST_MS = 1000, POLL_MS = 3, QUIET_POLLS = 4 };

/* Is it on a processor, or does it want one? */
static bool is_running(int os_id) {
  char path[48] = "/proc/self/task/";
  char *at = path + strlen(path);
  hd_put_number(&at, path + 40, (uint64_t)os_id, 10);
  memcpy(at, "/stat", 6);
  int fd = (int)syscall(SYS_openat, AT_FDCWD, path, O_RDONLY);
  if (fd < 0) return false;
  char text[256];
  long n = syscall(SYS_read, fd, text, sizeof text - 1);
  syscall(SYS_close, fd);
  if (n <= 0) return false;
  text[n] = 0;
  char *name_end = strrchr(text, ')');
  return name_end && (name_end[2] == 'R' || name_end[2] == 'D');
}

static bool can_go_on(const Thread *t, int64_t until) {
  if (t->os_id == 0) return true; /* it has not begun */
  if (t->deadline > hd_now()) return t->deadline < until; /* it sleeps */
  return is_running(t->os_id);
}

/* How many others have not ended, what they have done so far, and whether one of them could go on. */
typedef struct {
  unsigned others;
  uint64_t steps;
  bool busy;
} Look;

static Look look(const Thread *me, int64_t until) {
  Look now = {0};
  uint32_t count = atomic_load(&hd_thread_count);
  for (uint32_t i = 0; i < count && i < MOST_THREADS; i++) {
    const Thread *t = hd_threads[i];
    if (!t || t == me || t->ended || t->state == HD_GONE) continue;
    now.others++;
    now.steps += t->steps + t->left_out;
    now.busy = now.busy || can_go_on(t, until);
  }
  return now;
}

void hd_linger(Thread *me) {
  int64_t until = hd_now() + MOST_MS * 1000000LL;
  Look first = look(me, until), last = first;
  for (int quiet = 0; last.others > 0 && quiet < QUIET_POLLS && hd_now() < until;) {
    struct timespec pause = {0, POLL_MS * 1000000};
    syscall(SYS_nanosleep, &pause, NULL);
    Look now = look(me, until);
    quiet = now.busy || now.steps != last.steps || now.others != last.others ? 0 : quiet + 1;
    last = now;
  }
  if (last.others < first.others || last.steps > first.steps)
    hd_result(
        "note The program ended while %u of its threads had work to do. How late it ends is up to the machine: the recorded run was extended by what they did.",
        first.others);
}

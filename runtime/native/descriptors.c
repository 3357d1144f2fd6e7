/*
 * The states of descriptors: which numbers this process has closed, which thread closed them, and what kind they are.
 *
 * A use is wrong only if the system says that there is no such descriptor (EBADF) and the runtime has seen it closed. A descriptor that the runtime
 * has not seen opened (inherited, fcntl, opendir) is never taken for a closed one.
 */
#include "descriptors.h"
#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define MOST 65536
/* A pipe takes this much at once if it says that it takes anything. */
#define AT_ONCE 4096

typedef struct {
  _Atomic uint8_t closed;
  _Atomic uint8_t what; /* 1 + HD_FILE …; 0 not known yet */
  const char *who;      /* closed it */
  void *pc;
} Descriptor;

static Descriptor *table;
__thread Call *hd_call __attribute__((tls_model("initial-exec")));

void hd_files_start(void) {
  table = hd_map(MOST * sizeof *table);
  hd_streams_start();
}

static Descriptor *entry(int fd) { return table && fd >= 0 && fd < MOST ? &table[fd] : NULL; }

static void is_open(int fd, int what) {
  Descriptor *d = entry(fd);
  if (!d) return;
  d->closed = 0;
  d->what = what == HD_FILE ? 0 : (uint8_t)(what + 1); /* a path may lead to anything: hd_what_is looks */
}

static void is_closed(int fd, const char *who, void *pc) {
  Descriptor *d = entry(fd);
  if (!d) return;
  d->who = who;
  d->pc = hd_site(pc);
  d->what = 0;
  d->closed = 1;
}

int hd_what_is(int fd) {
  Descriptor *d = entry(fd);
  if (d && d->what) return d->what - 1;
  struct stat about;
  if (fstat(fd, &about) != 0) return HD_FILE;
  int what = S_ISSOCK(about.st_mode) ? HD_SOCKET : S_ISFIFO(about.st_mode) ? HD_PIPE : HD_OTHER;
  if (S_ISREG(about.st_mode) || S_ISDIR(about.st_mode)) what = HD_FILE;
  if (d) d->what = (uint8_t)(what + 1);
  return what;
}

bool hd_would_wait(int fd, int kind, size_t bytes) {
  if (bytes == 0 || hd_config.mode != HD_REPLAY || hd_what_is(fd) == HD_FILE) return false;
  int flags = (int)syscall(SYS_fcntl, fd, F_GETFL);
  if (flags < 0 || flags & O_NONBLOCK) return false;
  bool reads = kind == HD_FD_READ;
  if (!reads && bytes > AT_ONCE) return true;
  struct pollfd p = {.fd = fd, .events = reads ? POLLIN : POLLOUT};
  struct timespec now = {0, 0};
  return syscall(SYS_ppoll, &p, 1, &now, NULL, 0) == 0;
}

static void begin(Call *call, Thread *t, int kind, int fd, void *pc) {
  *call = (Call){.t = t, .pc = pc, .kind = kind, .fd = fd};
  hd_call = call;
}

void hd_wait_outside(Call *call) {
  call->outside = true;
  hd_outside(call->t);
}

/* Back from the real call, whose errno stays. */
static void end(Call *call) {
  hd_call = NULL;
  if (!call->outside) return;
  int error = errno;
  hd_back(call->t);
  errno = error;
}

void hd_call_cut(void *cut) {
  Call *call = cut;
  end(call);
  if (call->kind != HD_FD_WRITE) hd_record(call->t, call->kind, HD_FD(call->fd), 0, call->pc);
  hd_leave(call->t);
}

void hd_use_begin(Call *call, Thread *t, int kind, int fd, size_t bytes, void *pc) {
  int error = errno;
  hd_step(t, kind, HD_FD(fd), pc);
  /* What is written may let another thread go on: its record comes first. */
  if (kind == HD_FD_WRITE) hd_record(t, kind, HD_FD(fd), bytes, pc);
  begin(call, t, kind, fd, pc);
  if (hd_would_wait(fd, kind, bytes)) hd_wait_outside(call);
  errno = error;
}

static void told_if_closed(Thread *t, int fd, const char *rule, void *pc) {
  Descriptor *d = entry(fd);
  if (d && d->closed) hd_violation(t, rule, HD_FD(fd), pc, d->who, d->pc);
}

void hd_use_end(Call *call, long result) {
  end(call);
  int error = errno;
  if (call->kind != HD_FD_WRITE) hd_record(call->t, call->kind, HD_FD(call->fd), result > 0 ? (uint64_t)result : 0, call->pc);
  if (result == -1 && error == EBADF) told_if_closed(call->t, call->fd, "use of a closed descriptor", call->pc);
  errno = error;
}

void hd_wait_begin(Call *call, Thread *t, void *pc) {
  int error = errno;
  hd_step(t, HD_YIELD, NULL, pc);
  begin(call, t, HD_YIELD, 0, pc);
  errno = error;
}

void hd_wait_end(Call *call) {
  end(call);
  int error = errno;
  hd_record(call->t, HD_YIELD, NULL, 0, call->pc);
  errno = error;
}

int hd_opened(Thread *t, int fd, int what, void *pc) {
  int error = errno;
  if (fd >= 0) is_open(fd, what);
  hd_record(t, HD_OPEN, HD_FD(fd), (uint64_t)what, pc);
  errno = error;
  return fd;
}

int hd_also_opened(Thread *t, int fd, int what, void *pc) {
  if (fd < 0) return fd;
  int error = errno;
  hd_step(t, HD_OPEN, HD_FD(fd), pc);
  errno = error;
  return hd_opened(t, fd, what, pc);
}

/* The mark is set before the number can be somebody else's, and taken back where there was nothing to close. */
bool hd_closing(Thread *t, int fd, void *pc) {
  int error = errno;
  hd_step(t, HD_CLOSE, HD_FD(fd), pc);
  hd_record(t, HD_CLOSE, HD_FD(fd), 0, pc);
  Descriptor *d = entry(fd);
  bool first = d && !d->closed;
  if (first) is_closed(fd, t->name, pc);
  errno = error;
  return first;
}

void hd_closed(Thread *t, int fd, bool first, int result, void *pc) {
  if (result != -1 || errno != EBADF) return;
  int error = errno;
  Descriptor *d = entry(fd);
  if (first && d) d->closed = 0;
  if (!first) told_if_closed(t, fd, "double close", pc);
  errno = error;
}

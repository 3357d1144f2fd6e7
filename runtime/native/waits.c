/*
 * Calls that wait for one of several descriptors, for a locked file, a child process or a signal. Each is a step like a sleep, during which a replay
 * lets other threads run.
 */
#include "descriptors.h"
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/wait.h>
#include <unistd.h>

/* `waits`: it will not return at once. In a replay that is asked first, and nobody else goes on if it will. */
#define WAITS(waits, expression)                \
  HD_ENTER(expression)                          \
  Call call;                                    \
  __typeof__(expression) result;                \
  hd_wait_begin(&call, t, HD_CALLER);           \
  if (waits) hd_wait_outside(&call);            \
  pthread_cleanup_push(hd_call_cut, &call);     \
  result = expression;                          \
  pthread_cleanup_pop(0);                       \
  hd_wait_end(&call);                           \
  HD_DONE

static bool none_ready(struct pollfd *fds, nfds_t n) { return hd_config.mode == HD_REPLAY && REAL(poll)(fds, n, 0) == 0; }

HD_EXPORT int poll(struct pollfd *fds, nfds_t n, int ms) { WAITS(ms != 0 && none_ready(fds, n), REAL(poll)(fds, n, ms)); }
HD_EXPORT int ppoll(struct pollfd *fds, nfds_t n, const struct timespec *time, const sigset_t *mask) {
  WAITS(none_ready(fds, n), REAL(ppoll)(fds, n, time, mask));
}
int __poll_chk(struct pollfd *fds, nfds_t n, int ms, size_t room);
HD_EXPORT int __poll_chk(struct pollfd *fds, nfds_t n, int ms, size_t room) {
  WAITS(ms != 0 && none_ready(fds, n), REAL(__poll_chk)(fds, n, ms, room));
}

static bool none_set(int n, const fd_set *in, const fd_set *out, const fd_set *other) {
  if (hd_config.mode != HD_REPLAY) return false;
  fd_set none, i, o, e;
  FD_ZERO(&none);
  i = in ? *in : none;
  o = out ? *out : none;
  e = other ? *other : none;
  struct timeval now = {0, 0};
  return REAL(select)(n, &i, &o, &e, &now) == 0;
}
HD_EXPORT int select(int n, fd_set *restrict in, fd_set *restrict out, fd_set *restrict other, struct timeval *restrict time) {
  WAITS(none_set(n, in, out, other), REAL(select)(n, in, out, other, time));
}
HD_EXPORT int pselect(int n, fd_set *restrict in, fd_set *restrict out, fd_set *restrict other, const struct timespec *restrict time,
                      const sigset_t *restrict mask) {
  WAITS(none_set(n, in, out, other), REAL(pselect)(n, in, out, other, time, mask));
}

HD_EXPORT int epoll_wait(int fd, struct epoll_event *events, int n, int ms) {
  HD_USES(HD_FD_READ, fd, ms != 0, REAL(epoll_wait)(fd, events, n, ms));
}
HD_EXPORT int epoll_pwait(int fd, struct epoll_event *events, int n, int ms, const sigset_t *mask) {
  HD_USES(HD_FD_READ, fd, ms != 0, REAL(epoll_pwait)(fd, events, n, ms, mask));
}

/* Asked for without waiting first, in a replay; having it already, it gets it again. */
static bool is_locked(int fd, int how) {
  return hd_config.mode == HD_REPLAY && !(how & (LOCK_NB | LOCK_UN)) && REAL(flock)(fd, how | LOCK_NB) != 0 && errno == EWOULDBLOCK;
}
HD_EXPORT int flock(int fd, int how) { WAITS(is_locked(fd, how), REAL(flock)(fd, how)); }

/* --- children --- */

HD_EXPORT pid_t wait(int *status) { WAITS(true, REAL(wait)(status)); }
HD_EXPORT pid_t waitpid(pid_t child, int *status, int options) { WAITS(!(options & WNOHANG), REAL(waitpid)(child, status, options)); }
HD_EXPORT int waitid(idtype_t type, id_t id, siginfo_t *about, int options) {
  WAITS(!(options & WNOHANG), REAL(waitid)(type, id, about, options));
}
HD_EXPORT pid_t wait3(int *status, int options, struct rusage *use) { WAITS(!(options & WNOHANG), REAL(wait3)(status, options, use)); }
HD_EXPORT pid_t wait4(pid_t child, int *status, int options, struct rusage *use) {
  WAITS(!(options & WNOHANG), REAL(wait4)(child, status, options, use));
}
HD_EXPORT int system(const char *command) { WAITS(true, REAL(system)(command)); }

/* --- signals --- */

HD_EXPORT int pause(void) { WAITS(true, REAL(pause)()); }
HD_EXPORT int sigsuspend(const sigset_t *mask) { WAITS(true, REAL(sigsuspend)(mask)); }

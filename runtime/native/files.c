/*
 * Descriptors: the calls that open and close them, and those that use files and pipes. sockets.c has the calls on sockets, waits.c those that wait
 * for several descriptors, streams.c stdio.
 *
 * Each function has its variant for large files, which does the same on the supported machines, and some have one for programs compiled with
 * _FORTIFY_SOURCE.
 */
/* The names with and without 64 are separate functions here. */
#undef _FILE_OFFSET_BITS
#include "descriptors.h"
#include "paths.h"
#include <fcntl.h>
#include <stdarg.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/timerfd.h>
#include <sys/uio.h>
#include <unistd.h>

/* --- open --- */

/* The body of what makes a descriptor. */
#define OPENS(what, expression)                         \
  HD_ENTER(expression)                                  \
  hd_step(t, HD_OPEN, NULL, HD_CALLER);                 \
  int result = hd_opened(t, expression, what, HD_CALLER); \
  HD_DONE

/* The same of a file with a name: it is opened in the step of the name, and the step of the descriptor follows. */
#define OPENS_PATH(path, expression)                        \
  HD_ENTER(expression)                                      \
  PathUse use;                                              \
  hd_path_begin(&use, t, path, HD_CALLER);                  \
  if (!use.place) hd_step(t, HD_OPEN, NULL, HD_CALLER);     \
  int result = expression;                                  \
  hd_path_end(&use, t);                                     \
  int error = errno;                                        \
  if (use.place) hd_step(t, HD_OPEN, NULL, HD_CALLER);      \
  errno = error;                                            \
  result = hd_opened(t, result, HD_FILE, HD_CALLER);        \
  HD_DONE

#define MODE                                            \
  va_list args;                                         \
  va_start(args, flags);                                \
  mode_t mode = flags & (O_CREAT | __O_TMPFILE) ? va_arg(args, mode_t) : 0; \
  va_end(args);

HD_EXPORT int open(const char *path, int flags, ...) {
  MODE
  OPENS_PATH(path, REAL(open)(path, flags, mode));
}
HD_EXPORT int open64(const char *path, int flags, ...) {
  MODE
  OPENS_PATH(path, REAL(open64)(path, flags, mode));
}
HD_EXPORT int openat(int folder, const char *path, int flags, ...) {
  MODE
  OPENS_PATH(folder == AT_FDCWD || path[0] == '/' ? path : NULL, REAL(openat)(folder, path, flags, mode));
}
HD_EXPORT int openat64(int folder, const char *path, int flags, ...) {
  MODE
  OPENS_PATH(folder == AT_FDCWD || path[0] == '/' ? path : NULL, REAL(openat64)(folder, path, flags, mode));
}
HD_EXPORT int creat(const char *path, mode_t mode) { OPENS_PATH(path, REAL(creat)(path, mode)); }
HD_EXPORT int creat64(const char *path, mode_t mode) { OPENS_PATH(path, REAL(creat64)(path, mode)); }
int __open_2(const char *path, int flags);
int __open64_2(const char *path, int flags);
HD_EXPORT int __open_2(const char *path, int flags) { OPENS_PATH(path, REAL(__open_2)(path, flags)); }
HD_EXPORT int __open64_2(const char *path, int flags) { OPENS_PATH(path, REAL(__open64_2)(path, flags)); }
HD_EXPORT int eventfd(unsigned count, int flags) { OPENS(HD_OTHER, REAL(eventfd)(count, flags)); }
HD_EXPORT int epoll_create(int size) { OPENS(HD_OTHER, REAL(epoll_create)(size)); }
HD_EXPORT int epoll_create1(int flags) { OPENS(HD_OTHER, REAL(epoll_create1)(flags)); }

HD_EXPORT int timerfd_create(clockid_t clock, int flags) { OPENS(HD_OTHER, REAL(timerfd_create)(clock, flags)); }
HD_EXPORT int signalfd(int old, const sigset_t *mask, int flags) { OPENS(HD_OTHER, REAL(signalfd)(old, mask, flags)); }
HD_EXPORT int inotify_init1(int flags) { OPENS(HD_OTHER, REAL(inotify_init1)(flags)); }
HD_EXPORT int memfd_create(const char *name, unsigned flags) { OPENS(HD_FILE, REAL(memfd_create)(name, flags)); }
HD_EXPORT int shm_open(const char *name, int flags, mode_t mode) { OPENS(HD_FILE, REAL(shm_open)(name, flags, mode)); }
HD_EXPORT int mkstemp(char *name) { OPENS(HD_FILE, REAL(mkstemp)(name)); }
HD_EXPORT int mkstemp64(char *name) { OPENS(HD_FILE, REAL(mkstemp64)(name)); }
HD_EXPORT int mkostemp(char *name, int flags) { OPENS(HD_FILE, REAL(mkostemp)(name, flags)); }
HD_EXPORT int mkstemps(char *name, int after) { OPENS(HD_FILE, REAL(mkstemps)(name, after)); }

#define OPENS_TWO(ends, what, expression)                                       \
  HD_ENTER(expression)                                                          \
  hd_step(t, HD_OPEN, NULL, HD_CALLER);                                         \
  int result = expression;                                                      \
  hd_opened(t, result == 0 ? ends[0] : -1, what, HD_CALLER);                    \
  if (result == 0) hd_also_opened(t, ends[1], what, HD_CALLER);                 \
  HD_DONE

HD_EXPORT int pipe(int ends[2]) { OPENS_TWO(ends, HD_PIPE, REAL(pipe)(ends)); }
HD_EXPORT int pipe2(int ends[2], int flags) { OPENS_TWO(ends, HD_PIPE, REAL(pipe2)(ends, flags)); }
HD_EXPORT int socket(int domain, int type, int protocol) { OPENS(HD_SOCKET, REAL(socket)(domain, type, protocol)); }
HD_EXPORT int socketpair(int domain, int type, int protocol, int ends[2]) {
  OPENS_TWO(ends, HD_SOCKET, REAL(socketpair)(domain, type, protocol, ends));
}

/* --- close and copies --- */

HD_EXPORT int close(int fd) {
  Thread *t = hd_enter();
  if (!t) return REAL(close)(fd);
  bool first = hd_closing(t, fd, HD_CALLER);
  int result = REAL(close)(fd);
  hd_closed(t, fd, first, result, HD_CALLER);
  HD_DONE;
}

/* The number that dup2 gives away may be one that is open: that one is closed by it. */
static void closes_target(Thread *t, int old, int fd, void *pc) {
  int error = errno;
  if (old != fd && REAL(fcntl)(old, F_GETFD) >= 0 && REAL(fcntl)(fd, F_GETFD) >= 0) hd_closing(t, fd, pc);
  errno = error;
}

#define COPIES(old, expression)                                                       \
  HD_USE(HD_FD_WRITE, old, 0, expression)                                             \
  if (result >= 0 && result != old) hd_also_opened(t, result, hd_what_is(result), HD_CALLER); \
  HD_DONE

HD_EXPORT int dup(int fd) {
  HD_ENTER(REAL(dup)(fd))
  COPIES(fd, REAL(dup)(fd));
}
HD_EXPORT int dup2(int old, int fd) {
  HD_ENTER(REAL(dup2)(old, fd))
  closes_target(t, old, fd, HD_CALLER);
  COPIES(old, REAL(dup2)(old, fd));
}
HD_EXPORT int dup3(int old, int fd, int flags) {
  HD_ENTER(REAL(dup3)(old, fd, flags))
  closes_target(t, old, fd, HD_CALLER);
  COPIES(old, REAL(dup3)(old, fd, flags));
}

/* Of all it can do, copies only. The last argument is a number or a pointer, and is passed on as either. */
#define CONTROLS(name)                                                        \
  va_list args;                                                               \
  va_start(args, what);                                                       \
  void *argument = va_arg(args, void *);                                      \
  va_end(args);                                                               \
  if (what != F_DUPFD && what != F_DUPFD_CLOEXEC) return REAL(name)(fd, what, argument); \
  HD_ENTER(REAL(name)(fd, what, argument))                                    \
  COPIES(fd, REAL(name)(fd, what, argument));
HD_EXPORT int fcntl(int fd, int what, ...) { CONTROLS(fcntl) }
HD_EXPORT int fcntl64(int fd, int what, ...) { CONTROLS(fcntl64) }

/* --- uses --- */

static size_t whole(const struct iovec *parts, int n) {
  size_t bytes = 0;
  for (int i = 0; i < n; i++) bytes += parts[i].iov_len;
  return bytes;
}

HD_EXPORT ssize_t read(int fd, void *buffer, size_t n) { HD_TAKES(fd, buffer, n, REAL(read)(fd, buffer, n)); }
HD_EXPORT ssize_t pread(int fd, void *buffer, size_t n, off_t at) { HD_TAKES(fd, buffer, n, REAL(pread)(fd, buffer, n, at)); }
HD_EXPORT ssize_t pread64(int fd, void *buffer, size_t n, off64_t at) { HD_TAKES(fd, buffer, n, REAL(pread64)(fd, buffer, n, at)); }
HD_EXPORT ssize_t readv(int fd, const struct iovec *parts, int n) { HD_USES(HD_FD_READ, fd, whole(parts, n), REAL(readv)(fd, parts, n)); }
HD_EXPORT ssize_t write(int fd, const void *buffer, size_t n) { HD_GIVES(fd, buffer, n, REAL(write)(fd, buffer, n)); }
HD_EXPORT ssize_t pwrite(int fd, const void *buffer, size_t n, off_t at) { HD_GIVES(fd, buffer, n, REAL(pwrite)(fd, buffer, n, at)); }
HD_EXPORT ssize_t pwrite64(int fd, const void *buffer, size_t n, off64_t at) { HD_GIVES(fd, buffer, n, REAL(pwrite64)(fd, buffer, n, at)); }
HD_EXPORT ssize_t writev(int fd, const struct iovec *parts, int n) {
  HD_USES(HD_FD_WRITE, fd, whole(parts, n), REAL(writev)(fd, parts, n));
}
HD_EXPORT ssize_t sendfile(int to, int from, off_t *at, size_t n) { HD_USES(HD_FD_WRITE, to, n, REAL(sendfile)(to, from, at, n)); }
HD_EXPORT ssize_t sendfile64(int to, int from, off64_t *at, size_t n) { HD_USES(HD_FD_WRITE, to, n, REAL(sendfile64)(to, from, at, n)); }
HD_EXPORT off_t lseek(int fd, off_t at, int from) { HD_USES(HD_FD_WRITE, fd, 0, REAL(lseek)(fd, at, from)); }
HD_EXPORT off64_t lseek64(int fd, off64_t at, int from) { HD_USES(HD_FD_WRITE, fd, 0, REAL(lseek64)(fd, at, from)); }
HD_EXPORT int fsync(int fd) { HD_USES(HD_FD_WRITE, fd, 0, REAL(fsync)(fd)); }
HD_EXPORT int fdatasync(int fd) { HD_USES(HD_FD_WRITE, fd, 0, REAL(fdatasync)(fd)); }
HD_EXPORT int ftruncate(int fd, off_t size) { HD_USES(HD_FD_WRITE, fd, 0, REAL(ftruncate)(fd, size)); }
HD_EXPORT int ftruncate64(int fd, off64_t size) { HD_USES(HD_FD_WRITE, fd, 0, REAL(ftruncate64)(fd, size)); }
HD_EXPORT int epoll_ctl(int fd, int what, int about, struct epoll_event *event) {
  HD_USES(HD_FD_WRITE, fd, 0, REAL(epoll_ctl)(fd, what, about, event));
}

ssize_t __read_chk(int fd, void *buffer, size_t n, size_t room);
ssize_t __pread_chk(int fd, void *buffer, size_t n, off_t at, size_t room);
ssize_t __pread64_chk(int fd, void *buffer, size_t n, off64_t at, size_t room);
HD_EXPORT ssize_t __read_chk(int fd, void *buffer, size_t n, size_t room) {
  HD_TAKES(fd, buffer, n, REAL(__read_chk)(fd, buffer, n, room));
}
HD_EXPORT ssize_t __pread_chk(int fd, void *buffer, size_t n, off_t at, size_t room) {
  HD_TAKES(fd, buffer, n, REAL(__pread_chk)(fd, buffer, n, at, room));
}
HD_EXPORT ssize_t __pread64_chk(int fd, void *buffer, size_t n, off64_t at, size_t room) {
  HD_TAKES(fd, buffer, n, REAL(__pread64_chk)(fd, buffer, n, at, room));
}

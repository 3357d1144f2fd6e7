/* Calls on sockets. In a replay a call that would block lets other threads run (descriptors.c). */
#include "descriptors.h"
#include <sys/socket.h>

#define ACCEPTS(fd, expression)                         \
  HD_ENTER(expression)                                  \
  HD_USE(HD_FD_READ, fd, 1, expression)                 \
  hd_also_opened(t, result, HD_SOCKET, HD_CALLER);           \
  HD_DONE
HD_EXPORT int accept(int fd, struct sockaddr *restrict who, socklen_t *restrict size) { ACCEPTS(fd, REAL(accept)(fd, who, size)); }
HD_EXPORT int accept4(int fd, struct sockaddr *restrict who, socklen_t *restrict size, int flags) {
  ACCEPTS(fd, REAL(accept4)(fd, who, size, flags));
}

HD_EXPORT int bind(int fd, const struct sockaddr *where, socklen_t size) { HD_USES(HD_FD_WRITE, fd, 0, REAL(bind)(fd, where, size)); }
HD_EXPORT int listen(int fd, int most) { HD_USES(HD_FD_WRITE, fd, 0, REAL(listen)(fd, most)); }
HD_EXPORT int shutdown(int fd, int how) { HD_USES(HD_FD_WRITE, fd, 0, REAL(shutdown)(fd, how)); }
HD_EXPORT int connect(int fd, const struct sockaddr *where, socklen_t size) {
  HD_USES(HD_FD_WRITE, fd, HD_MUCH, REAL(connect)(fd, where, size));
}

HD_EXPORT ssize_t send(int fd, const void *buffer, size_t n, int flags) { HD_GIVES(fd, buffer, n, REAL(send)(fd, buffer, n, flags)); }
HD_EXPORT ssize_t sendto(int fd, const void *buffer, size_t n, int flags, const struct sockaddr *to, socklen_t size) {
  HD_GIVES(fd, buffer, n, REAL(sendto)(fd, buffer, n, flags, to, size));
}
HD_EXPORT ssize_t sendmsg(int fd, const struct msghdr *message, int flags) {
  HD_USES(HD_FD_WRITE, fd, HD_MUCH, REAL(sendmsg)(fd, message, flags));
}
HD_EXPORT ssize_t recv(int fd, void *buffer, size_t n, int flags) { HD_TAKES(fd, buffer, n, REAL(recv)(fd, buffer, n, flags)); }
HD_EXPORT ssize_t recvfrom(int fd, void *restrict buffer, size_t n, int flags, struct sockaddr *restrict from, socklen_t *restrict size) {
  HD_TAKES(fd, buffer, n, REAL(recvfrom)(fd, buffer, n, flags, from, size));
}
HD_EXPORT ssize_t recvmsg(int fd, struct msghdr *message, int flags) { HD_USES(HD_FD_READ, fd, 1, REAL(recvmsg)(fd, message, flags)); }

ssize_t __recv_chk(int fd, void *buffer, size_t n, size_t room, int flags);
HD_EXPORT ssize_t __recv_chk(int fd, void *buffer, size_t n, size_t room, int flags) {
  HD_TAKES(fd, buffer, n, REAL(__recv_chk)(fd, buffer, n, room, flags));
}

/* Declarations shared by the files about descriptors: descriptors.c (their states), files.c, sockets.c, waits.c and streams.c. */
#ifndef HEDDLE_DESCRIPTORS_H
#define HEDDLE_DESCRIPTORS_H
#include "heap.h"
#include "real.h"
#include <errno.h>
#include <pthread.h>

enum { HD_FILE, HD_SOCKET, HD_PIPE, HD_OTHER }; /* the values of HD_OPEN */

/* A call that is under way. It is on the caller's stack; a thread that is cancelled in it leaves by hd_call_cut. */
typedef struct {
  Thread *t;
  void *pc;
  int kind, fd;
  bool outside;
} Call;

#define HD_FD(fd) ((const void *)(uintptr_t)(unsigned)(fd))

/*
 * A use of a descriptor, HD_FD_READ or HD_FD_WRITE: before it, and after it with what it returned. `bytes` is how much, at most, is
 * moved; 0: it never waits.
 */
void hd_use_begin(Call *call, Thread *t, int kind, int fd, size_t bytes, void *pc);
void hd_use_end(Call *call, long result);
/* A call that waits for something else: its step, and then, if it will not return at once, that it is outside. */
void hd_wait_begin(Call *call, Thread *t, void *pc);
void hd_wait_outside(Call *call);
void hd_wait_end(Call *call);
/* Ends either of them from outside: the thread is cancelled, or jumps out of a signal handler. */
void hd_call_cut(void *call);
/* The call under way in this thread, or NULL (signals.c). */
extern __thread Call *hd_call __attribute__((tls_model("initial-exec")));

/* In the present step, of kind HD_OPEN, a descriptor was made; -1: it was not, which is recorded as such. */
int hd_opened(Thread *t, int fd, int what, void *pc);
/* The same, in a step of its own, after a step that was something else too; nothing for -1. */
int hd_also_opened(Thread *t, int fd, int what, void *pc);
/* Around the real close: a step. `first`: nobody had closed that number before. */
bool hd_closing(Thread *t, int fd, void *pc);
void hd_closed(Thread *t, int fd, bool first, int result, void *pc);
/* HD_FILE and so on. */
int hd_what_is(int fd);
/* Is there nothing to be had (or no room) right now, so that a call would wait? Asked in replays only. */
bool hd_would_wait(int fd, int kind, size_t bytes);

void hd_streams_start(void);

/* The body of a use: `expression` is the real call, in which the thread may be cancelled. */
#define HD_ENTER(expression)                                    \
  Thread *t = hd_enter();                                       \
  if (!t) return expression;
#define HD_USE(kind, fd, bytes, expression)                     \
  Call call;                                                    \
  __typeof__(expression) result;                                \
  hd_use_begin(&call, t, kind, fd, bytes, HD_CALLER);           \
  pthread_cleanup_push(hd_call_cut, &call);                     \
  result = expression;                                          \
  pthread_cleanup_pop(0);                                       \
  hd_use_end(&call, (long)result);

#define HD_DONE                                                 \
  do {                                                          \
    int error_ = errno;                                         \
    hd_leave(t);                                                \
    errno = error_;                                             \
    return result;                                              \
  } while (0)

/* A use that fills the buffer, or takes from it: steps of their own. */
#define HD_TAKES(fd, buffer, bytes, expression)                                                                  \
  HD_ENTER(expression)                                                                                           \
  HD_USE(HD_FD_READ, fd, bytes, expression)                                                                      \
  if (result > 0) hd_range(t, HD_RANGE_WRITE, buffer, (size_t)result < bytes ? (size_t)result : bytes, HD_CALLER); \
  HD_DONE
#define HD_GIVES(fd, buffer, bytes, expression)                 \
  HD_ENTER(expression)                                          \
  hd_range(t, HD_RANGE_READ, buffer, bytes, HD_CALLER);         \
  HD_USE(HD_FD_WRITE, fd, bytes, expression)                    \
  HD_DONE
#define HD_USES(kind, fd, bytes, expression)                    \
  HD_ENTER(expression)                                          \
  HD_USE(kind, fd, bytes, expression)                           \
  HD_DONE
/* For calls of which it cannot be asked beforehand whether they wait. */
#define HD_MUCH 65536

#endif

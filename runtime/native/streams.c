/*
 * FILEs: opened and closed here, used in stdio.c.
 *
 * The FILEs that were closed last are remembered, so that a use after fclose is reported. With poison the use is also skipped: the memory of the FILE
 * is overwritten then (poison.c), and libc would only crash.
 */
#ifndef __NO_INLINE__
#define __NO_INLINE__ /* the headers define some of these themselves */
#endif
#include "streams.h"
#include "paths.h"

#define REMEMBERED 4096
typedef struct {
  _Atomic uintptr_t stream;
  const char *who;
  void *pc;
} Closed;
static Closed *closed;

void hd_streams_start(void) { closed = hd_map(REMEMBERED * sizeof *closed); }

/* By address: a newer one replaces an older one in the same place. */
static Closed *place(FILE *stream) { return &closed[((uintptr_t)stream >> 4) * 0x9e3779b97f4a7c15ull >> 52]; }

static Closed *closed_before(FILE *stream) {
  if (!closed || !stream) return NULL;
  Closed *c = place(stream);
  return c->stream == (uintptr_t)stream ? c : NULL;
}

/* False: it must not be done. */
static bool allowed(Thread *t, FILE *stream, void *pc) {
  Closed *c = closed_before(stream);
  if (!c) return true;
  hd_violation(t, "use of a closed stream", stream, pc, c->who, c->pc);
  errno = EBADF;
  return !hd_config.poison;
}

/* --- open and close --- */

static FILE *opened(Thread *t, FILE *stream, bool with_number, void *pc) {
  int error = errno;
  Closed *c = closed_before(stream);
  if (c) c->stream = 0;
  hd_record(t, HD_STREAM_OPEN, stream, 0, pc);
  /* A step of its own, for programs that use the number, too. */
  if (stream && with_number) hd_also_opened(t, fileno(stream), HD_FILE, pc);
  errno = error;
  return stream;
}

#define OPENS(with_number, expression)                          \
  HD_ENTER(expression)                                          \
  hd_step(t, HD_STREAM_OPEN, NULL, HD_CALLER);                  \
  FILE *result = opened(t, expression, with_number, HD_CALLER); \
  HD_DONE
/* It is opened in the step of its name, and the step of the stream follows. */
#define OPENS_PATH(path, expression)                            \
  HD_ENTER(expression)                                          \
  PathUse use;                                                  \
  hd_path_begin(&use, t, path, HD_CALLER);                      \
  if (!use.place) hd_step(t, HD_STREAM_OPEN, NULL, HD_CALLER);  \
  FILE *result = expression;                                    \
  hd_path_end(&use, t);                                         \
  int error = errno;                                            \
  if (use.place) hd_step(t, HD_STREAM_OPEN, NULL, HD_CALLER);   \
  errno = error;                                                \
  result = opened(t, result, true, HD_CALLER);                  \
  HD_DONE
HD_EXPORT FILE *fopen(const char *restrict path, const char *restrict how) { OPENS_PATH(path, REAL(fopen)(path, how)); }
HD_EXPORT FILE *fopen64(const char *restrict path, const char *restrict how) { OPENS_PATH(path, REAL(fopen64)(path, how)); }
HD_EXPORT FILE *fdopen(int fd, const char *how) { OPENS(false, REAL(fdopen)(fd, how)); }
HD_EXPORT FILE *tmpfile(void) { OPENS(true, REAL(tmpfile)()); }
HD_EXPORT FILE *popen(const char *command, const char *how) { OPENS(true, REAL(popen)(command, how)); }

/* Its number goes first, in a step of its own: after the step of the stream it is closed, and nothing is in between. */
static bool closing(Thread *t, FILE *stream, void *pc) {
  int error = errno;
  if (!closed_before(stream) && fileno(stream) >= 0) hd_closing(t, fileno(stream), pc);
  hd_step(t, HD_STREAM_CLOSE, stream, pc);
  hd_record(t, HD_STREAM_CLOSE, stream, 0, pc);
  bool fine = allowed(t, stream, pc);
  if (fine && closed && !closed_before(stream)) {
    Closed *c = place(stream);
    c->who = t->name;
    c->pc = hd_site(pc);
    c->stream = (uintptr_t)stream;
  }
  if (fine) errno = error;
  return fine;
}

#define CLOSES(stream, expression)                              \
  HD_ENTER(expression)                                          \
  int result = closing(t, stream, HD_CALLER) ? expression : EOF; \
  HD_DONE
HD_EXPORT int fclose(FILE *stream) { CLOSES(stream, REAL(fclose)(stream)); }

HD_EXPORT int pclose(FILE *stream) {
  HD_ENTER(REAL(pclose)(stream))
  int result = -1;
  if (closing(t, stream, HD_CALLER)) {
    Call call;
    hd_wait_begin(&call, t, HD_CALLER);
    hd_wait_outside(&call);
    result = REAL(pclose)(stream);
    hd_wait_end(&call);
  }
  HD_DONE;
}

/* --- uses --- */

void hd_stream_cut(void *p) {
  StreamUse *use = p;
  if (use->outside) hd_back(use->t);
  hd_leave(use->t);
}

/* Does it go to the system for more, and would that wait? */
static bool waits(FILE *stream, int kind) {
  if (hd_config.mode != HD_REPLAY || closed_before(stream)) return false;
  if (kind == HD_STREAM_READ && stream->_IO_read_ptr < stream->_IO_read_end) return false;
  int fd = fileno(stream);
  return fd >= 0 && hd_would_wait(fd, kind == HD_STREAM_READ ? HD_FD_READ : HD_FD_WRITE, 1);
}

bool hd_stream_begin(StreamUse *use, Thread *t, int kind, FILE *stream, void *pc) {
  int error = errno;
  *use = (StreamUse){t, false};
  hd_step(t, kind, stream, pc);
  hd_record(t, kind, stream, 0, pc);
  if (!allowed(t, stream, pc)) return false;
  use->outside = waits(stream, kind);
  if (use->outside) hd_outside(t);
  errno = error;
  return true;
}

void hd_stream_end(StreamUse *use) {
  int error = errno;
  if (use->outside) hd_back(use->t);
  errno = error;
}

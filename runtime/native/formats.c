/* Formatted text into memory. What is written is a range (ranges.c). What the arguments point to is not recorded. */
#ifndef __NO_INLINE__
#define __NO_INLINE__ /* the headers define some of these themselves */
#endif
#include "heap.h"
#include "real.h"
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>

/* The step comes first; how much was written is known after it: at most `room`. */
#define INTO(to, room, expression)                                                                      \
  Thread *t = hd_range_enter();                                                                         \
  if (!t) return expression;                                                                            \
  if (room) hd_step(t, HD_RANGE_WRITE, to, pc);                                                         \
  int n = expression, error = errno;                                                                    \
  size_t written = n < 0 ? 1 : (size_t)n < room ? (size_t)n + 1 : room;                                 \
  if (room) hd_range_touched(t, HD_RANGE_WRITE, to, written, pc);                                       \
  hd_leave(t);                                                                                          \
  errno = error;                                                                                        \
  return n;

int __vsprintf_chk(char *to, int flag, size_t has, const char *format, va_list args);
int __vsnprintf_chk(char *to, size_t room, int flag, size_t has, const char *format, va_list args);

static int endless(char *to, const char *format, va_list args, void *pc) { INTO(to, SIZE_MAX, REAL(vsprintf)(to, format, args)) }
static int bounded(char *to, size_t room, const char *format, va_list args, void *pc) {
  INTO(to, room, REAL(vsnprintf)(to, room, format, args))
}
static int endless_checked(char *to, int flag, size_t has, const char *format, va_list args, void *pc) {
  INTO(to, has, REAL(__vsprintf_chk)(to, flag, has, format, args))
}
static int bounded_checked(char *to, size_t room, int flag, size_t has, const char *format, va_list args, void *pc) {
  INTO(to, room, REAL(__vsnprintf_chk)(to, room, flag, has, format, args))
}

#define WITH_ARGUMENTS(call)    \
  va_list args;                 \
  va_start(args, format);       \
  int n = call;                 \
  va_end(args);                 \
  return n;
HD_EXPORT int sprintf(char *restrict to, const char *restrict format, ...) { WITH_ARGUMENTS(endless(to, format, args, HD_CALLER)) }
HD_EXPORT int snprintf(char *restrict to, size_t room, const char *restrict format, ...) {
  WITH_ARGUMENTS(bounded(to, room, format, args, HD_CALLER))
}
HD_EXPORT int vsprintf(char *restrict to, const char *restrict format, va_list args) { return endless(to, format, args, HD_CALLER); }
HD_EXPORT int vsnprintf(char *restrict to, size_t room, const char *restrict format, va_list args) {
  return bounded(to, room, format, args, HD_CALLER);
}

/* Compiled with _FORTIFY_SOURCE. */
int __sprintf_chk(char *to, int flag, size_t has, const char *format, ...);
int __snprintf_chk(char *to, size_t room, int flag, size_t has, const char *format, ...);
HD_EXPORT int __sprintf_chk(char *to, int flag, size_t has, const char *format, ...) {
  WITH_ARGUMENTS(endless_checked(to, flag, has, format, args, HD_CALLER))
}
HD_EXPORT int __snprintf_chk(char *to, size_t room, int flag, size_t has, const char *format, ...) {
  WITH_ARGUMENTS(bounded_checked(to, room, flag, has, format, args, HD_CALLER))
}
HD_EXPORT int __vsprintf_chk(char *to, int flag, size_t has, const char *format, va_list args) {
  return endless_checked(to, flag, has, format, args, HD_CALLER);
}
HD_EXPORT int __vsnprintf_chk(char *to, size_t room, int flag, size_t has, const char *format, va_list args) {
  return bounded_checked(to, room, flag, has, format, args, HD_CALLER);
}

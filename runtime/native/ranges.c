/*
 * Functions of libc that read or write a range of memory for the program: the compiler inserts no calls for what they access. strings.c has those for
 * strings.
 *
 * A range is one step, recorded without its contents. A copy is two steps, the read first. Like accesses, they are recorded once there is more than
 * one thread. The real functions are looked up at the start. Calls before that, by the loader and by constructors, use simple loops; these are
 * volatile, because otherwise the compiler would turn them into calls of the same functions.
 */
#include "heap.h"
#include <string.h>

static bool on;
#define EACH_REAL(X) X(memcpy) X(memmove) X(memset) X(memcmp) X(memchr)
#define DECLARE(name) static __typeof__(&name) real_##name;
#define LOOK_UP(name) all = (real_##name = (__typeof__(&name))hd_real(#name)) && all;
EACH_REAL(DECLARE)

void hd_ranges_start(void) {
  bool all = true;
  EACH_REAL(LOOK_UP)
  on = all;
  hd_strings_start();
}

Thread *hd_range_enter(void) { return on && hd_sees ? hd_enter() : NULL; }

void hd_range_touched(Thread *t, int kind, const void *at, size_t bytes, void *pc) {
  hd_range_record(t, kind, at, bytes, pc);
  if (hd_config.poison && hd_bits_any((uintptr_t)at, bytes)) {
    uintptr_t a = (uintptr_t)at, end = a + bytes;
    while (a < end - 1 && !hd_is_freed(a)) a = (a | 7) + 1 < end ? (a | 7) + 1 : end - 1;
    hd_use_of_freed(t, a, kind, pc);
  }
}

static void range(Thread *t, int kind, const void *at, size_t bytes, void *pc) {
  if (bytes == 0) return;
  hd_step(t, kind, at, pc);
  hd_range_touched(t, kind, at, bytes, pc);
}

void hd_range(Thread *t, int kind, const void *at, size_t bytes, void *pc) {
  if (on && hd_sees) range(t, kind, at, bytes, pc);
}

void hd_fill(void *at, int byte, size_t bytes) {
  if (on) real_memset(at, byte, bytes);
}
void hd_copy(void *to, const void *from, size_t bytes) {
  if (on) real_memcpy(to, from, bytes);
}

/* --- before the start --- */

static void *simple_copy(void *to, const void *from, size_t n) {
  volatile char *t = to;
  const volatile char *f = from;
  if (t <= f || t >= f + n) for (size_t i = 0; i < n; i++) t[i] = f[i];
  else while (n-- > 0) t[n] = f[n];
  return to;
}
static void *simple_set(void *at, int byte, size_t n) {
  for (volatile char *a = at; n-- > 0; a++) *a = (char)byte;
  return at;
}
static int simple_compare(const void *a, const void *b, size_t n) {
  const volatile unsigned char *x = a, *y = b;
  for (size_t i = 0; i < n; i++)
    if (x[i] != y[i]) return x[i] - y[i];
  return 0;
}
static void *simple_find(const void *at, int byte, size_t n) {
  for (const volatile unsigned char *a = at; n-- > 0; a++)
    if (*a == (unsigned char)byte) return (void *)(uintptr_t)a;
  return NULL;
}

/* --- blocks of bytes --- */

/* A step that reads, one that writes, and the call. */
#define COPY(call, to, from, n)                         \
  Thread *t = hd_range_enter();                                  \
  if (t) {                                              \
    range(t, HD_RANGE_READ, from, n, HD_CALLER);        \
    range(t, HD_RANGE_WRITE, to, n, HD_CALLER);         \
    void *result = call;                                \
    hd_leave(t);                                        \
    return result;                                      \
  }                                                     \
  return on ? call : simple_copy(to, from, n);

HD_EXPORT void *memcpy(void *to, const void *from, size_t n) { COPY(real_memcpy(to, from, n), to, from, n) }
HD_EXPORT void *memmove(void *to, const void *from, size_t n) { COPY(real_memmove(to, from, n), to, from, n) }

HD_EXPORT void *memset(void *at, int byte, size_t n) {
  Thread *t = hd_range_enter();
  if (!t) return on ? real_memset(at, byte, n) : simple_set(at, byte, n);
  range(t, HD_RANGE_WRITE, at, n, HD_CALLER);
  real_memset(at, byte, n);
  hd_leave(t);
  return at;
}

HD_EXPORT int memcmp(const void *a, const void *b, size_t n) {
  Thread *t = hd_range_enter();
  if (!t) return on ? real_memcmp(a, b, n) : simple_compare(a, b, n);
  range(t, HD_RANGE_READ, a, n, HD_CALLER);
  range(t, HD_RANGE_READ, b, n, HD_CALLER);
  int result = real_memcmp(a, b, n);
  hd_leave(t);
  return result;
}

HD_EXPORT void *memchr(const void *at, int byte, size_t n) {
  Thread *t = hd_range_enter();
  if (!t) return on ? real_memchr(at, byte, n) : simple_find(at, byte, n);
  if (n) hd_step(t, HD_RANGE_READ, at, HD_CALLER);
  void *found = real_memchr(at, byte, n);
  if (n) hd_range_touched(t, HD_RANGE_READ, at, found ? (size_t)((char *)found - (const char *)at) + 1 : n, HD_CALLER);
  hd_leave(t);
  return found;
}

/* --- the same, of programs compiled with _FORTIFY_SOURCE --- */

void __chk_fail(void) __attribute__((noreturn));
#define FITS(n, room)                                   \
  if (HD_UNLIKELY((n) > (room))) __chk_fail()
HD_EXPORT void *__memcpy_chk(void *to, const void *from, size_t n, size_t room) {
  FITS(n, room);
  COPY(real_memcpy(to, from, n), to, from, n)
}
HD_EXPORT void *__memmove_chk(void *to, const void *from, size_t n, size_t room) {
  FITS(n, room);
  COPY(real_memmove(to, from, n), to, from, n)
}
HD_EXPORT void *__memset_chk(void *at, int byte, size_t n, size_t room) {
  FITS(n, room);
  Thread *t = hd_range_enter();
  if (t) range(t, HD_RANGE_WRITE, at, n, HD_CALLER);
  if (on) real_memset(at, byte, n);
  else simple_set(at, byte, n);
  if (t) hd_leave(t);
  return at;
}

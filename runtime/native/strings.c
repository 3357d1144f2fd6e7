/*
 * Functions of libc that read and write strings: ranges (ranges.c) whose length is known once they have been read.
 *
 * As in ranges.c, the real functions are used once they are looked up, and simple loops before.
 */
#include "heap.h"
#include <stdlib.h>
#include <string.h>

static bool on;
#define EACH_REAL(X) X(strlen) X(strnlen) X(strcpy) X(strncpy) X(strcat) X(strcmp) X(strncmp) X(strchr) X(strrchr)
#define DECLARE(name) static __typeof__(&name) real_##name;
#define LOOK_UP(name) all = (real_##name = (__typeof__(&name))hd_real(#name)) && all;
EACH_REAL(DECLARE)

void hd_strings_start(void) {
  bool all = true;
  EACH_REAL(LOOK_UP)
  on = all;
}

/* --- before the start --- */

static size_t simple_length(const char *s, size_t most) {
  size_t n = 0;
  while (n < most && ((const volatile char *)s)[n]) n++;
  return n;
}
static void simple_copy(char *to, const char *from, size_t n) {
  for (size_t i = 0; i < n; i++) ((volatile char *)to)[i] = from[i];
}
static int simple_compare(const char *a, const char *b, size_t most) {
  const volatile unsigned char *x = (const volatile unsigned char *)a, *y = (const volatile unsigned char *)b;
  for (size_t i = 0; i < most; i++)
    if (x[i] != y[i] || !x[i]) return x[i] - y[i];
  return 0;
}
static char *simple_find(const char *s, int c, bool last) {
  char *found = NULL;
  for (const volatile char *at = s;; at++) {
    if (*at == (char)c) found = (char *)(uintptr_t)at;
    if (!*at || (found && !last)) return found;
  }
}

/* --- from the start on --- */

static size_t read_text(Thread *t, const char *s, size_t most, void *pc) {
  hd_step(t, HD_RANGE_READ, s, pc);
  size_t n = real_strnlen(s, most);
  if (most) hd_range_touched(t, HD_RANGE_READ, s, n < most ? n + 1 : n, pc);
  return n;
}

HD_EXPORT size_t strlen(const char *s) {
  Thread *t = hd_range_enter();
  if (!t) return on ? real_strlen(s) : simple_length(s, SIZE_MAX);
  size_t n = read_text(t, s, SIZE_MAX, HD_CALLER);
  hd_leave(t);
  return n;
}

HD_EXPORT size_t strnlen(const char *s, size_t most) {
  Thread *t = hd_range_enter();
  if (!t) return on ? real_strnlen(s, most) : simple_length(s, most);
  size_t n = read_text(t, s, most, HD_CALLER);
  hd_leave(t);
  return n;
}

HD_EXPORT char *strcpy(char *to, const char *from) {
  Thread *t = hd_range_enter();
  if (!t && on) return real_strcpy(to, from);
  if (!t) {
    simple_copy(to, from, simple_length(from, SIZE_MAX) + 1);
    return to;
  }
  size_t n = read_text(t, from, SIZE_MAX, HD_CALLER);
  hd_range(t, HD_RANGE_WRITE, to, n + 1, HD_CALLER);
  real_strcpy(to, from);
  hd_leave(t);
  return to;
}

HD_EXPORT char *strncpy(char *to, const char *from, size_t most) {
  Thread *t = hd_range_enter();
  if (!t && on) return real_strncpy(to, from, most);
  if (!t) {
    size_t n = simple_length(from, most);
    simple_copy(to, from, n);
    for (; n < most; n++) ((volatile char *)to)[n] = 0;
    return to;
  }
  read_text(t, from, most, HD_CALLER);
  hd_range(t, HD_RANGE_WRITE, to, most, HD_CALLER);
  real_strncpy(to, from, most);
  hd_leave(t);
  return to;
}

HD_EXPORT char *strcat(char *to, const char *from) {
  Thread *t = hd_range_enter();
  if (!t && on) return real_strcat(to, from);
  if (!t) {
    simple_copy(to + simple_length(to, SIZE_MAX), from, simple_length(from, SIZE_MAX) + 1);
    return to;
  }
  size_t old = read_text(t, to, SIZE_MAX, HD_CALLER), n = read_text(t, from, SIZE_MAX, HD_CALLER);
  hd_range(t, HD_RANGE_WRITE, to + old, n + 1, HD_CALLER);
  real_strcat(to, from);
  hd_leave(t);
  return to;
}

/* What two strings have in common, and the byte after it. */
static size_t common(const char *a, const char *b, size_t most) {
  size_t n = 0;
  while (n < most && a[n] == b[n] && a[n]) n++;
  return n < most ? n + 1 : n;
}

static void compared(Thread *t, const char *a, const char *b, size_t most, void *pc) {
  size_t n = common(a, b, most);
  hd_range(t, HD_RANGE_READ, a, n, pc);
  hd_range(t, HD_RANGE_READ, b, n, pc);
}

HD_EXPORT int strcmp(const char *a, const char *b) {
  Thread *t = hd_range_enter();
  if (!t) return on ? real_strcmp(a, b) : simple_compare(a, b, SIZE_MAX);
  compared(t, a, b, SIZE_MAX, HD_CALLER);
  int result = real_strcmp(a, b);
  hd_leave(t);
  return result;
}

HD_EXPORT int strncmp(const char *a, const char *b, size_t most) {
  Thread *t = hd_range_enter();
  if (!t) return on ? real_strncmp(a, b, most) : simple_compare(a, b, most);
  compared(t, a, b, most, HD_CALLER);
  int result = real_strncmp(a, b, most);
  hd_leave(t);
  return result;
}

HD_EXPORT char *strchr(const char *s, int c) {
  Thread *t = hd_range_enter();
  if (!t) return on ? real_strchr(s, c) : simple_find(s, c, false);
  hd_step(t, HD_RANGE_READ, s, HD_CALLER);
  char *found = real_strchr(s, c);
  hd_range_touched(t, HD_RANGE_READ, s, found ? (size_t)(found - s) + 1 : real_strlen(s) + 1, HD_CALLER);
  hd_leave(t);
  return found;
}

HD_EXPORT char *strrchr(const char *s, int c) {
  Thread *t = hd_range_enter();
  if (!t) return on ? real_strrchr(s, c) : simple_find(s, c, true);
  read_text(t, s, SIZE_MAX, HD_CALLER);
  char *found = real_strrchr(s, c);
  hd_leave(t);
  return found;
}

static void copy(char *to, const char *from, size_t n) {
  if (on) hd_copy(to, from, n);
  else simple_copy(to, from, n);
}

static char *duplicate(const char *s, size_t most, void *pc) {
  Thread *t = hd_range_enter();
  size_t n = t ? read_text(t, s, most, pc) : on ? real_strnlen(s, most) : simple_length(s, most);
  if (t) hd_leave(t);
  char *made = hd_malloc_is_ours() ? hd_malloc_at(n + 1, pc) : malloc(n + 1);
  if (!made) return NULL;
  copy(made, s, n);
  made[n] = 0;
  return made;
}
HD_EXPORT char *strdup(const char *s) { return duplicate(s, SIZE_MAX, HD_CALLER); }
HD_EXPORT char *__strdup(const char *s) { return duplicate(s, SIZE_MAX, HD_CALLER); }
HD_EXPORT char *strndup(const char *s, size_t most) { return duplicate(s, most, HD_CALLER); }

/* Compiled with _FORTIFY_SOURCE. */
void __chk_fail(void) __attribute__((noreturn));
HD_EXPORT char *__strcpy_chk(char *to, const char *from, size_t room) {
  Thread *t = hd_range_enter();
  size_t n = t ? read_text(t, from, SIZE_MAX, HD_CALLER) : on ? real_strlen(from) : simple_length(from, SIZE_MAX);
  if (HD_UNLIKELY(n >= room)) __chk_fail();
  if (t) hd_range(t, HD_RANGE_WRITE, to, n + 1, HD_CALLER);
  copy(to, from, n + 1);
  if (t) hd_leave(t);
  return to;
}

/*
 * stdio. Every read and write of a stream is a use of its FILE (streams.c). The FILE's own buffer belongs to libc and is not recorded; the program's
 * buffer is recorded as a range.
 */
#ifndef __NO_INLINE__
#define __NO_INLINE__ /* the headers define some of these themselves */
#endif
#include "streams.h"
#include <stdarg.h>
#include <string.h>

/* `none` is what the function returns when it cannot. */
#define USE(kind, stream, none, expression, pc)                 \
  StreamUse use;                                                \
  __typeof__(expression) result = none;                         \
  if (hd_stream_begin(&use, t, kind, stream, pc)) {             \
    pthread_cleanup_push(hd_stream_cut, &use);                  \
    result = expression;                                        \
    pthread_cleanup_pop(0);                                     \
  }                                                             \
  hd_stream_end(&use);
#define READS(stream, none, expression)                         \
  HD_ENTER(expression)                                          \
  USE(HD_STREAM_READ, stream, none, expression, HD_CALLER)      \
  HD_DONE;
#define WRITES(stream, none, expression)                        \
  HD_ENTER(expression)                                          \
  USE(HD_STREAM_WRITE, stream, none, expression, HD_CALLER)     \
  HD_DONE;
/* The same, and so many bytes of memory are filled, or read before it: steps of their own. */
#define FILLS(stream, none, expression, to, bytes)              \
  HD_ENTER(expression)                                          \
  USE(HD_STREAM_READ, stream, none, expression, HD_CALLER)      \
  if (result) hd_range(t, HD_RANGE_WRITE, to, bytes, HD_CALLER); \
  HD_DONE;
#define TAKES(stream, none, expression, from, bytes)            \
  HD_ENTER(expression)                                          \
  hd_range(t, HD_RANGE_READ, from, bytes, HD_CALLER);           \
  USE(HD_STREAM_WRITE, stream, none, expression, HD_CALLER)     \
  HD_DONE;

HD_EXPORT size_t fread(void *restrict to, size_t size, size_t n, FILE *restrict stream) {
  FILLS(stream, 0, REAL(fread)(to, size, n, stream), to, result * size)
}
HD_EXPORT int fgetc(FILE *stream) { READS(stream, EOF, REAL(fgetc)(stream)) }
HD_EXPORT int(getc)(FILE *stream) { READS(stream, EOF, REAL(getc)(stream)) }
HD_EXPORT int ungetc(int c, FILE *stream) { READS(stream, EOF, REAL(ungetc)(c, stream)) }
HD_EXPORT char *fgets(char *restrict to, int size, FILE *restrict stream) {
  FILLS(stream, NULL, REAL(fgets)(to, size, stream), to, strlen(to) + 1)
}
HD_EXPORT ssize_t getdelim(char **restrict line, size_t *restrict size, int end_of, FILE *restrict stream) {
  READS(stream, -1, REAL(getdelim)(line, size, end_of, stream))
}
HD_EXPORT ssize_t __getdelim(char **restrict line, size_t *restrict size, int end_of, FILE *restrict stream) {
  READS(stream, -1, REAL(__getdelim)(line, size, end_of, stream))
}
HD_EXPORT ssize_t getline(char **restrict line, size_t *restrict size, FILE *restrict stream) {
  READS(stream, -1, REAL(getline)(line, size, stream))
}

HD_EXPORT size_t fwrite(const void *restrict from, size_t size, size_t n, FILE *restrict stream) {
  TAKES(stream, 0, REAL(fwrite)(from, size, n, stream), from, size * n)
}
HD_EXPORT int fputc(int c, FILE *stream) { WRITES(stream, EOF, REAL(fputc)(c, stream)) }
HD_EXPORT int(putc)(int c, FILE *stream) { WRITES(stream, EOF, REAL(putc)(c, stream)) }
HD_EXPORT int(putchar)(int c) { WRITES(stdout, EOF, REAL(putchar)(c)) }
HD_EXPORT int fputs(const char *restrict text, FILE *restrict stream) {
  TAKES(stream, EOF, REAL(fputs)(text, stream), text, strlen(text) + 1)
}
HD_EXPORT int puts(const char *text) { TAKES(stdout, EOF, REAL(puts)(text), text, strlen(text) + 1) }
HD_EXPORT int fflush(FILE *stream) {
  if (!stream) return REAL(fflush)(stream);
  WRITES(stream, EOF, REAL(fflush)(stream))
}
HD_EXPORT int fseek(FILE *stream, long at, int from) { WRITES(stream, -1, REAL(fseek)(stream, at, from)) }
HD_EXPORT int fseeko(FILE *stream, off_t at, int from) { WRITES(stream, -1, REAL(fseeko)(stream, at, from)) }
HD_EXPORT int fseeko64(FILE *stream, off64_t at, int from) { WRITES(stream, -1, REAL(fseeko64)(stream, at, from)) }
HD_EXPORT long ftell(FILE *stream) { READS(stream, -1, REAL(ftell)(stream)) }

/* --- formatted: all by way of one function; what the format leads to is not looked at --- */

static int formatted(FILE *stream, const char *format, va_list args, void *pc) {
  HD_ENTER(REAL(vfprintf)(stream, format, args))
  USE(HD_STREAM_WRITE, stream, -1, REAL(vfprintf)(stream, format, args), pc)
  HD_DONE;
}

#define FORMATS(stream)                                         \
  va_list args;                                                 \
  va_start(args, format);                                       \
  int n = formatted(stream, format, args, HD_CALLER);           \
  va_end(args);                                                 \
  return n;
HD_EXPORT int fprintf(FILE *restrict stream, const char *restrict format, ...) { FORMATS(stream) }
HD_EXPORT int printf(const char *restrict format, ...) { FORMATS(stdout) }
HD_EXPORT int vfprintf(FILE *restrict stream, const char *restrict format, va_list args) {
  return formatted(stream, format, args, HD_CALLER);
}
HD_EXPORT int(vprintf)(const char *restrict format, va_list args) { return formatted(stdout, format, args, HD_CALLER); }

/* Compiled with _FORTIFY_SOURCE. What it checks beyond this is %n in a format that can be written to. */
int __fprintf_chk(FILE *stream, int flag, const char *format, ...);
int __printf_chk(int flag, const char *format, ...);
int __vfprintf_chk(FILE *stream, int flag, const char *format, va_list args);
int __vprintf_chk(int flag, const char *format, va_list args);
size_t __fread_chk(void *to, size_t room, size_t size, size_t n, FILE *stream);
char *__fgets_chk(char *to, size_t room, int size, FILE *stream);
HD_EXPORT int __fprintf_chk(FILE *stream, int flag, const char *format, ...) { (void)flag; FORMATS(stream) }
HD_EXPORT int __printf_chk(int flag, const char *format, ...) { (void)flag; FORMATS(stdout) }
HD_EXPORT int __vfprintf_chk(FILE *stream, int flag, const char *format, va_list args) {
  (void)flag;
  return formatted(stream, format, args, HD_CALLER);
}
HD_EXPORT int __vprintf_chk(int flag, const char *format, va_list args) { (void)flag; return formatted(stdout, format, args, HD_CALLER); }
HD_EXPORT size_t __fread_chk(void *to, size_t room, size_t size, size_t n, FILE *stream) {
  FILLS(stream, 0, REAL(__fread_chk)(to, room, size, n, stream), to, result * size)
}
HD_EXPORT char *__fgets_chk(char *to, size_t room, int size, FILE *stream) {
  FILLS(stream, NULL, REAL(__fgets_chk)(to, room, size, stream), to, strlen(to) + 1)
}

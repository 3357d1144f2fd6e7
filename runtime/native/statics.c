/*
 * Functions of libc that keep state in a static variable of libc, which all threads share: POSIX does not require them to be thread-safe. The state
 * is recorded as memory: the position of strtok is a variable that each call reads and writes; the other functions write what they return.
 */
#include "heap.h"
#include "real.h"
#include <errno.h>
#include <grp.h>
#include <pwd.h>
#include <string.h>
#include <time.h>

void __tsan_read8_pc(void *at, void *pc);
void __tsan_write8_pc(void *at, void *pc);

static char *strtok_position;

HD_EXPORT char *strtok(char *restrict text, const char *restrict between) {
  if (!text) __tsan_read8_pc(&strtok_position, HD_CALLER);
  char *position = strtok_position;
  __tsan_write8_pc(&strtok_position, HD_CALLER);
  Thread *t = hd_enter();
  char *word = REAL(strtok_r)(text, between, &position);
  strtok_position = position;
  if (t) hd_leave(t);
  return word;
}

/* `type` is what it returns; `bytes` of that are its own. The place is known from the call before. */
#define KEEPS(type, bytes, call)                              \
  static type *kept;                                          \
  Thread *t = hd_range_enter();                               \
  if (!t) return kept = call;                                 \
  hd_step(t, HD_RANGE_WRITE, kept, HD_CALLER);                \
  type *result = call;                                        \
  int error = errno;                                          \
  if (result) {                                               \
    kept = result;                                            \
    hd_range_touched(t, HD_RANGE_WRITE, result, bytes, HD_CALLER); \
  }                                                           \
  hd_leave(t);                                                \
  errno = error;                                              \
  return result;

/* The two share it, as in libc. It is here so that reports can name it. */
static struct tm localtime_result;

static struct tm *local(const time_t *when) {
  tzset();
  return REAL(localtime_r)(when, &localtime_result);
}
HD_EXPORT struct tm *localtime(const time_t *when) { KEEPS(struct tm, sizeof *result, local(when)) }
HD_EXPORT struct tm *gmtime(const time_t *when) { KEEPS(struct tm, sizeof *result, REAL(gmtime_r)(when, &localtime_result)) }
HD_EXPORT char *asctime(const struct tm *when) { KEEPS(char, REAL(strlen)(result) + 1, REAL(asctime)(when)) }
HD_EXPORT char *ctime(const time_t *when) { KEEPS(char, REAL(strlen)(result) + 1, REAL(ctime)(when)) }
HD_EXPORT struct passwd *getpwnam(const char *name) { KEEPS(struct passwd, sizeof *result, REAL(getpwnam)(name)) }
HD_EXPORT struct passwd *getpwuid(uid_t id) { KEEPS(struct passwd, sizeof *result, REAL(getpwuid)(id)) }
HD_EXPORT struct group *getgrnam(const char *name) { KEEPS(struct group, sizeof *result, REAL(getgrnam)(name)) }
HD_EXPORT struct group *getgrgid(gid_t id) { KEEPS(struct group, sizeof *result, REAL(getgrgid)(id)) }

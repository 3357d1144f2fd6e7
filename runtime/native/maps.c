/* Calls that unmap memory or take away access to it. A write whose value has not been read yet is read before the call. */
#include "core.h"
#include "shadow.h"
#include <stdarg.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#define BEFORE_UNMAP \
  Thread *t = hd_me; \
  if (t && !t->inside) hd_settle(t);

/* The map of shared places is larger than any limit a program sets for its memory: threads could not be made any more. */
static bool our_limit(int which) {
  if (which != RLIMIT_AS || !hd_me || !hd_shadow) return false;
  hd_result("note The program limits its address space. The limit was left out while it is observed.");
  return true;
}
HD_EXPORT int setrlimit(__rlimit_resource_t which, const struct rlimit *limit) {
  return our_limit((int)which) ? 0 : (int)syscall(SYS_prlimit64, 0, (int)which, limit, NULL);
}
HD_EXPORT int setrlimit64(__rlimit_resource_t which, const struct rlimit64 *limit) {
  return our_limit((int)which) ? 0 : (int)syscall(SYS_prlimit64, 0, (int)which, limit, NULL);
}

HD_EXPORT int munmap(void *at, size_t size) {
  BEFORE_UNMAP
  return (int)syscall(SYS_munmap, at, size);
}

HD_EXPORT int mprotect(void *at, size_t size, int how) {
  BEFORE_UNMAP
  return (int)syscall(SYS_mprotect, at, size, how);
}

HD_EXPORT void *mremap(void *at, size_t size, size_t wanted, int flags, ...) {
  BEFORE_UNMAP
  va_list args;
  va_start(args, flags);
  void *there = va_arg(args, void *);
  va_end(args);
  return (void *)syscall(SYS_mremap, at, size, wanted, flags, there);
}

HD_EXPORT void *dlopen(const char *path, int flags) {
  static void *(*real)(const char *, int);
  if (!real) real = (void *(*)(const char *, int))hd_real("dlopen");
  void *found = real(path, flags);
  if (hd_config.mode != HD_OFF) {
    Thread *t = hd_enter();
    hd_write_modules();
    if (t) hd_leave(t);
  }
  return found;
}

/*
 * Names of files. Whether a file of a name exists, and which one, is state that threads share. A call with a name is a step. It is recorded as an
 * atomic read of a location that stands for the name, or as an update if the call changes which file that is. Values: 1 it exists, 0 it does not.
 */
#undef _FILE_OFFSET_BITS
#include "descriptors.h"
#include "paths.h"
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Nothing is mapped there on the machines we run on. */
#define PLACES 0x600000000000ull
#define TOLD 4096
static _Atomic uint64_t told[TOLD];
static _Atomic int taken;

static uintptr_t place_of(const char *path) {
  uint64_t hash = 0xcbf29ce484222325ull; /* FNV-1a */
  for (const char *c = path; *c; c++) hash = (hash ^ (unsigned char)*c) * 0x100000001b3ull;
  return PLACES | (hash >> 32 ^ (hash & 0xffffffff)) << 3;
}

static void tell(uintptr_t place, const char *path) {
  unsigned at = (unsigned)(place >> 3) % TOLD;
  uint64_t none = 0;
  if (told[at] == place || !atomic_compare_exchange_strong(&told[at], &none, place)) return;
  hd_result("path %llx %s", (unsigned long long)place, path);
}

typedef struct {
  uint64_t file, size;
  bool exists, waits;
} Found;

static Found find(const char *path) {
  struct stat s;
  if (syscall(SYS_newfstatat, AT_FDCWD, path, &s, AT_SYMLINK_NOFOLLOW) != 0) return (Found){0};
  return (Found){s.st_ino, (uint64_t)s.st_size, true, !S_ISREG(s.st_mode) && !S_ISDIR(s.st_mode)};
}

static void lock(void) {
  while (atomic_exchange(&taken, 1)) syscall(SYS_sched_yield);
}

void hd_path_begin(PathUse *use, Thread *t, const char *path, void *pc) {
  *use = (PathUse){0};
  int error = errno;
  /* To open a pipe or a device may take for ever. */
  if (!hd_sees || !path || strchr(path, '\n') || find(path).waits) {
    errno = error;
    return;
  }
  use->place = place_of(path);
  use->path = path;
  use->pc = pc;
  /* Of no kind: what it comes to is not known yet. */
  hd_step(t, 0, (void *)use->place, pc);
  if (t->recording) {
    lock();
    Found found = find(path);
    use->file = found.file, use->size = found.size, use->existed = found.exists, use->locked = true;
  }
  errno = error;
}

void hd_path_end(PathUse *use, Thread *t) {
  if (!use->locked) return;
  int error = errno;
  Found now = find(use->path);
  bool changed = now.exists != use->existed || now.file != use->file || now.size != use->size;
  hd_record(t, changed ? HD_ATOMIC_UPDATE : HD_ATOMIC_READ, (void *)use->place, use->existed, use->pc);
  if (changed) hd_info(t, HD_UPDATED, now.exists);
  atomic_store(&taken, 0);
  tell(use->place, use->path);
  errno = error;
}

#define WITH(path, expression)                  \
  HD_ENTER(expression)                          \
  PathUse use;                                  \
  hd_path_begin(&use, t, path, HD_CALLER);      \
  int result = expression;                      \
  hd_path_end(&use, t);                         \
  HD_DONE
/* Of a folder that is not the present one the name alone says nothing. */
#define IN(folder, path) ((folder) == AT_FDCWD || (path)[0] == '/' ? (path) : NULL)

HD_EXPORT int stat(const char *restrict path, struct stat *restrict s) { WITH(path, REAL(stat)(path, s)); }
HD_EXPORT int lstat(const char *restrict path, struct stat *restrict s) { WITH(path, REAL(lstat)(path, s)); }
HD_EXPORT int fstatat(int folder, const char *restrict path, struct stat *restrict s, int flags) {
  WITH(IN(folder, path), REAL(fstatat)(folder, path, s, flags));
}
struct stat64;
HD_EXPORT int stat64(const char *restrict path, struct stat64 *restrict s) { WITH(path, REAL(stat64)(path, s)); }
HD_EXPORT int lstat64(const char *restrict path, struct stat64 *restrict s) { WITH(path, REAL(lstat64)(path, s)); }
HD_EXPORT int fstatat64(int folder, const char *restrict path, struct stat64 *restrict s, int flags) {
  WITH(IN(folder, path), REAL(fstatat64)(folder, path, s, flags));
}
HD_EXPORT int access(const char *path, int how) { WITH(path, REAL(access)(path, how)); }
HD_EXPORT int faccessat(int folder, const char *path, int how, int flags) {
  WITH(IN(folder, path), REAL(faccessat)(folder, path, how, flags));
}
HD_EXPORT int unlink(const char *path) { WITH(path, REAL(unlink)(path)); }
HD_EXPORT int unlinkat(int folder, const char *path, int flags) { WITH(IN(folder, path), REAL(unlinkat)(folder, path, flags)); }
HD_EXPORT int remove(const char *path) { WITH(path, REAL(remove)(path)); }
HD_EXPORT int mkdir(const char *path, mode_t mode) { WITH(path, REAL(mkdir)(path, mode)); }
HD_EXPORT int mkdirat(int folder, const char *path, mode_t mode) { WITH(IN(folder, path), REAL(mkdirat)(folder, path, mode)); }
HD_EXPORT int rmdir(const char *path) { WITH(path, REAL(rmdir)(path)); }
HD_EXPORT int symlink(const char *to, const char *path) { WITH(path, REAL(symlink)(to, path)); }
HD_EXPORT int link(const char *from, const char *path) { WITH(path, REAL(link)(from, path)); }
HD_EXPORT int truncate(const char *path, off_t size) { WITH(path, REAL(truncate)(path, size)); }

/* Two names: the new one is a place of the step, the old one of a step right after it. */
HD_EXPORT int rename(const char *from, const char *to) {
  HD_ENTER(REAL(rename)(from, to))
  PathUse use;
  hd_path_begin(&use, t, to, HD_CALLER);
  int result = REAL(rename)(from, to);
  hd_path_end(&use, t);
  if (result == 0 && use.place) {
    int error = errno;
    hd_step(t, HD_ATOMIC_WRITE, (void *)place_of(from), HD_CALLER);
    hd_record(t, HD_ATOMIC_WRITE, (void *)place_of(from), 0, HD_CALLER);
    if (t->recording) tell(place_of(from), from);
    errno = error;
  }
  HD_DONE;
}

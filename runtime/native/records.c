/*
 * The records of threads. The file is mapped into memory, so that nothing is lost however the program ends. When a chunk of it is full, accesses to
 * locations that no other thread has accessed are dropped from it (compact).
 */
#include "core.h"
#include "gate.h"
#include "shadow.h"
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <errno.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <unistd.h>

#define HEAD 64
/* Sizes of chunks in bytes: pages, so that the next one can be mapped by itself. */
#define FIRST_CHUNK (64u << 10)
#define CHUNK (32u << 20)
/* So much of the disk is left to others, and to Heddle itself. */
#define LEFT_FREE (1u << 20)

void hd_settle(Thread *t) {
  Event *e = t->pending;
  if (!e) return;
  t->pending = NULL;
  e->value = hd_value_at(t->pending_at, (e->what >> 8) & 255);
}

/*
 * The disk has room for so many bytes more, and they are ours now. A page that is mapped without it is a SIGBUS when the disk is full, and the end of
 * the program. Where the file system cannot reserve, zeros are written.
 */
static bool reserve(int fd, uint64_t from, size_t bytes) {
  struct statvfs about;
  if (fstatvfs(fd, &about) == 0 && (uint64_t)about.f_bavail * about.f_frsize < bytes + LEFT_FREE) return false;
  long done;
  do done = syscall(SYS_fallocate, fd, 0, (off_t)from, (off_t)bytes);
  while (done != 0 && errno == EINTR);
  if (done == 0) return true;
  if (errno == EOPNOTSUPP || errno == ENOSYS) {
    static const char zeros[4096];
    size_t wrote = 0;
    while (wrote < bytes) {
      size_t piece = bytes - wrote < sizeof zeros ? bytes - wrote : sizeof zeros;
      ssize_t n = syscall(SYS_pwrite64, fd, zeros, piece, (off_t)(from + wrote));
      if (n <= 0) break;
      wrote += (size_t)n;
    }
    if (wrote == bytes) return true;
  }
  syscall(SYS_ftruncate, fd, from);
  return false;
}

static bool map_chunk(Thread *t, size_t bytes) {
  char name[HD_NAME + 16] = "threads/";
  strcat(strcat(name, t->name), ".raw");
  int fd = hd_file(name, O_RDWR | O_CREAT | (t->file_size == 0 ? O_TRUNC : 0));
  if (fd < 0) return false;
  void *at = MAP_FAILED;
  /* A limit for the size of files would be a signal, and the end of the program. */
  struct rlimit limit;
  bool fits = getrlimit(RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY || t->file_size + bytes <= limit.rlim_cur;
  if (fits && reserve(fd, t->file_size, bytes))
    at = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, (off_t)t->file_size);
  syscall(SYS_close, fd);
  if (at == MAP_FAILED) return false;
#ifdef MADV_POPULATE_WRITE
  /* At once is cheaper than page by page. An older system does not know it, and does it page by page. */
  if (bytes > FIRST_CHUNK) madvise(at, bytes, MADV_POPULATE_WRITE);
#endif
  if (t->chunk) munmap((void *)((uintptr_t)t->chunk & ~(uintptr_t)4095), (size_t)((uintptr_t)t->end - ((uintptr_t)t->chunk & ~(uintptr_t)4095)));
  t->chunk = (Event *)((char *)at + (t->file_size == 0 ? HEAD : 0));
  t->at = t->chunk;
  t->end = (Event *)((char *)at + bytes);
  if (t->file_size == 0) {
    char *head = at;
    memcpy(head, "HDNATIV1", 8);
    uint32_t ids[2] = {t->id, t->parent ? t->parent->id : 0};
    memcpy(head + 8, ids, 8);
    memcpy(head + 16, t->name, HD_NAME);
  }
  t->file_size += bytes;
  return true;
}

/* What was written stays; the room behind it is given back. */
void hd_end_file(Thread *t) {
  if (!t->chunk) return;
  uintptr_t from = (uintptr_t)t->chunk & ~(uintptr_t)4095;
  uint64_t left = (uint64_t)((char *)t->end - (char *)t->at);
  munmap((void *)from, (size_t)((uintptr_t)t->end - from));
  t->chunk = t->at = t->end = NULL;
  char name[HD_NAME + 16] = "threads/";
  strcat(strcat(name, t->name), ".raw");
  int fd = left < 2 * FIRST_CHUNK ? -1 : hd_file(name, O_RDWR);
  if (fd < 0) return;
  syscall(SYS_ftruncate, fd, t->file_size - left);
  syscall(SYS_close, fd);
}

/* Drops accesses to places of this thread alone, or that nobody writes. Steps stay counted. */
static size_t compact(Thread *t) {
  if (!hd_shadow) return 0;
  Event *to = t->chunk;
  uint64_t skipped = 0, dropped = 0;
  for (Event *e = t->chunk; e < t->at; e++) {
    unsigned kind = e->what & 255;
    uint64_t before = e->object >> 48;
    uintptr_t at = e->object & ((1ull << 48) - 1);
    if (kind == HD_SKIP) {
      skipped += e->value;
      continue;
    }
    bool alone = kind == HD_READ || kind == HD_WRITE ? !hd_contested(at) : kind == HD_RANGE_READ || kind == HD_RANGE_WRITE;
    if (kind == HD_RANGE_READ || kind == HD_RANGE_WRITE)
      for (uintptr_t a = at & ~(uintptr_t)7; alone && a < at + e->value; a += 8) alone = !hd_contested(a);
    if (alone) {
      skipped += before + 1;
      dropped++;
      continue;
    }
    if (kind < HD_INFO) {
      skipped += before;
      if (skipped > 65535) {
        /* There is room: more than one was dropped. */
        *to++ = (Event){.what = HD_SKIP, .object = 0, .value = skipped, .stamp = e->stamp};
        skipped = 0;
      }
      Event kept = *e;
      kept.object = at | skipped << 48;
      skipped = 0;
      *to++ = kept;
    } else {
      *to++ = *e;
    }
  }
  if (skipped > 0) *to++ = (Event){.what = HD_SKIP, .value = skipped, .stamp = atomic_load_explicit(&hd_clock, memory_order_relaxed)};
  t->dropped += dropped;
  Event *old = t->at;
  t->at = to;
  if (old > to) memset(to, 0, (size_t)((char *)old - (char *)to));
  return (size_t)(old - to);
}

/* All threads stop: what one of them reads would have no writer otherwise. */
static void stop_recording(Thread *t) {
  static _Atomic int told;
  hd_full = true;
  if (atomic_exchange(&told, 1)) return;
  uint32_t n = atomic_load(&hd_thread_count);
  for (uint32_t i = 0; i < n && i < MOST_THREADS; i++)
    if (hd_threads[i]) hd_threads[i]->recording = 0;
  hd_result("note Recording stopped before the end, in %s: its file cannot grow. The disk is full, or files may not be larger.", t->name);
}

static void make_room(Thread *t) {
  size_t records = (size_t)(t->end - t->chunk);
  if (t->chunk && records * sizeof(Event) >= CHUNK) {
    if (t->not_now > 0) {
      t->not_now--;
    } else {
      size_t freed = compact(t);
      /* Where it does not help it is not tried again so soon. */
      if (freed < records / 8) t->not_now = t->not_now_next = t->not_now_next < 16 ? 2 * t->not_now_next + 1 : 16;
      else t->not_now_next = 0;
      t->lean = hd_shadow != NULL && hd_config.mode == HD_RECORD;
      if (freed > records / 2) return;
    }
  }
  /* Three times what there is: threads that do little cost little. */
  size_t bytes = t->file_size == 0 ? FIRST_CHUNK : 3 * t->file_size < CHUNK ? 3 * t->file_size : CHUNK;
  for (; bytes >= FIRST_CHUNK; bytes /= 8)
    if (map_chunk(t, bytes)) return;
  t->recording = 0;
  stop_recording(t);
}

/* No room is left, or more steps were left out than a record can say. Afterwards all is well, or the thread does not record any more. */
void hd_more_room(Thread *t) {
  hd_settle(t);
  if (t->at >= t->end) make_room(t);
  if (t->left_out <= 65535 || !t->recording) return;
  Event *e = t->at++;
  e->object = 0;
  e->value = t->left_out;
  e->stamp = atomic_load_explicit(&hd_clock, memory_order_relaxed);
  e->what = HD_SKIP;
  t->steps += t->left_out;
  t->dropped += t->left_out;
  t->left_out = 0;
  if (t->at >= t->end) make_room(t);
}

static Event *append(Thread *t, unsigned kind, unsigned log, uintptr_t object, uint64_t value, uint64_t stamp, void *pc) {
  pc = hd_site(pc);
  if (HD_UNLIKELY(t->at >= t->end || t->left_out > 65535)) {
    hd_more_room(t);
    if (!t->recording) return NULL;
  }
  Event *e = t->at++;
  e->object = object & ((1ull << 48) - 1);
  if (kind < HD_INFO) {
    e->object |= t->left_out << 48;
    t->steps += t->left_out;
    t->dropped += t->left_out;
    t->left_out = 0;
  }
  e->value = value;
  e->stamp = stamp;
  /* Last: a record without it does not count. */
  __atomic_store_n(&e->what, kind | log << 8 | (uint64_t)(uintptr_t)pc << 16, __ATOMIC_RELEASE);
  return e;
}

Event *hd_append(Thread *t, unsigned kind, unsigned log, uintptr_t object, uint64_t value, uint64_t stamp, void *pc) {
  return append(t, kind, log, object, value, stamp, pc);
}

void hd_step(Thread *t, int kind, const void *object, void *pc) {
  if (t->pending) hd_settle(t);
  t->steps++;
  t->last_op = kind;
  if (HD_UNLIKELY(t->steps > t->until)) hd_gate(t, kind, object, pc);
}

void hd_record(Thread *t, int kind, const void *object, uint64_t value, void *pc) {
  if (!t->recording) return;
  uint64_t stamp = atomic_fetch_add_explicit(&hd_clock, 1, memory_order_acq_rel) + 1;
  append(t, (unsigned)kind, 0, (uintptr_t)object, value, stamp, pc);
}

void hd_info(Thread *t, int kind, uint64_t value) {
  if (t->recording && t->at > t->chunk) append(t, (unsigned)kind, 0, 0, value, t->at[-1].stamp, NULL);
}

/*
 * The calls that gcc and clang insert with -fsanitize=thread: before every read and write, and instead of every atomic operation. Before the second
 * thread is created nothing is recorded, and each call returns at once.
 */
#include "heddle.h"
#include "gate.h"
#include "shadow.h"

typedef unsigned __int128 u128;

static inline bool touch(Thread *t, uintptr_t at, unsigned log, uint16_t written) {
  uint16_t mine = t->owner | written;
  bool shared = hd_touch(at, mine);
  uintptr_t last = at + (1u << log) - 1;
  if (HD_UNLIKELY((last ^ at) & ~(uintptr_t)7)) shared |= hd_touch(last, mine);
  return shared;
}

static __attribute__((noinline)) void slow_step(Thread *t, int kind, uintptr_t at, void *pc) {
  t->inside = 1;
  hd_gate(t, kind, (void *)at, pc);
  t->inside = 0;
}

static __attribute__((noinline)) void freed(Thread *t, uintptr_t at, int kind, void *pc) {
  t->inside = 1;
  hd_use_of_freed(t, at, kind, pc);
  t->inside = 0;
}

/*
 * Most accesses of a long run touch what is the thread's own, or what nobody writes. Their records would be dropped when the chunk is full: a thread
 * that has seen a full chunk counts them and does not write them. This is the path that decides what recording costs.
 */
static inline bool left_out(Thread *t, uintptr_t at, unsigned log, bool writes, bool aligned) {
  if (HD_UNLIKELY(!t) || !t->lean || t->inside || log > 3) return false;
  if (!aligned && HD_UNLIKELY(((at & 7) + (1u << log)) > 8)) return false;
  uint16_t there = *(volatile uint16_t *)hd_shadow_of(at);
  bool own = writes ? there == (t->owner | SHADOW_WRITTEN)
                    : (there & ~SHADOW_WRITTEN) == t->owner || (there & (SHADOW_SHARED | SHADOW_WRITTEN)) == SHADOW_SHARED;
  if (!own) return false;
  if (t->pending) hd_settle(t);
  t->left_out++;
  return true;
}

static inline void put(Thread *t, unsigned kind, unsigned log, uintptr_t at, uint64_t value, uint64_t stamp, void *pc) {
  pc = hd_site(pc);
  if (HD_UNLIKELY(t->at >= t->end || t->left_out > 65535)) {
    t->inside = 1;
    hd_more_room(t);
    t->inside = 0;
    if (!t->recording) return;
  }
  Event *e = t->at++;
  e->object = (at & ((1ull << 48) - 1)) | t->left_out << 48;
  t->steps += t->left_out;
  t->dropped += t->left_out;
  t->left_out = 0;
  e->value = value;
  e->stamp = stamp;
  e->what = kind | log << 8 | (uint64_t)(uintptr_t)pc << 16;
}

/* What every access does first; false: nothing more is to be done. */
static inline bool begin(Thread *t, int kind, uintptr_t at, void *pc) {
  if (HD_UNLIKELY(!t) || t->inside) return false;
  if (t->pending) hd_settle(t);
  t->steps++;
  if (HD_UNLIKELY(t->steps > t->until)) slow_step(t, kind, at, pc);
  if (HD_UNLIKELY(hd_config.poison) && hd_is_freed(at)) freed(t, at, kind, pc);
  return t->recording;
}

/*
 * A read that says again what the two records right before it say, the same instruction, place and value: a loop that waits for a change. The first stays, where
 * another run may find what it waits for; the second moves on to the present step, so that a schedule which names it lets the thread take as many rounds as it took. `stamp` was taken before the value was read.
 */
static inline bool says_again(Thread *t, unsigned kind, unsigned log, uintptr_t at, uint64_t value, uint64_t stamp, void *pc) {
  Event *last = t->at - 1, *first = last - 1;
  uint64_t what = kind | log << 8 | (uint64_t)(uintptr_t)pc << 16, where = (1ull << 48) - 1;
  if (first < t->chunk || last->what != what || last->value != value || ((last->object ^ at) & where)) return false;
  if (first->what != what || first->value != value || ((first->object ^ at) & where)) return false;
  if (last->object >> 48 == 65535 || t->left_out > 0 || t->until != UINT64_MAX) return false;
  last->object += 1ull << 48;
  last->stamp = stamp;
  return true;
}

static __attribute__((noinline)) void read_slowly(uintptr_t at, unsigned log, void *pc) {
  if (!hd_sees) return;
  Thread *t = hd_me;
  if (!begin(t, HD_READ, at, pc)) return;
  touch(t, at, log, 0);
  uint64_t stamp = atomic_load_explicit(&hd_clock, memory_order_relaxed);
  uint64_t value = hd_value_at(at, log);
  pc = hd_site(pc);
  if (log < 4 && says_again(t, HD_READ, log, at, value, stamp, pc)) return;
  put(t, HD_READ, log, at, value, stamp, pc);
}

static __attribute__((noinline)) void write_slowly(uintptr_t at, unsigned log, void *pc) {
  if (!hd_sees) return;
  Thread *t = hd_me;
  if (!begin(t, HD_WRITE, at, pc)) return;
  uint64_t stamp = touch(t, at, log, SHADOW_WRITTEN) ? atomic_fetch_add_explicit(&hd_clock, 1, memory_order_relaxed) + 1
                                                     : atomic_load_explicit(&hd_clock, memory_order_relaxed);
  put(t, HD_WRITE, log, at, 0, stamp, pc);
  if (HD_LIKELY(log < 4) && t->recording) {
    t->pending = t->at - 1;
    t->pending_at = at;
  }
}

static inline void on_read(uintptr_t at, unsigned log, bool aligned, void *pc) {
  if (!left_out(hd_me, at, log, false, aligned)) read_slowly(at, log, pc);
}
static inline void on_write(uintptr_t at, unsigned log, bool aligned, void *pc) {
  if (!left_out(hd_me, at, log, true, aligned)) write_slowly(at, log, pc);
}

/* The record of a range, for the present step. ranges.c calls it, too. */
void hd_range_record(Thread *t, int kind, const void *start, size_t size, void *pc) {
  if (!t->recording || size == 0) return;
  uintptr_t at = (uintptr_t)start;
  uint16_t written = kind == HD_RANGE_WRITE ? SHADOW_WRITTEN : 0;
  bool shared = false;
  for (uintptr_t a = at & ~(uintptr_t)7; a < at + size; a += 8) shared |= touch(t, a, 3, written);
  uint64_t stamp = shared && written ? atomic_fetch_add_explicit(&hd_clock, 1, memory_order_relaxed) + 1
                                     : atomic_load_explicit(&hd_clock, memory_order_relaxed);
  hd_append(t, (unsigned)kind, 0, at, size, stamp, pc);
}

static void on_range(uintptr_t at, size_t size, unsigned kind, void *pc) {
  if (!hd_sees || size == 0) return;
  Thread *t = hd_me;
  if (!begin(t, (int)kind, at, pc)) return;
  t->inside = 1;
  hd_range_record(t, (int)kind, (void *)at, size, pc);
  t->inside = 0;
}

#define ACCESSES(N, LOG) \
  HD_EXPORT void __tsan_read##N(void *at) { on_read((uintptr_t)at, LOG, true, HD_CALLER); } \
  HD_EXPORT void __tsan_write##N(void *at) { on_write((uintptr_t)at, LOG, true, HD_CALLER); } \
  HD_EXPORT void __tsan_unaligned_read##N(void *at) { on_read((uintptr_t)at, LOG, false, HD_CALLER); } \
  HD_EXPORT void __tsan_unaligned_write##N(void *at) { on_write((uintptr_t)at, LOG, false, HD_CALLER); } \
  HD_EXPORT void __tsan_volatile_read##N(void *at) { on_read((uintptr_t)at, LOG, true, HD_CALLER); } \
  HD_EXPORT void __tsan_volatile_write##N(void *at) { on_write((uintptr_t)at, LOG, true, HD_CALLER); } \
  HD_EXPORT void __tsan_unaligned_volatile_read##N(void *at) { on_read((uintptr_t)at, LOG, false, HD_CALLER); } \
  HD_EXPORT void __tsan_unaligned_volatile_write##N(void *at) { on_write((uintptr_t)at, LOG, false, HD_CALLER); } \
  HD_EXPORT void __tsan_read##N##_pc(void *at, void *pc) { on_read((uintptr_t)at, LOG, true, pc); } \
  HD_EXPORT void __tsan_write##N##_pc(void *at, void *pc) { on_write((uintptr_t)at, LOG, true, pc); } \
  HD_EXPORT void __tsan_read_write##N(void *at) { \
    on_read((uintptr_t)at, LOG, false, HD_CALLER); \
    on_write((uintptr_t)at, LOG, false, HD_CALLER); \
  } \
  HD_EXPORT void __tsan_unaligned_read_write##N(void *at) { \
    on_read((uintptr_t)at, LOG, false, HD_CALLER); \
    on_write((uintptr_t)at, LOG, false, HD_CALLER); \
  }
ACCESSES(1, 0)
ACCESSES(2, 1)
ACCESSES(4, 2)
ACCESSES(8, 3)
ACCESSES(16, 4)

HD_EXPORT void __tsan_read_range(void *at, size_t size) { on_range((uintptr_t)at, size, HD_RANGE_READ, HD_CALLER); }
HD_EXPORT void __tsan_write_range(void *at, size_t size) { on_range((uintptr_t)at, size, HD_RANGE_WRITE, HD_CALLER); }
/* The pointer to the virtual methods: written in constructors and destructors, mostly with what is there. Then it is no write. */
HD_EXPORT void __tsan_vptr_update(void **at, void *value) {
  if (*at != value) on_write((uintptr_t)at, 3, true, HD_CALLER);
}
HD_EXPORT void __tsan_vptr_read(void **at) { on_read((uintptr_t)at, 3, true, HD_CALLER); }

/* clang: memory functions are called through the sanitizer. */
HD_EXPORT void *__tsan_memcpy(void *to, const void *from, size_t size) {
  on_range((uintptr_t)from, size, HD_RANGE_READ, HD_CALLER);
  on_range((uintptr_t)to, size, HD_RANGE_WRITE, HD_CALLER);
  return __builtin_memcpy(to, from, size);
}
HD_EXPORT void *__tsan_memmove(void *to, const void *from, size_t size) {
  on_range((uintptr_t)from, size, HD_RANGE_READ, HD_CALLER);
  on_range((uintptr_t)to, size, HD_RANGE_WRITE, HD_CALLER);
  return __builtin_memmove(to, from, size);
}
HD_EXPORT void *__tsan_memset(void *to, int value, size_t size) {
  on_range((uintptr_t)to, size, HD_RANGE_WRITE, HD_CALLER);
  return __builtin_memset(to, value, size);
}

HD_EXPORT void __tsan_init(void) {}
HD_EXPORT void __tsan_func_entry(void *pc) { (void)pc; }
HD_EXPORT void __tsan_func_exit(void) {}
HD_EXPORT void __tsan_ignore_thread_begin(void) {}
HD_EXPORT void __tsan_ignore_thread_end(void) {}
HD_EXPORT void __tsan_acquire(void *at) { (void)at; }
HD_EXPORT void __tsan_release(void *at) { (void)at; }
HD_EXPORT void *__tsan_external_register_tag(const char *name) { return (void *)name; }
HD_EXPORT void __tsan_flush_memory(void) {}
HD_EXPORT void *__tsan_get_current_fiber(void) { return NULL; }
HD_EXPORT void *__tsan_create_fiber(unsigned flags) { return (void *)(uintptr_t)(flags + 1); }
HD_EXPORT void __tsan_destroy_fiber(void *fiber) { (void)fiber; }
HD_EXPORT void __tsan_switch_to_fiber(void *fiber, unsigned flags) { (void)fiber, (void)flags; }
HD_EXPORT void __tsan_set_fiber_name(void *fiber, const char *name) { (void)fiber, (void)name; }
HD_EXPORT void __tsan_mutex_create(void *at, unsigned flags) { (void)at, (void)flags; }
HD_EXPORT void __tsan_mutex_destroy(void *at, unsigned flags) { (void)at, (void)flags; }
HD_EXPORT void __tsan_mutex_pre_lock(void *at, unsigned flags) { (void)at, (void)flags; }
HD_EXPORT void __tsan_mutex_post_lock(void *at, unsigned flags, int n) { (void)at, (void)flags, (void)n; }
HD_EXPORT int __tsan_mutex_pre_unlock(void *at, unsigned flags) { return (void)at, (void)flags, 0; }
HD_EXPORT void __tsan_mutex_post_unlock(void *at, unsigned flags) { (void)at, (void)flags; }
HD_EXPORT void __tsan_mutex_pre_signal(void *at, unsigned flags) { (void)at, (void)flags; }
HD_EXPORT void __tsan_mutex_post_signal(void *at, unsigned flags) { (void)at, (void)flags; }
HD_EXPORT void __tsan_mutex_pre_divert(void *at, unsigned flags) { (void)at, (void)flags; }
HD_EXPORT void __tsan_mutex_post_divert(void *at, unsigned flags) { (void)at, (void)flags; }

/* --- atomics: done here, so that value and order are exact. One small lock for each of many groups of places makes the two one. --- */

#define STRIPES 1024
static struct {
  _Alignas(64) _Atomic int taken;
} stripes[STRIPES];

static inline _Atomic int *stripe_of(uintptr_t at) { return &stripes[(at >> 3) * 0x9e3779b1u % STRIPES].taken; }

static inline void lock_stripe(_Atomic int *stripe) {
  for (unsigned spins = 0; atomic_exchange_explicit(stripe, 1, memory_order_acquire); spins++) {
    if ((spins & 1023) == 1023) {
      struct { long s, ns; } pause = {0, 1000};
      long ignored;
      __asm__ volatile("syscall" : "=a"(ignored) : "0"(35L), "D"(&pause), "S"(0) : "rcx", "r11", "memory");
    } else {
      __builtin_ia32_pause();
    }
  }
}
static inline void unlock_stripe(_Atomic int *stripe) { atomic_store_explicit(stripe, 0, memory_order_release); }

/* Before an atomic operation: the thread if it is to be recorded, with the stripe locked. */
static inline Thread *atomic_begin(uintptr_t at, unsigned log, int kind, void *pc) {
  if (!hd_sees) return NULL;
  Thread *t = hd_me;
  if (!begin(t, kind, at, pc)) return NULL;
  touch(t, at, log, kind == HD_ATOMIC_READ ? 0 : SHADOW_WRITTEN);
  t->inside = 1;
  lock_stripe(stripe_of(at));
  return t;
}

/* The value is the one the program gets: a loop that waits takes no stripe. */
static inline bool waits_on(uintptr_t at, unsigned log, uint64_t value, uint64_t stamp, void *pc) {
  Thread *t = hd_me;
  if (!hd_sees || !t || t->inside || !t->recording || t->pending || hd_config.poison) return false;
  if (!says_again(t, HD_ATOMIC_READ, log, at, value, stamp, hd_site(pc))) return false;
  t->steps++;
  return true;
}

static inline void atomic_end(Thread *t, uintptr_t at, unsigned log, unsigned kind, uint64_t value, uint64_t updated, void *pc) {
  uint64_t stamp = kind == HD_ATOMIC_READ ? atomic_load_explicit(&hd_clock, memory_order_relaxed)
                                          : atomic_fetch_add_explicit(&hd_clock, 1, memory_order_relaxed) + 1;
  unlock_stripe(stripe_of(at));
  hd_append(t, kind, log, at, log < 4 ? value : 0, stamp, pc);
  if (kind == HD_ATOMIC_UPDATE) hd_append(t, HD_UPDATED, log, at, log < 4 ? updated : 0, stamp, NULL);
  t->inside = 0;
}

#define ATOMIC_LOAD(BITS, T, LOG) \
  HD_EXPORT T __tsan_atomic##BITS##_load(const volatile T *at, int order) { \
    (void)order; \
    uint64_t stamp = atomic_load_explicit(&hd_clock, memory_order_acquire); \
    T value = __atomic_load_n(at, __ATOMIC_SEQ_CST); \
    if (waits_on((uintptr_t)at, LOG, (uint64_t)value, stamp, HD_CALLER)) return value; \
    Thread *t = atomic_begin((uintptr_t)at, LOG, HD_ATOMIC_READ, HD_CALLER); \
    value = __atomic_load_n(at, __ATOMIC_SEQ_CST); \
    if (t) atomic_end(t, (uintptr_t)at, LOG, HD_ATOMIC_READ, (uint64_t)value, 0, HD_CALLER); \
    return value; \
  } \
  HD_EXPORT void __tsan_atomic##BITS##_store(volatile T *at, T value, int order) { \
    (void)order; \
    Thread *t = atomic_begin((uintptr_t)at, LOG, HD_ATOMIC_WRITE, HD_CALLER); \
    __atomic_store_n(at, value, __ATOMIC_SEQ_CST); \
    if (t) atomic_end(t, (uintptr_t)at, LOG, HD_ATOMIC_WRITE, (uint64_t)value, 0, HD_CALLER); \
  }

#define ATOMIC_UPDATE(BITS, T, LOG, NAME, OP, NEW) \
  HD_EXPORT T __tsan_atomic##BITS##_##NAME(volatile T *at, T value, int order) { \
    (void)order; \
    Thread *t = atomic_begin((uintptr_t)at, LOG, HD_ATOMIC_UPDATE, HD_CALLER); \
    T old = OP(at, value, __ATOMIC_SEQ_CST); \
    if (t) atomic_end(t, (uintptr_t)at, LOG, HD_ATOMIC_UPDATE, (uint64_t)old, (uint64_t)(T)(NEW), HD_CALLER); \
    return old; \
  }

/* One that fails has only read. */
#define ATOMIC_COMPARE(BITS, T, LOG) \
  static inline bool compare##BITS(volatile T *at, T *expected, T wanted, void *pc) { \
    Thread *t = atomic_begin((uintptr_t)at, LOG, HD_ATOMIC_UPDATE, pc); \
    bool done = __atomic_compare_exchange_n(at, expected, wanted, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST); \
    if (t) atomic_end(t, (uintptr_t)at, LOG, done ? HD_ATOMIC_UPDATE : HD_ATOMIC_READ, (uint64_t)*expected, (uint64_t)wanted, pc); \
    return done; \
  } \
  HD_EXPORT int __tsan_atomic##BITS##_compare_exchange_strong(volatile T *at, T *expected, T wanted, int order, int fail) { \
    return (void)order, (void)fail, compare##BITS(at, expected, wanted, HD_CALLER); \
  } \
  HD_EXPORT int __tsan_atomic##BITS##_compare_exchange_weak(volatile T *at, T *expected, T wanted, int order, int fail) { \
    return (void)order, (void)fail, compare##BITS(at, expected, wanted, HD_CALLER); \
  } \
  HD_EXPORT T __tsan_atomic##BITS##_compare_exchange_val(volatile T *at, T expected, T wanted, int order, int fail) { \
    (void)order, (void)fail; \
    compare##BITS(at, &expected, wanted, HD_CALLER); \
    return expected; \
  }

#define ATOMICS(BITS, T, LOG) \
  ATOMIC_LOAD(BITS, T, LOG) \
  ATOMIC_UPDATE(BITS, T, LOG, exchange, __atomic_exchange_n, value) \
  ATOMIC_UPDATE(BITS, T, LOG, fetch_add, __atomic_fetch_add, old + value) \
  ATOMIC_UPDATE(BITS, T, LOG, fetch_sub, __atomic_fetch_sub, old - value) \
  ATOMIC_UPDATE(BITS, T, LOG, fetch_and, __atomic_fetch_and, old & value) \
  ATOMIC_UPDATE(BITS, T, LOG, fetch_or, __atomic_fetch_or, old | value) \
  ATOMIC_UPDATE(BITS, T, LOG, fetch_xor, __atomic_fetch_xor, old ^ value) \
  ATOMIC_UPDATE(BITS, T, LOG, fetch_nand, __atomic_fetch_nand, ~(old & value)) \
  ATOMIC_COMPARE(BITS, T, LOG)

ATOMICS(8, uint8_t, 0)
ATOMICS(16, uint16_t, 1)
ATOMICS(32, uint32_t, 2)
ATOMICS(64, uint64_t, 3)
/* Sixteen bytes: by way of their stripe, so that neither libatomic nor a newer processor is needed. Nobody outside the program takes part. */
#define WIDE(NAME, KIND, NEW) \
  HD_EXPORT u128 __tsan_atomic128_##NAME(volatile u128 *at, u128 value, int order) { \
    (void)order; \
    Thread *t = atomic_begin((uintptr_t)at, 4, KIND, HD_CALLER); \
    if (!t) lock_stripe(stripe_of((uintptr_t)at)); \
    u128 old = *at; \
    *at = NEW; \
    if (t) atomic_end(t, (uintptr_t)at, 4, KIND, 0, 0, HD_CALLER); \
    else unlock_stripe(stripe_of((uintptr_t)at)); \
    return old; \
  }
WIDE(exchange, HD_ATOMIC_UPDATE, value)
WIDE(fetch_add, HD_ATOMIC_UPDATE, old + value)
WIDE(fetch_sub, HD_ATOMIC_UPDATE, old - value)
WIDE(fetch_and, HD_ATOMIC_UPDATE, old & value)
WIDE(fetch_or, HD_ATOMIC_UPDATE, old | value)
WIDE(fetch_xor, HD_ATOMIC_UPDATE, old ^ value)
WIDE(fetch_nand, HD_ATOMIC_UPDATE, ~(old & value))

HD_EXPORT void __tsan_atomic128_store(volatile u128 *at, u128 value, int order) { __tsan_atomic128_exchange(at, value, order); }
HD_EXPORT u128 __tsan_atomic128_load(const volatile u128 *at, int order) {
  (void)order;
  Thread *t = atomic_begin((uintptr_t)at, 4, HD_ATOMIC_READ, HD_CALLER);
  if (!t) lock_stripe(stripe_of((uintptr_t)at));
  u128 value = *at;
  if (t) atomic_end(t, (uintptr_t)at, 4, HD_ATOMIC_READ, 0, 0, HD_CALLER);
  else unlock_stripe(stripe_of((uintptr_t)at));
  return value;
}
static bool compare128(volatile u128 *at, u128 *expected, u128 wanted, void *pc) {
  Thread *t = atomic_begin((uintptr_t)at, 4, HD_ATOMIC_UPDATE, pc);
  if (!t) lock_stripe(stripe_of((uintptr_t)at));
  u128 old = *at;
  bool done = old == *expected;
  if (done) *at = wanted;
  else *expected = old;
  if (t) atomic_end(t, (uintptr_t)at, 4, done ? HD_ATOMIC_UPDATE : HD_ATOMIC_READ, 0, 0, pc);
  else unlock_stripe(stripe_of((uintptr_t)at));
  return done;
}
HD_EXPORT int __tsan_atomic128_compare_exchange_strong(volatile u128 *at, u128 *expected, u128 wanted, int order, int fail) {
  return (void)order, (void)fail, compare128(at, expected, wanted, HD_CALLER);
}
HD_EXPORT int __tsan_atomic128_compare_exchange_weak(volatile u128 *at, u128 *expected, u128 wanted, int order, int fail) {
  return (void)order, (void)fail, compare128(at, expected, wanted, HD_CALLER);
}
HD_EXPORT u128 __tsan_atomic128_compare_exchange_val(volatile u128 *at, u128 expected, u128 wanted, int order, int fail) {
  (void)order, (void)fail;
  compare128(at, &expected, wanted, HD_CALLER);
  return expected;
}

HD_EXPORT void __tsan_atomic_thread_fence(int order) {
  (void)order;
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
}
HD_EXPORT void __tsan_atomic_signal_fence(int order) {
  (void)order;
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
}

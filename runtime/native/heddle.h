/*
 * Heddle's runtime for native programs: what its files share. docs/native-format.md has the format, docs/native.md the purpose.
 *
 *   core.c       start, table of threads     words.c  text and files     modules.c  loaded modules     maps.c  munmap and limits
 *   records.c    the records of threads     sites.c  sites in library code     shadow.c  which threads accessed a location
 *   access.c     the compiler's calls: reads, writes, atomics
 *   locks.c      mutexes, rwlocks, spin locks     conds.c  condition variables     counting.c  barriers, semaphores, once     guards.c  statics of C++     objects.c  the state of each
 *   threads.c    creation, end, join; sleeps; C11's names     linger.c  threads at the end of the process
 *   gate.c       replays by steps     turns.c  rules where the schedule says nothing     delay.c  replays by delays     stuck.c  deadlocks otherwise
 *   memory.c     malloc and free     new.c  operator new     keys.c  thread-specific data     blocks.c  which blocks exist     poison.c  quarantine of freed blocks
 *   ranges.c     memcpy and the like     strings.c  strings     formats.c  sprintf     statics.c  static state of libc
 *   files.c      descriptors     paths.c  names of files     sockets.c     waits.c  calls that wait     descriptors.c  which are open
 *   streams.c    which streams are open     stdio.c  calls that use them
 *   signals.c    handlers of the program     kills.c  signals between threads     crash.c  fatal signals     end.c  exit, fork
 *
 * Rules: no malloc in here (use hd_map), no locks of the program's kind, only real_* functions inside. Every interposed function begins
 * with hd_enter. If that returns NULL, it only calls the real function: the runtime is off, or the runtime itself is the caller.
 */
#ifndef HEDDLE_H
#define HEDDLE_H
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define HD_EXPORT __attribute__((visibility("default")))
#define HD_LIKELY(x) __builtin_expect(!!(x), 1)
#define HD_UNLIKELY(x) __builtin_expect(!!(x), 0)
/* The place in the program that called the interposed function. */
#define HD_CALLER __builtin_return_address(0)

/* Kinds of records. Those from HD_INFO on are no steps: they belong to the record before them. */
enum {
  HD_NONE = 0,
  HD_READ = 1,          /* object address, value what was there; size in the flags */
  HD_WRITE = 2,         /* value what was there at the thread's next step */
  HD_ATOMIC_READ = 3,
  HD_ATOMIC_WRITE = 4,
  HD_ATOMIC_UPDATE = 5, /* value what was read; HD_UPDATED follows with what was written */
  HD_RANGE_READ = 6,    /* value: length in bytes; contents are not recorded */
  HD_RANGE_WRITE = 7,
  HD_CREATE = 10,       /* object: number of the new thread */
  HD_BEGIN = 11,
  HD_END = 12,
  HD_JOIN = 13,         /* object: number of the thread */
  HD_DETACH = 14,
  HD_LOCK = 20,         /* mutexes, spin locks, rwlocks for writing; after it was taken. Value: what it is, and from bit 4 how it was asked for (sync.h) */
  HD_UNLOCK = 21,       /* before it is given back */
  HD_LOCK_SHARED = 22,
  HD_UNLOCK_SHARED = 23,
  HD_TRY_FAILED = 24,   /* trylock, or a timed lock, that did not get it */
  HD_LOCK_INIT = 25,
  HD_LOCK_DESTROY = 26,
  HD_WAIT = 30,         /* object: condition variable, value: mutex, given back now; lowest bit: the wait has a time-out */
  HD_WOKEN = 31,        /* object, value the same; the mutex is taken again */
  HD_TIMED_OUT = 32,    /* the same, by its time-out */
  HD_SIGNAL = 33,
  HD_BROADCAST = 34,
  HD_COND_INIT = 35,
  HD_COND_DESTROY = 36,
  HD_BARRIER_ARRIVE = 40, /* value: how many it waits for */
  HD_BARRIER_LEAVE = 41,
  HD_BARRIER_INIT = 42,
  HD_BARRIER_DESTROY = 43,
  HD_SEM_WAIT = 45,     /* after it was passed. Value: how it was asked for (sync.h) */
  HD_SEM_POST = 46,     /* before */
  HD_SEM_FAILED = 47,   /* trywait, or by its time-out */
  HD_SEM_INIT = 48,     /* value: its count */
  HD_SEM_DESTROY = 49,
  HD_ONCE_BEGIN = 50,   /* this thread runs the function */
  HD_ONCE_END = 51,
  HD_ONCE_SEEN = 52,    /* it had been run */
  HD_YIELD = 55,        /* sched_yield, sleeps */
  HD_ALLOC = 60,        /* object: address, value: size. realloc is a free and an alloc */
  HD_FREE = 61,         /* value: its size, 0 where it is not known */
  HD_OPEN = 70,         /* object: descriptor, value: what it is: 0 file, 1 socket, 2 pipe, 3 other */
  HD_CLOSE = 71,        /* before it is closed */
  HD_FD_READ = 72,      /* any use that takes something out of it */
  HD_FD_WRITE = 73,
  HD_STREAM_OPEN = 75,  /* object: the FILE */
  HD_STREAM_CLOSE = 76,
  HD_STREAM_READ = 77,
  HD_STREAM_WRITE = 78,
  HD_INFO = 128,
  HD_UPDATED = 129,     /* value: what an update wrote */
  HD_SKIP = 130,        /* value: so many steps are left out before the next record, beyond what its own field can say */
};

/* 32 bytes. A record whose first word is 0 is the end of what was written. */
typedef struct Event {
  uint64_t what;   /* bits 0-7 kind, 8-15 log2 of the size of an access, 16-63 pc: the return address of the call */
  uint64_t object; /* bits 0-47 address, descriptor or number; 48-63 steps left out right before this one */
  uint64_t value;
  uint64_t stamp;  /* order over all threads: docs/native-format.md */
} Event;

enum { HD_OFF, HD_RECORD, HD_REPLAY, HD_DELAY, HD_PLAIN };

#define HD_NAME 48
#define HD_CALLERS 6
#define HD_CALLERS_TEXT (HD_CALLERS * 17 + 1)
typedef struct Thread Thread;
struct Thread {
  Event *at, *end;      /* where the next record goes */
  uint64_t steps;       /* controlled points so far, the present one included */
  uint64_t until;       /* up to this step it need not ask the gate */
  Event *pending;       /* the write whose value is taken at the next step */
  uintptr_t pending_at;
  int inside;           /* the runtime is at work, or a signal handler runs: hooks do nothing */
  int recording;
  uint64_t left_out;    /* steps since the last record that were not recorded, and are not in `steps` yet */
  uint16_t owner;       /* the thread's mark in the map of who has touched what (shadow.h) */
  bool lean;            /* it has recorded much: accesses to places that are its own already are left out at once */
  uint32_t id;          /* 0 is main; in the order of creation */
  uint32_t children;
  char name[HD_NAME];   /* `main`, `thread 1`, `thread 1.2`: the same in every run */
  /* gate.c */
  _Atomic uint32_t turn; /* futex: 1 when it may go on */
  int state;
  const void *waits_for; /* the object, while it is blocked */
  int waits_kind;
  void *waits_pc;
  uintptr_t waits_stack[HD_CALLERS]; /* who called what waits, innermost first; zeros after it */
  int64_t deadline;     /* of a timed wait or a sleep, ns of CLOCK_MONOTONIC; 0: none */
  int woken;            /* gate.c: by a signal (1) or a time-out (2) */
  int cancelled;
  uint64_t drift;       /* so many more steps than recorded has it taken */
  unsigned tries;       /* since the place of the present line should have come */
  uint64_t seq;         /* order in queues */
  int64_t priority;     /* turns.c; 0: none yet */
  /* core.c */
  uint64_t file_size;
  Event *chunk;         /* first record of the mapped chunk */
  uintptr_t stack_lo, stack_hi;
  unsigned long handle; /* pthread_t */
  int os_id;
  int ended, joined;
  void *(*start)(void *);
  void *argument;
  void *create_pc, *create_site;
  Thread *parent;
  int last_op;
  uint64_t dropped;     /* records left out */
  unsigned not_now, not_now_next; /* so many chunks are not compacted */
};

typedef struct {
  int mode;
  bool poison;      /* fill freed memory, and keep it from being used again */
  bool trace;       /* replays: also write records */
  bool no_accesses; /* only calls: locks, memory, files */
  int good_exit;    /* the exit code when all is well */
  char folder[512];
} Config;

extern Config hd_config;
/* NULL before a thread is known, after its end, in forked children and when the runtime is off. */
extern __thread Thread *hd_me __attribute__((tls_model("initial-exec")));
/* Set when the second thread is made. Accesses are neither steps nor recorded before that. */
extern bool hd_multi;
/* The same, where accesses are wanted at all. */
extern bool hd_sees;
extern _Atomic uint64_t hd_clock;

/* --- core.c --- */

/* For interposed functions: the thread, marked as inside; or NULL: call the real function and do nothing else. */
static inline Thread *hd_enter(void) {
  Thread *t = hd_me;
  if (HD_UNLIKELY(!t) || t->inside) return NULL;
  t->inside = 1;
  return t;
}
static inline void hd_leave(Thread *t) { t->inside = 0; }

/*
 * A controlled point: call it before the operation is done. It counts the step, and in a replay it returns when the schedule lets this thread
 * take it. `object` is what it is about.
 */
void hd_step(Thread *t, int kind, const void *object, void *pc);
/* Writes the record of the present step. Before the operation where it lets others go on (unlock, post, free, close), else after it. */
void hd_record(Thread *t, int kind, const void *object, uint64_t value, void *pc);
void hd_info(Thread *t, int kind, uint64_t value);
/* Around a real call that may wait for something outside the program: a socket, a pipe, a child. In a replay others may go on meanwhile. */
void hd_outside(Thread *t);
void hd_back(Thread *t);
/*
 * What the program must not do: `rule` is a word of docs/native.md ("use after free"). Written to the result at once. `earlier_pc` is where
 * the object got into that state, `earlier` the name of the thread that did it. May be called with no thread (t NULL). Each (rule, pc) is told once.
 */
void hd_violation(Thread *t, const char *rule, const void *object, void *pc, const char *earlier, void *earlier_pc);
/* A line of the result file: printf with %s %d %u %llu %llx only. Safe in signal handlers. */
void hd_result(const char *format, ...);
/* Memory of our own, zeroed, never given back. */
void *hd_map(size_t bytes);
/* The real function of this name, from libc; NULL if there is none. Not for malloc: glibc exports __libc_malloc and the like. */
void *hd_real(const char *name);
int hd_file(const char *name, int flags); /* open in the folder of the run, with a raw system call */
/* Is the address in a freed block (memory.c)? Asked by access.c when poison is on. */
bool hd_is_freed(uintptr_t address);
void hd_use_of_freed(Thread *t, uintptr_t address, int kind, void *pc);
/* A call with a lock, a condition variable or the like that lies in a freed block: it is told. The real function must not see it, it may never return. */
bool hd_call_on_freed(Thread *t, int kind, const void *object, void *pc);
/* crash.c calls it at the end: `dropped` lines, once. */
void hd_tell_dropped(void);
/* What is there; 0 for accesses of more than 8 bytes. */
static inline uint64_t hd_value_at(uintptr_t at, unsigned log) {
  switch (log) {
    case 0: return *(volatile uint8_t *)at;
    case 1: { uint16_t v; __builtin_memcpy(&v, (void *)at, 2); return v; }
    case 2: { uint32_t v; __builtin_memcpy(&v, (void *)at, 4); return v; }
    case 3: { uint64_t v; __builtin_memcpy(&v, (void *)at, 8); return v; }
  }
  return 0;
}
/* Takes the value of the last write, if that is still to be done. */
void hd_settle(Thread *t);
Event *hd_append(Thread *t, unsigned kind, unsigned log, uintptr_t object, uint64_t value, uint64_t stamp, void *pc);
void hd_more_room(Thread *t);
/* The record of a HD_RANGE_READ or HD_RANGE_WRITE, after hd_step: it also notes who has touched the range (access.c). */
void hd_range_record(Thread *t, int kind, const void *at, size_t bytes, void *pc);
/* An address of the program less this is what tools for its file understand; 0 where it is not position independent. */
extern uintptr_t hd_program_base;
/* A call that libstdc++ makes for the program (threads, condition variables): the place in the program. */
void *hd_place(void *pc);
bool hd_in_program(const void *pc);

/* --- sites.c --- */

extern uint8_t *hd_library;
extern uintptr_t hd_library_size; /* 0: there is none */
static inline bool hd_in_library(const void *pc) {
  uintptr_t at = (uintptr_t)pc - 1 - hd_program_base;
  return HD_UNLIKELY(at < hd_library_size) && (hd_library[at >> 3] >> (at & 7) & 1);
}
void *hd_site_above(void *pc);
/* A place in a library that stands for one of the program. */
void *hd_site_for(void *pc, void *caller);
/* For places in the library's part of the program: the return address in the program's own code; 0 where it is not known. */
uintptr_t hd_caller_above(void *pc);
/* What stands in records and results for a place that this thread is at. Schedules go by the place itself. */
/* Of this thread: the callers of the code around PC in the program, innermost first, as far as frame pointers lead. */
void hd_callers(const Thread *t, const void *pc, uintptr_t callers[HD_CALLERS]);
/* As ` HEX HEX`. */
void hd_callers_text(const uintptr_t callers[HD_CALLERS], char text[HD_CALLERS_TEXT]);
static inline void *hd_site(void *pc) { return hd_in_library(pc) ? hd_site_above(pc) : pc; }
/* The program begins: main is called, or a thread is made before that. */
void hd_live(void);
/* Set-up of the others; called once, before main, in this order, only when the mode is not HD_OFF. */
void hd_memory_start(void);
void hd_files_start(void);
void hd_crash_start(void);
/* crash.c calls it in a forked child: everything off. */
void hd_off(void);

#endif

/* The start of the runtime, and its table of threads. */
#include "core.h"
#include "crash.h"
#include "gate.h"
#include "shadow.h"
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

Config hd_config;
__thread Thread *hd_me __attribute__((tls_model("initial-exec")));
bool hd_multi, hd_sees;
_Atomic uint64_t hd_clock = 1;
uint16_t *hd_shadow;

Thread **hd_threads;
_Atomic bool hd_full;
_Atomic uint32_t hd_thread_count;

Thread *hd_new_thread(Thread *parent) {
  uint32_t id = atomic_fetch_add(&hd_thread_count, 1);
  if (id >= MOST_THREADS) return NULL;
  Thread *t = hd_map(sizeof *t);
  if (!t) return NULL;
  t->id = id;
  /* Never 0: that is a place nobody has touched. */
  t->owner = (uint16_t)(1 + id % SHADOW_OWNER);
  t->parent = parent;
  t->recording = (hd_config.mode == HD_RECORD || hd_config.trace) && !hd_full;
  t->until = hd_config.mode == HD_REPLAY || hd_config.mode == HD_DELAY ? 0 : UINT64_MAX;
  if (!parent) {
    strcpy(t->name, "main");
  } else {
    unsigned nth = ++parent->children;
    char number[16];
    char *at = number;
    hd_put_number(&at, number + 15, nth, 10);
    *at = 0;
    bool top = parent->parent == NULL;
    strcpy(t->name, top ? "thread " : parent->name);
    if (strlen(t->name) + strlen(number) + 2 > HD_NAME) {
      /* Made by threads of threads of threads: a name by its number, which another run need not have. */
      at = number;
      hd_put_number(&at, number + 15, id, 10);
      *at = 0;
      strcpy(t->name, "thread deep ");
    } else if (!top) {
      strcat(t->name, ".");
    }
    strcat(t->name, number);
  }
  hd_threads[id] = t;
  return t;
}

static void know_stack(Thread *t) {
  pthread_attr_t attributes;
  void *low;
  size_t size;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) return;
  if (pthread_attr_getstack(&attributes, &low, &size) == 0) {
    t->stack_lo = (uintptr_t)low;
    t->stack_hi = (uintptr_t)low + size;
  }
  pthread_attr_destroy(&attributes);
}

/* In the thread itself, before anything of the program. */
void hd_this_is(Thread *t) {
  t->inside = 1;
  hd_me = t;
  t->handle = (unsigned long)pthread_self();
  t->os_id = (int)syscall(SYS_gettid);
  know_stack(t);
  hd_crash_thread();
}

void hd_off(void) {
  hd_me = NULL;
  hd_config.mode = HD_OFF;
  hd_multi = hd_sees = false;
}

/* --- start --- */

/* `*`: whichever it is. The one who started it has looked at it. */
static bool same_program(const char *path) {
  if (strcmp(path, "*") == 0) return true;
  char self[1024];
  ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
  if (n <= 0) return true;
  self[n] = 0;
  return strcmp(self, path) == 0;
}

static bool owned_by_us(void) {
  char text[24] = {0};
  int fd = hd_file("owner", O_WRONLY | O_CREAT | O_EXCL);
  char *at = text;
  hd_put_number(&at, text + 20, (uint64_t)getpid(), 10);
  if (fd >= 0) {
    if (syscall(SYS_write, fd, text, at - text) < 0) { /* it is empty then, and nobody else gets in */
    }
    syscall(SYS_close, fd);
    return true;
  }
  char old[24] = {0};
  fd = hd_file("owner", O_RDONLY);
  if (fd < 0) return false;
  ssize_t n = syscall(SYS_read, fd, old, 20);
  syscall(SYS_close, fd);
  return n > 0 && strcmp(old, text) == 0; /* it has replaced itself by exec */
}

void hd_schedule_line(const char *text); /* gate.c */
void hd_delay_line(const char *text);
void hd_last_first(void);
void hd_goes_on(void);
void hd_turns_line(const char *text); /* turns.c */
void hd_library_line(const char *text); /* sites.c */

static bool setting(char *line) {
  char *value = strchr(line, ' ');
  if (!value) return true;
  *value++ = 0;
  if (strcmp(line, "mode") == 0) {
    hd_config.mode = strcmp(value, "record") == 0   ? HD_RECORD
                     : strcmp(value, "replay") == 0 ? HD_REPLAY
                     : strcmp(value, "delay") == 0  ? HD_DELAY
                     : strcmp(value, "plain") == 0  ? HD_PLAIN
                                                    : HD_OFF;
  } else if (strcmp(line, "program") == 0) {
    return same_program(value);
  } else if (strcmp(line, "poison") == 0) {
    hd_config.poison = value[0] == '1';
  } else if (strcmp(line, "accesses") == 0) {
    hd_config.no_accesses = value[0] == '0';
  } else if (strcmp(line, "good-exit") == 0) {
    hd_config.good_exit = (int)strtol(value, NULL, 10);
  } else if (strcmp(line, "trace") == 0) {
    hd_config.trace = value[0] == '1';
  } else if (strcmp(line, "last-first") == 0) {
    if (value[0] == '1') hd_last_first();
  } else if (strcmp(line, "goes-on") == 0) {
    if (value[0] == '1') hd_goes_on();
  } else if (strcmp(line, "turns") == 0) {
    hd_turns_line(value);
  } else if (strcmp(line, "line") == 0) {
    hd_schedule_line(value);
  } else if (strcmp(line, "delay") == 0) {
    hd_delay_line(value);
  } else if (strcmp(line, "library") == 0) {
    hd_library_line(value);
  }
  return true;
}

static bool read_config(void) {
  int fd = hd_file("config", O_RDONLY);
  if (fd < 0) return false;
  struct stat about;
  if (fstat(fd, &about) != 0 || about.st_size == 0) {
    syscall(SYS_close, fd);
    return false;
  }
  char *text = hd_map((size_t)about.st_size + 1);
  size_t got = 0;
  while (text && got < (size_t)about.st_size) {
    ssize_t n = syscall(SYS_read, fd, text + got, (size_t)about.st_size - got);
    if (n <= 0) break;
    got += (size_t)n;
  }
  syscall(SYS_close, fd);
  if (!text) return false;
  bool ours = true;
  for (char *line = text; ours && *line;) {
    char *end = strchr(line, '\n');
    if (end) *end = 0;
    ours = setting(line);
    line = end ? end + 1 : line + strlen(line);
  }
  munmap(text, (size_t)about.st_size + 1);
  return ours;
}

extern void *__libc_stack_end __attribute__((weak));

__attribute__((constructor(101))) static void start(void) {
  const char *folder = getenv("HEDDLE_NATIVE");
  if (!folder || !*folder || strlen(folder) >= sizeof hd_config.folder) return;
  strcpy(hd_config.folder, folder);
  if (!read_config() || hd_config.mode == HD_OFF || !owned_by_us()) {
    hd_config.mode = HD_OFF;
    return;
  }
  char path[768];
  hd_path(path, sizeof path, "threads");
  mkdir(path, 0755);
  hd_threads = hd_map(MOST_THREADS * sizeof *hd_threads);
  if (hd_config.mode == HD_RECORD || hd_config.trace) hd_shadow_start();
  hd_sync_start();
  hd_memory_start();
  hd_files_start();
  hd_crash_start();
  hd_modules_start();
  hd_sites_start();
  hd_result("start %d", (int)getpid());
  /* What is above differs from run to run (words, variables); what main and its callees have is as far below it each time. */
  if (&__libc_stack_end) hd_result("stack %llx", (unsigned long long)(uintptr_t)__libc_stack_end);
  Thread *main = hd_new_thread(NULL);
  if (!main) {
    hd_config.mode = HD_OFF;
    return;
  }
  hd_this_is(main);
  hd_watch_end();
  hd_gate_start();
}

/* What libraries do before main differs with the order in which they are loaded: steps are counted from main, or from the first thread on. */
static bool live;

void hd_live(void) {
  if (live || !hd_me || hd_me->id != 0) return;
  live = true;
  hd_me->inside = 0;
}

/* What was dropped, at the end. crash.c calls it too. */
void hd_tell_dropped(void) {
  static _Atomic int told;
  if (hd_config.mode == HD_OFF || atomic_exchange(&told, 1)) return;
  uint32_t n = atomic_load(&hd_thread_count);
  for (uint32_t i = 0; i < n && i < MOST_THREADS; i++)
    if (hd_threads[i] && hd_threads[i]->dropped > 0)
      hd_result("dropped %s %llu", hd_threads[i]->name, (unsigned long long)hd_threads[i]->dropped);
}

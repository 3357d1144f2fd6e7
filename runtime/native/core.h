/* Declarations shared by the files of the core: core.c, words.c, records.c, modules.c, threads.c. */
#ifndef HEDDLE_CORE_H
#define HEDDLE_CORE_H
#include "heddle.h"

/* --- core.c --- */
#define MOST_THREADS 65536
extern Thread **hd_threads;
/* The disk has no room: nobody records any more. */
extern _Atomic bool hd_full;
extern _Atomic uint32_t hd_thread_count;
/* NULL where there are too many. */
Thread *hd_new_thread(Thread *parent);
/* In the thread itself, before anything of the program. */
void hd_this_is(Thread *t);

/* --- words.c --- */
void hd_path(char *path, size_t size, const char *name);
void hd_put_number(char **at, char *end, uint64_t n, unsigned base);

/* --- records.c --- */
void hd_end_file(Thread *t);

/* --- modules.c --- */
void hd_modules_start(void);
void hd_write_modules(void);

/* --- sites.c --- */
void hd_sites_start(void);

/* --- threads.c --- */
void hd_sync_start(void);
void hd_watch_end(void);

#endif

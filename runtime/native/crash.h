/* Declarations shared by the files about signals and the end of the process: signals.c, crash.c and end.c. */
#ifndef HEDDLE_CRASH_H
#define HEDDLE_CRASH_H
#include "heddle.h"
#include <signal.h>

/* --- signals.c --- */
void hd_signals_start(void);
/* What the program wants for the signal, as it said it. */
struct sigaction hd_wanted(int number);
/* Runs the program's handler. */
void hd_run_handler(int number, siginfo_t *about, void *context);
extern int (*hd_real_sigaction)(int, const struct sigaction *, struct sigaction *);
/* Has the program a handler for a signal that somebody may send? */
bool hd_handles_signals(void);

/* --- crash.c --- */
static inline bool hd_is_deadly(int n) { return n == SIGSEGV || n == SIGBUS || n == SIGILL || n == SIGFPE || n == SIGABRT; }
void hd_deadly(int number, siginfo_t *about, void *context);
/* The stack on which handlers run when the thread's own is used up. Once in every thread. */
void hd_crash_thread(void);

/* --- end.c --- */
void hd_end_start(void);
/* False in children. */
bool hd_is_ours(void);

#endif

/*
 * Signals between threads of the program that the receiver waits for with a call (sigwait): the receiver is ordered after the sender, as with a
 * semaphore for each signal number. Signals from outside, and signals with a handler, order nothing.
 */
#include "descriptors.h"
#include <signal.h>
#include <unistd.h>

static char sent[_NSIG];

static bool has(int number) { return number > 0 && number < _NSIG; }

static void step(int kind, int number, void *pc) {
  Thread *t = has(number) ? hd_enter() : NULL;
  if (!t) return;
  hd_step(t, kind, &sent[number], pc);
  hd_record(t, kind, &sent[number], 0, pc);
  hd_leave(t);
}
static void sends(int number, void *pc) { step(HD_SEM_POST, number, pc); }
static void gets(int number, void *pc) { step(HD_SEM_WAIT, number, pc); }

HD_EXPORT int pthread_kill(pthread_t thread, int number) {
  sends(number, HD_CALLER);
  return REAL(pthread_kill)(thread, number);
}
HD_EXPORT int pthread_sigqueue(pthread_t thread, int number, const union sigval value) {
  sends(number, HD_CALLER);
  return REAL(pthread_sigqueue)(thread, number, value);
}
HD_EXPORT int kill(pid_t process, int number) {
  if (process == getpid()) sends(number, HD_CALLER);
  return REAL(kill)(process, number);
}

static int waited(const sigset_t *restrict set, int *restrict number, void *pc) {
  HD_ENTER(REAL(sigwait)(set, number))
  Call call;
  int result;
  hd_wait_begin(&call, t, pc);
  hd_wait_outside(&call);
  pthread_cleanup_push(hd_call_cut, &call);
  result = REAL(sigwait)(set, number);
  pthread_cleanup_pop(0);
  hd_wait_end(&call);
  HD_DONE;
}
static int waited_info(const sigset_t *restrict set, siginfo_t *restrict about, const struct timespec *time, void *pc) {
  HD_ENTER(REAL(sigtimedwait)(set, about, time))
  Call call;
  int result;
  hd_wait_begin(&call, t, pc);
  hd_wait_outside(&call);
  pthread_cleanup_push(hd_call_cut, &call);
  result = REAL(sigtimedwait)(set, about, time);
  pthread_cleanup_pop(0);
  hd_wait_end(&call);
  HD_DONE;
}

HD_EXPORT int sigwait(const sigset_t *restrict set, int *restrict number) {
  int result = waited(set, number, HD_CALLER);
  if (result == 0) gets(*number, HD_CALLER);
  return result;
}
HD_EXPORT int sigtimedwait(const sigset_t *restrict set, siginfo_t *restrict about, const struct timespec *restrict time) {
  int number = waited_info(set, about, time, HD_CALLER);
  gets(number, HD_CALLER);
  return number;
}
HD_EXPORT int sigwaitinfo(const sigset_t *restrict set, siginfo_t *restrict about) {
  int number = waited_info(set, about, NULL, HD_CALLER);
  gets(number, HD_CALLER);
  return number;
}

/* Ways for a process to end. */
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int *volatile nowhere;
static volatile int zero;
static void (*volatile no_function)(void);

static int deeper(volatile int *n) {
  volatile char room[4096];
  room[0] = (char)*n;
  ++*n;
  return deeper(n) + room[0];
}
static void *crash(void *unused) {
  *nowhere = 1;
  return unused;
}
static void *overflow(void *unused) {
  int n = 0;
  return deeper(&n) ? unused : NULL;
}
static void at_end(void) { write(1, "handler\n", 8); }
static void caught(int number) {
  printf("caught %d\n", number);
  fflush(stdout);
  _exit(9);
}

int main(int count, char **words) {
  const char *how = count > 1 ? words[1] : "";
  int n = 0;
  atexit(at_end);
  if (!strcmp(how, "segv")) {
    *nowhere = 1;
  } else if (!strcmp(how, "segv-in-thread")) {
    pthread_t thread;
    pthread_create(&thread, NULL, crash, NULL);
    pthread_join(thread, NULL);
  } else if (!strcmp(how, "call-nothing")) {
    no_function();
  } else if (!strcmp(how, "overflow")) {
    return deeper(&n);
  } else if (!strcmp(how, "overflow-in-thread")) {
    pthread_t thread;
    pthread_create(&thread, NULL, overflow, NULL);
    pthread_join(thread, NULL);
  } else if (!strcmp(how, "divide")) {
    return (count + 100) / zero;
  } else if (!strcmp(how, "trap")) {
    __builtin_trap();
  } else if (!strcmp(how, "assert")) {
    assert(zero);
  } else if (!strcmp(how, "abort")) {
    abort();
  } else if (!strcmp(how, "killed")) {
    raise(SIGSEGV);
  } else if (!strcmp(how, "handled")) {
    signal(SIGSEGV, caught);
    *nowhere = 1;
  } else if (!strcmp(how, "exit")) {
    exit(7);
  } else if (!strcmp(how, "_exit")) {
    _exit(8);
  } else if (!strcmp(how, "quick")) {
    quick_exit(6);
  } else if (!strcmp(how, "exit-in-thread")) {
    pthread_t thread;
    pthread_create(&thread, NULL, (void *(*)(void *))(void *)exit, (void *)5);
    pthread_join(thread, NULL);
  }
  return 4;
}

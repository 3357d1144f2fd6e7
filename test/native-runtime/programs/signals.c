/* Handlers, jumps out of them, and what is recorded after it: `close` twice tells that the runtime still looks. */
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

static volatile sig_atomic_t seen;
static sigjmp_buf back;
static void note(int number) {
  seen = number;
  free(malloc(10));
}
static void jump(int number) {
  seen = number;
  siglongjmp(back, 1);
}
static void full(int number, siginfo_t *about, void *context) {
  (void)context;
  seen = about->si_signo == number ? number : -1;
}
static void stay(int number) {
  jmp_buf here;
  if (setjmp(here) == 0) longjmp(here, 1);
  free(malloc(20)); /* still in the handler */
  seen = number;
}

static void twice(void) {
  int fd = dup(1);
  close(fd);
  close(fd);
}

int main(int count, char **words) {
  const char *how = count > 1 ? words[1] : "";
  struct sigaction action = {.sa_sigaction = full, .sa_flags = SA_SIGINFO}, old;
  if (!strcmp(how, "plain")) {
    signal(SIGUSR1, note);
    raise(SIGUSR1);
  } else if (!strcmp(how, "info")) {
    sigaction(SIGUSR1, &action, NULL);
    raise(SIGUSR1);
    sigaction(SIGUSR1, NULL, &old);
    if (old.sa_sigaction != full) return 3;
    if (signal(SIGUSR1, SIG_DFL) != (void (*)(int))full) return 3;
  } else if (!strcmp(how, "jump")) {
    signal(SIGUSR1, jump);
    if (sigsetjmp(back, 1) == 0) raise(SIGUSR1);
  } else if (!strcmp(how, "stay")) {
    signal(SIGUSR1, stay);
    raise(SIGUSR1);
  } else if (!strcmp(how, "jump-out-of-read")) {
    int ends[2];
    char c;
    if (pipe(ends) != 0) return 3;
    signal(SIGALRM, jump);
    struct itimerval soon = {.it_value = {.tv_usec = 20000}};
    if (sigsetjmp(back, 1) == 0) {
      setitimer(ITIMER_REAL, &soon, NULL);
      if (read(ends[0], &c, 1) != 0) return 3;
    }
  } else if (!strcmp(how, "fault")) {
    signal(SIGSEGV, jump);
    if (sigsetjmp(back, 1) == 0) *(volatile int *)NULL = 1;
  } else if (!strcmp(how, "once")) {
    action.sa_flags |= (int)SA_RESETHAND;
    sigaction(SIGUSR1, &action, NULL);
    raise(SIGUSR1);
    sigaction(SIGUSR1, NULL, &old);
    if (old.sa_handler != SIG_DFL) return 3;
  }
  printf("seen %d\n", seen);
  fflush(stdout);
  twice();
  return 0;
}

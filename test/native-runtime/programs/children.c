/* Children do not disturb what is recorded of their parent. */
#include <pthread.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;
static void *work(void *unused) {
  for (int i = 0; i < 100; i++) free(malloc(100));
  return unused;
}

int main(int count, char **words) {
  const char *how = count > 1 ? words[1] : "";
  char *command[] = {"sh", "-c", "exit 5", NULL};
  int status = 0;
  pid_t child;
  if (!strcmp(how, "fork")) {
    child = fork();
    if (child == 0) {
      pthread_t thread;
      char *volatile p = malloc(100);
      pthread_create(&thread, NULL, work, NULL);
      pthread_join(thread, NULL);
      free(p);
      _exit(close(1) == 0 ? 5 : 1);
    }
  } else if (!strcmp(how, "crash")) {
    child = fork();
    if (child == 0) abort();
  } else if (!strcmp(how, "vfork")) {
    child = vfork();
    if (child == 0) {
      execvp("sh", command);
      _exit(1);
    }
  } else if (!strcmp(how, "spawn")) {
    if (posix_spawnp(&child, "sh", NULL, NULL, command, environ) != 0) return 3;
  } else if (!strcmp(how, "exec")) {
    work(NULL);
    execvp("sh", command);
    return 3;
  } else {
    return WEXITSTATUS(system("exit 5"));
  }
  if (waitpid(child, &status, 0) != child) return 3;
  printf("child %d\n", WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status));
  return 0;
}

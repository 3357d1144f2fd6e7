/*
 * Two threads write a protocol; one of them closes it at its end.
 * Wrong: the other one may not have written its last line.
 */
// expects: typestate, order-violation, data-race at stream
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static FILE *protocol;

static void note(const char *line) {
  if (fputs(line, protocol) == EOF) { // bug
    fprintf(stderr, "the protocol cannot be written\n");
    abort();
  }
}

static void *worker(void *none) {
  note("worked\n");
  return none;
}

static void *closer(void *none) {
  usleep(25000);
  note("ends\n");
  fclose(protocol); // bug
  return none;
}

int main(void) {
  protocol = tmpfile();
  setvbuf(protocol, NULL, _IONBF, 0);
  pthread_t a, b;
  pthread_create(&a, NULL, worker, NULL);
  pthread_create(&b, NULL, closer, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  printf("written\n");
  return 0;
}

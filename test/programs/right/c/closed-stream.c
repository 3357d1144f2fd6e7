/* Two threads write a protocol; main closes it when both have ended. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static FILE *protocol;

static void note(const char *line) {
  if (fputs(line, protocol) == EOF) {
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
  fclose(protocol);
  printf("written\n");
  return 0;
}

/* Several threads write to stdout and to a file of their own: stdio has locks of its own. */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

static void *writer(void *none) {
  FILE *own = tmpfile();
  for (int i = 0; i < 3; i++) {
    fprintf(own, "%d\n", i);
    printf("a line\n");
  }
  long length = ftell(own);
  fclose(own);
  assert(length == 6);
  return none;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, writer, NULL);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  return 0;
}

/*
 * A logger that formats its lines in one static buffer.
 * Wrong: two threads format at the same time, and one writes the line of the other.
 */
// expects: data-race, atomicity, order-violation at line
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static int lines_of[2];

static char *format(int thread) {
  static char line[4];
  line[0] = 'T'; // bug
  line[1] = (char)('0' + thread); // bug
  line[2] = 0;
  return line;
}

static void *worker(void *number) {
  int own = *(int *)number;
  usleep(12000 * own);
  char *line = format(own);
  assert(line[1] == '0' + own); // bug
  lines_of[own]++;
  return NULL;
}

int main(void) {
  pthread_t a, b;
  int zero = 0, one = 1;
  pthread_create(&a, NULL, worker, &zero);
  pthread_create(&b, NULL, worker, &one);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  printf("%d and %d\n", lines_of[0], lines_of[1]);
  return 0;
}

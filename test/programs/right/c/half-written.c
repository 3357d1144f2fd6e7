/*
 * A reader takes two numbers that belong together, and looks at a count before and after whether somebody wrote them.
 * Right: the reader waits until the count is even.
 */
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_int count, width, height;

static void *resize(void *unused) {
  count++;
  width = 1;
  height = 1;
  count++;
  return unused;
}

static void *draw(void *unused) {
  int before, w, h;
  do {
    before = count;
    while (before & 1) {
      sched_yield();
      before = count;
    }
    w = width;
    h = height;
  } while (count != before);
  assert(w == h);
  return unused;
}

int main(void) {
  pthread_t writer, reader;
  pthread_create(&writer, NULL, resize, NULL);
  pthread_create(&reader, NULL, draw, NULL);
  pthread_join(writer, NULL);
  pthread_join(reader, NULL);
  puts("drawn");
  return 0;
}

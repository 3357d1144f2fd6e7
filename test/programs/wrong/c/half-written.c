/*
 * A reader takes two numbers that belong together, and looks at a count before and after whether somebody wrote them.
 * Wrong: an odd count means that somebody is writing right now. That is not looked at.
 */
// expects: order-violation, atomicity, data-race, not isolated
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_int count, width, height;

static void *resize(void *unused) {
  count++;
  width = 1;  // bug
  height = 1; // bug
  count++;
  return unused;
}

static void *draw(void *unused) {
  int before, w, h;
  do {
    before = count; // bug
    w = width;  // bug
    h = height; // bug
  } while (count != before); // bug
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

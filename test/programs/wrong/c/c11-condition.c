/*
 * C11 threads: a printer waits for a page.
 * Wrong: the one who puts the page there signals without the lock. Between the printer's look and its wait the signal reaches nobody.
 */
// expects: deadlock, data-race, order-violation at put
#include <stdio.h>
#include <threads.h>
#include <time.h>

static mtx_t lock;
static cnd_t put;
static int page;

static int printer(void *none) {
  (void)none;
  mtx_lock(&lock);
  while (page == 0) cnd_wait(&put, &lock); // bug
  mtx_unlock(&lock);
  return page;
}

static int writer(void *none) {
  (void)none;
  thrd_sleep(&(struct timespec){0, 25000000}, NULL);
  page = 12; // bug
  cnd_signal(&put); // bug
  return 0;
}

int main(void) {
  thrd_t a, b;
  int printed;
  mtx_init(&lock, mtx_plain);
  cnd_init(&put);
  thrd_create(&a, printer, NULL);
  thrd_create(&b, writer, NULL);
  thrd_join(b, NULL);
  thrd_join(a, &printed);
  printf("page %d\n", printed);
  return 0;
}

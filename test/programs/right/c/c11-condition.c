/* C11 threads: a printer waits for a page; the one who puts it there holds the lock. */
#include <stdio.h>
#include <threads.h>
#include <time.h>

static mtx_t lock;
static cnd_t put;
static int page;

static int printer(void *none) {
  (void)none;
  mtx_lock(&lock);
  while (page == 0) cnd_wait(&put, &lock);
  mtx_unlock(&lock);
  return page;
}

static int writer(void *none) {
  (void)none;
  thrd_sleep(&(struct timespec){0, 25000000}, NULL);
  mtx_lock(&lock);
  page = 12;
  cnd_signal(&put);
  mtx_unlock(&lock);
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

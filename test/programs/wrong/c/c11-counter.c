/*
 * Two threads of C11 share a purse with a lock.
 * Wrong: it is looked at under the lock, paid from under the lock, but not in one section. The purse is overdrawn.
 */
// expects: atomicity, order-violation at purse
#include <assert.h>
#include <stdio.h>
#include <threads.h>
#include <time.h>

static mtx_t lock;
static int purse = 10;

static int pay(void *delay) {
  thrd_sleep(&(struct timespec){0, *(int *)delay * 1000000}, NULL);
  mtx_lock(&lock);
  int enough = purse >= 10; // bug
  mtx_unlock(&lock);
  if (!enough) return 1;
  mtx_lock(&lock);
  purse -= 10; // bug
  mtx_unlock(&lock);
  return 0;
}

int main(void) {
  thrd_t a, b;
  int now = 0, later = 12;
  mtx_init(&lock, mtx_plain);
  thrd_create(&a, pay, &now);
  thrd_create(&b, pay, &later);
  thrd_join(a, NULL);
  thrd_join(b, NULL);
  mtx_destroy(&lock);
  assert(purse >= 0);
  printf("%d left\n", purse);
  return 0;
}

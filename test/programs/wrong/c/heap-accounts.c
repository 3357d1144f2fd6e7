/*
 * Two transfers between accounts on the heap. The second thread is made when the first has long ended.
 * Wrong: each locks the account it takes from first, so that they may wait for each other.
 */
// expects: deadlock
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

typedef struct {
  pthread_mutex_t lock;
  int number, money;
} Account;

typedef struct {
  Account *from, *to;
} Transfer;

static Account *open_account(int number) {
  Account *account = malloc(sizeof *account);
  pthread_mutex_init(&account->lock, NULL);
  account->number = number;
  account->money = 10;
  return account;
}

static void *transfer(void *given) {
  Transfer *t = given;
  Account *first = t->from, *second = t->to;
  pthread_mutex_lock(&first->lock); // bug
  pthread_mutex_lock(&second->lock); // bug
  t->from->money--;
  t->to->money++;
  pthread_mutex_unlock(&second->lock);
  pthread_mutex_unlock(&first->lock);
  return NULL;
}

int main(void) {
  Account *a = open_account(1), *b = open_account(2);
  Transfer there = {a, b}, back = {b, a};
  pthread_t one, other;
  pthread_create(&one, NULL, transfer, &there);
  usleep(30000);
  pthread_create(&other, NULL, transfer, &back);
  pthread_join(one, NULL);
  pthread_join(other, NULL);
  printf("%d %d\n", a->money, b->money);
  return 0;
}

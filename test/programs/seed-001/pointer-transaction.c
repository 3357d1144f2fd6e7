/*
 * Seed 001, kind pointer, after MySQL-ptr1: transactions. One thread begins and commits transactions; a second one, which waits for a
 * transaction to see what it did, gets hold of it under the lock and looks at it after it has given the lock back. The committing thread
 * frees it as soon as it is out of the list. Two other threads do the same with transactions of their own. -DRIGHT: who holds one is
 * counted.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

typedef struct Transaction {
  int id;
  int records;
  int holders;
  struct Transaction *next;
} Transaction;

static Transaction *active;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static Transaction *begin(int id) {
  Transaction *t = calloc(1, sizeof *t);
  t->id = id;
  t->holders = 1;
  pthread_mutex_lock(&lock);
  t->next = active;
  active = t;
  pthread_mutex_unlock(&lock);
  return t;
}

static void let_go(Transaction *t) {
#ifdef RIGHT
  pthread_mutex_lock(&lock);
  int left = --t->holders;
  pthread_mutex_unlock(&lock);
  if (left > 0) return;
#endif
  free(t);
}

static void commit(Transaction *t) {
  pthread_mutex_lock(&lock);
  for (Transaction **at = &active; *at; at = &(*at)->next) {
    if (*at != t) continue;
    *at = t->next;
    break;
  }
  pthread_mutex_unlock(&lock);
  let_go(t);
}

static Transaction *find(int id) {
  pthread_mutex_lock(&lock);
  Transaction *t = active;
  while (t && t->id != id) t = t->next;
  if (t) t->holders++;
  pthread_mutex_unlock(&lock);
  return t;
}

static void *client(void *arg) {
  int base = (int)(long)arg;
  for (int i = 1; i <= 6; i++) {
    Transaction *t = begin(base + i);
    for (int r = 0; r < 3; r++) t->records += 1;
    commit(t);
  }
  return NULL;
}

static void *long_one(void *arg) {
  Transaction *t = begin(1000);
  usleep(60000);
  commit(t);
  return arg;
}

/* Looks at the long transaction, if there is one. */
static void *monitor(void *arg) {
  usleep(20000);
  Transaction *t = find(1000);
  if (!t) return arg;
  if (t->id != 1000) {
    fprintf(stderr, "transaction %d in the place of 1000\n", t->id);
    abort();
  }
#ifdef RIGHT
  let_go(t);
#endif
  return arg;
}

int main(void) {
  pthread_t threads[4];
  pthread_create(&threads[0], NULL, long_one, NULL);
  pthread_create(&threads[1], NULL, client, (void *)100);
  pthread_create(&threads[2], NULL, client, (void *)200);
  pthread_create(&threads[3], NULL, monitor, NULL);
  for (int i = 0; i < 4; i++) pthread_join(threads[i], NULL);
  puts("done");
  return 0;
}

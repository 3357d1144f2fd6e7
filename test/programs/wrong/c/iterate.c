/*
 * A table of clients: one thread sends a ping to all of them, another removes those that have left.
 * Wrong: the lock is held for each step, not for the walk. The client at hand is freed, and the walk goes on from it.
 */
// expects: data-race, order-violation, atomicity, typestate at iterate.c
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

typedef struct Client {
  struct Client *next;
  int number, pings;
} Client;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static Client *clients;

static void *ping(void *none) {
  int sent = 0;
  pthread_mutex_lock(&lock);
  Client *c = clients;
  pthread_mutex_unlock(&lock);
  while (c) {
    c->pings++; // bug
    sent += c->number;
    pthread_mutex_lock(&lock);
    c = c->next; // bug
    pthread_mutex_unlock(&lock);
  }
  assert(sent == 6 || sent == 4);
  return none;
}

static void *drop(void *none) {
  usleep(12000);
  pthread_mutex_lock(&lock);
  for (Client **at = &clients; *at; at = &(*at)->next) {
    if ((*at)->number != 2) continue;
    Client *gone = *at;
    *at = gone->next;
    free(gone); // bug
    break;
  }
  pthread_mutex_unlock(&lock);
  return none;
}

int main(void) {
  for (int i = 1; i <= 3; i++) {
    Client *c = malloc(sizeof *c);
    *c = (Client){clients, i, 0};
    clients = c;
  }
  pthread_t a, b;
  pthread_create(&a, NULL, ping, NULL);
  pthread_create(&b, NULL, drop, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  printf("clients %d and %d\n", clients->number, clients->next->number);
  return 0;
}

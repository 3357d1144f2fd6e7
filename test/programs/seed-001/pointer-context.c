/*
 * Seed 001, kind pointer, after Mozilla-ptr, "when destroying contexts": contexts of a runtime share a table of atoms, and the last one
 * to be destroyed frees it. A context counts itself out first and gives its atoms back afterwards; if the last one is quicker the table
 * is gone. Every context also has buffers of its own. -DRIGHT: atoms are given back first.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define ATOMS 4
#define THREADS 3

typedef struct {
  pthread_mutex_t lock;
  int contexts;
  const char **atoms;
} Runtime;

typedef struct {
  const char **atoms;
  char *buffer;
} Context;

static Runtime runtime;

static const char **make_atoms(void) {
  const char **atoms = malloc(ATOMS * sizeof *atoms);
  const char *names[ATOMS] = {"length", "name", "prototype", "constructor"};
  for (int i = 0; i < ATOMS; i++) atoms[i] = names[i];
  return atoms;
}

static Context *new_context(void) {
  Context *c = malloc(sizeof *c);
  c->buffer = malloc(64);
  strcpy(c->buffer, "global ");
  pthread_mutex_lock(&runtime.lock);
  if (!runtime.atoms) runtime.atoms = make_atoms();
  c->atoms = runtime.atoms;
  runtime.contexts++;
  pthread_mutex_unlock(&runtime.lock);
  return c;
}

static void unpin(Context *c) {
  for (int i = 0; i < ATOMS; i++)
    if (strlen(c->atoms[i]) < 4) abort();
}

static void destroy_context(Context *c) {
#ifdef RIGHT
  unpin(c);
#endif
  pthread_mutex_lock(&runtime.lock);
  int last = --runtime.contexts == 0;
  pthread_mutex_unlock(&runtime.lock);
#ifndef RIGHT
  unpin(c);
#endif
  if (last) {
    free(runtime.atoms);
    runtime.atoms = NULL;
  }
  free(c->buffer);
  free(c);
}

static void run(Context *c, int rounds) {
  for (int i = 0; i < rounds; i++) {
    const char *name = c->atoms[i % ATOMS];
    snprintf(c->buffer + 7, 57, "%s", name);
    if (strlen(c->buffer) < 8) abort();
  }
}

static void *script(void *arg) {
  Context *c = new_context();
  run(c, 8);
  usleep(20000 + 20000 * (int)(long)arg);
  destroy_context(c);
  return NULL;
}

int main(void) {
  pthread_mutex_init(&runtime.lock, NULL);
  pthread_t threads[THREADS];
  for (long i = 0; i < THREADS; i++) pthread_create(&threads[i], NULL, script, (void *)i);
  for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
  pthread_mutex_destroy(&runtime.lock);
  puts("done");
  return 0;
}

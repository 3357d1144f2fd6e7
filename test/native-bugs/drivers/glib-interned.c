/* https://gitlab.gnome.org/GNOME/glib/-/merge_requests/4232: one thread gives back the last reference to an interned string while another one asks for the same string. */
#include <glib.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* GLib's own mutexes wait by futex(2), which Heddle does not see. grefstring.c has one. */
static pthread_mutex_t interned = PTHREAD_MUTEX_INITIALIZER;
void(g_mutex_lock)(GMutex *mutex) {
  (void)mutex;
  pthread_mutex_lock(&interned);
}
void(g_mutex_unlock)(GMutex *mutex) {
  (void)mutex;
  pthread_mutex_unlock(&interned);
}

static void *use(void *nth) {
  usleep((useconds_t)(long)nth * 12000);
  char *name = g_ref_string_new_intern("name");
  if (strcmp(name, "name") != 0) {
    fprintf(stderr, "not the name\n");
    abort();
  }
  g_ref_string_release(name);
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  for (long i = 0; i < 2; i++) pthread_create(&threads[i], NULL, use, (void *)i);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  printf("given back\n");
  return 0;
}

/* Each thing that must not be done with memory, descriptors and streams, once; then `went on` is printed. */
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static char *block;
static void *other(void *unused) {
  (void)unused;
  free(block);
  return NULL;
}
static void *nothing(void *unused) { return unused; }
static void in_thread(void *(*function)(void *)) {
  pthread_t thread;
  pthread_create(&thread, NULL, function, NULL);
  pthread_join(thread, NULL);
}

int main(int count, char **words) {
  const char *what = count > 1 ? words[1] : "";
  /* volatile: the compiler sees these mistakes and would warn, or leave them out. */
  char *volatile p = block = malloc(100);
  strcpy(block, "hello");
  char text[16];
  if (!strcmp(what, "double-free")) {
    in_thread(other);
    free(p);
  } else if (!strcmp(what, "middle")) {
    free(p + 32);
  } else if (!strcmp(what, "read")) {
    in_thread(other);
    printf("%x\n", (unsigned char)p[3]);
  } else if (!strcmp(what, "memcpy")) {
    in_thread(other);
    memcpy(text, p, sizeof text);
  } else if (!strcmp(what, "strlen")) {
    in_thread(nothing);
    char *volatile s = strdup("abc");
    free(s);
    if (strlen(s) > 1000) return 3;
  } else if (!strcmp(what, "realloc")) {
    in_thread(nothing);
    char *volatile larger = realloc(p, 4000);
    if (strcmp(larger, "hello")) return 3;
    p[0] = 1;
  } else if (!strcmp(what, "signal") || !strcmp(what, "lock")) {
    in_thread(nothing);
    struct {
      pthread_mutex_t lock;
      pthread_cond_t changed;
    } *volatile s = malloc(sizeof *s);
    pthread_mutex_init(&s->lock, NULL);
    pthread_cond_init(&s->changed, NULL);
    free(s);
    if (what[0] == 's') pthread_cond_signal(&s->changed);
    else pthread_mutex_lock(&s->lock);
  } else if (!strcmp(what, "closed")) {
    int fd = open("/dev/null", O_WRONLY);
    close(fd);
    if (write(fd, "x", 1) != -1) return 3;
  } else if (!strcmp(what, "double-close")) {
    int ends[2];
    if (pipe(ends) != 0) return 3;
    close(ends[0]);
    close(ends[0]);
  } else if (!strcmp(what, "socket")) {
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) return 3;
    close(ends[1]);
    if (recv(ends[1], text, 1, 0) != -1) return 3;
  } else if (!strcmp(what, "stream")) {
    FILE *volatile f = fopen("/dev/null", "w");
    fclose(f);
    fprintf(f, "%d", 1);
  } else if (!strcmp(what, "never-open")) {
    /* Not a mistake that we know of: nobody closed it. */
    if (close(77) != -1 || write(77, "x", 1) != -1) return 3;
  }
  puts("went on");
  return 0;
}

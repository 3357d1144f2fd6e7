/* CVE-2023-27537 (https://curl.se/docs/CVE-2023-27537.html): two threads share the HSTS cache of libcurl 7.88.1, with locks as its manual says, and both find an entry that has expired.
   With `apart` each thread has a cache of its own, which is what the manual of later versions asks for. */
#include <curl/curl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static CURLSH *shares[2];
static CURL *handles[2];
static struct curl_slist *hosts;
static pthread_mutex_t locks[CURL_LOCK_DATA_LAST];

static void lock(CURL *handle, curl_lock_data data, curl_lock_access access, void *user) {
  (void)handle, (void)access, (void)user;
  pthread_mutex_lock(&locks[data]);
}

static void unlock(CURL *handle, curl_lock_data data, void *user) {
  (void)handle, (void)user;
  pthread_mutex_unlock(&locks[data]);
}

/* One entry, long expired. */
static CURLSTScode entry(CURL *handle, struct curl_hstsentry *e, void *given) {
  (void)handle;
  if ((*(int *)given)++ > 0 || e->namelen < 12) return CURLSTS_DONE;
  strcpy(e->name, "old.example");
  strcpy(e->expire, "20200101 00:00:00");
  return CURLSTS_OK;
}

static CURLSH *cache(void) {
  CURLSH *share = curl_share_init();
  curl_share_setopt(share, CURLSHOPT_LOCKFUNC, lock);
  curl_share_setopt(share, CURLSHOPT_UNLOCKFUNC, unlock);
  if (curl_share_setopt(share, CURLSHOPT_SHARE, CURL_LOCK_DATA_HSTS) != CURLSHE_OK) abort();
  int given = 0;
  CURL *handle = curl_easy_init();
  curl_easy_setopt(handle, CURLOPT_SHARE, share);
  curl_easy_setopt(handle, CURLOPT_HSTS_CTRL, (long)CURLHSTS_ENABLE);
  curl_easy_setopt(handle, CURLOPT_HSTSREADFUNCTION, entry);
  curl_easy_setopt(handle, CURLOPT_HSTSREADDATA, &given);
  curl_easy_setopt(handle, CURLOPT_URL, "file:///dev/null");
  if (curl_easy_perform(handle) != CURLE_OK || given == 0) abort();
  curl_easy_cleanup(handle);
  return share;
}

/* Nobody listens on port 1. */
static CURL *handle(CURLSH *share) {
  CURL *handle = curl_easy_init();
  curl_easy_setopt(handle, CURLOPT_SHARE, share);
  curl_easy_setopt(handle, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(handle, CURLOPT_RESOLVE, hosts);
  curl_easy_setopt(handle, CURLOPT_URL, "http://new.example:1/");
  return handle;
}

static void *get(void *nth) {
  usleep((useconds_t)(long)nth * 50000);
  CURLcode code = curl_easy_perform(handles[(long)nth]);
  if (code != CURLE_COULDNT_CONNECT) {
    fprintf(stderr, "curl_easy_perform gave %d\n", code);
    abort();
  }
  return NULL;
}

int main(int argc, char **argv) {
  int apart = argc > 1 && strcmp(argv[1], "apart") == 0;
  for (int i = 0; i < CURL_LOCK_DATA_LAST; i++) pthread_mutex_init(&locks[i], NULL);
  curl_global_init(CURL_GLOBAL_ALL);
  shares[0] = cache();
  shares[1] = apart ? cache() : shares[0];
  hosts = curl_slist_append(NULL, "new.example:1:127.0.0.1");
  for (int i = 0; i < 2; i++) handles[i] = handle(shares[i]);
  pthread_t threads[2];
  for (long i = 0; i < 2; i++) pthread_create(&threads[i], NULL, get, (void *)i);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  for (int i = 0; i < 2; i++) curl_easy_cleanup(handles[i]);
  curl_slist_free_all(hosts);
  curl_share_cleanup(shares[0]);
  if (apart) curl_share_cleanup(shares[1]);
  printf("nobody there\n");
  return 0;
}

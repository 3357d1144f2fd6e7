/*
 * SQLite under threads: `driver THREADS STATEMENTS` opens one database in memory, in serialized mode, and each thread inserts, updates and reads rows
 * of its own range through the one connection. Prints sums that depend on every statement, and not on how the threads took turns.
 */
#include <pthread.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>

static sqlite3 *db;
static long statements;

static void must(int code, int expected) {
  if (code == expected) return;
  fprintf(stderr, "sqlite: %s\n", sqlite3_errmsg(db));
  exit(3);
}

static void *work(void *arg) {
  long own = (long)arg;
  unsigned long seed = (unsigned long)own + 1;
  sqlite3_stmt *insert, *update, *query;
  must(sqlite3_prepare_v2(db, "INSERT INTO t(id, owner, n, word) VALUES(?, ?, ?, ?)", -1, &insert, NULL), SQLITE_OK);
  must(sqlite3_prepare_v2(db, "UPDATE t SET n = n + ? WHERE id = ?", -1, &update, NULL), SQLITE_OK);
  must(sqlite3_prepare_v2(db, "SELECT sum(n) FROM t WHERE id BETWEEN ? AND ? AND +owner = ?", -1, &query, NULL), SQLITE_OK);
  long sum = 0;
  for (long i = 0; i < statements; i++) {
    seed = seed * 6364136223846793005UL + 1442695040888963407UL;
    long id = own * 1000000 + i;
    char word[32];
    snprintf(word, sizeof word, "row %lx", seed >> 40);
    sqlite3_bind_int64(insert, 1, id);
    sqlite3_bind_int64(insert, 2, own);
    sqlite3_bind_int64(insert, 3, (long)(seed >> 50));
    sqlite3_bind_text(insert, 4, word, -1, SQLITE_TRANSIENT);
    must(sqlite3_step(insert), SQLITE_DONE);
    sqlite3_reset(insert);
    sqlite3_bind_int64(update, 1, i);
    sqlite3_bind_int64(update, 2, id - i / 2);
    must(sqlite3_step(update), SQLITE_DONE);
    sqlite3_reset(update);
    sqlite3_bind_int64(query, 1, id - 20);
    sqlite3_bind_int64(query, 2, id);
    sqlite3_bind_int64(query, 3, own);
    must(sqlite3_step(query), SQLITE_ROW);
    sum += (long)sqlite3_column_int64(query, 0);
    sqlite3_reset(query);
  }
  sqlite3_finalize(insert);
  sqlite3_finalize(update);
  sqlite3_finalize(query);
  return (void *)sum;
}

int main(int argc, char **argv) {
  int threads = argc > 1 ? atoi(argv[1]) : 2;
  statements = argc > 2 ? atol(argv[2]) : 1000;
  if (threads < 1 || threads > 64) return 2;
  must(sqlite3_open_v2(":memory:", &db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_FULLMUTEX, NULL), SQLITE_OK);
  must(sqlite3_exec(db, "CREATE TABLE t(id INTEGER PRIMARY KEY, owner INT, n INT, word TEXT); CREATE INDEX by_owner ON t(owner, n)", 0, 0, 0), SQLITE_OK);
  pthread_t all[64];
  for (long i = 0; i < threads; i++) pthread_create(&all[i], NULL, work, (void *)i);
  for (int i = 0; i < threads; i++) {
    void *sum;
    pthread_join(all[i], &sum);
    printf("%d: %ld\n", i, (long)sum);
  }
  sqlite3_stmt *total;
  must(sqlite3_prepare_v2(db, "SELECT count(*), sum(n), sum(length(word)) FROM t", -1, &total, NULL), SQLITE_OK);
  must(sqlite3_step(total), SQLITE_ROW);
  printf("%s rows, %s, %s\n", (const char *)sqlite3_column_text(total, 0), (const char *)sqlite3_column_text(total, 1),
         (const char *)sqlite3_column_text(total, 2));
  sqlite3_finalize(total);
  return sqlite3_close(db) == SQLITE_OK ? 0 : 4;
}

/* The interface of paths.c: a call with the name of a file. */
#ifndef HEDDLE_PATHS_H
#define HEDDLE_PATHS_H
#include "heddle.h"

typedef struct {
  uintptr_t place; /* 0: nothing is recorded of it */
  const char *path;
  void *pc;
  uint64_t file, size;
  bool existed, locked;
} PathUse;

/* A step before the call, and its record after it. Between the two no other call with a name is recorded. */
void hd_path_begin(PathUse *use, Thread *t, const char *path, void *pc);
void hd_path_end(PathUse *use, Thread *t);

#endif

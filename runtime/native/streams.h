/* The interface of streams.c for stdio.c. */
#ifndef HEDDLE_STREAMS_H
#define HEDDLE_STREAMS_H
#include "descriptors.h"
#include <stdio.h>

/* A use of a FILE that is under way. */
typedef struct {
  Thread *t;
  bool outside;
} StreamUse;

/* Before: the step and its record (HD_STREAM_READ, HD_STREAM_WRITE); false if it must not be done. */
bool hd_stream_begin(StreamUse *use, Thread *t, int kind, FILE *stream, void *pc);
void hd_stream_end(StreamUse *use);
/* The thread is cancelled in it. */
void hd_stream_cut(void *use);

#endif

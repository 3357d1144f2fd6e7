/* The real functions behind the interposed ones. */
#ifndef HEDDLE_REAL_H
#define HEDDLE_REAL_H
#include "heddle.h"

/* Found at the first call. Condition variables have two versions in glibc; dlsym gives the newer one. */
#define REAL(name) \
  ({ \
    static __typeof__(&name) found; \
    if (HD_UNLIKELY(!found)) found = (__typeof__(&name))hd_real(#name); \
    found; \
  })

#endif

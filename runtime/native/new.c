/*
 * C++ new and delete. Those of libstdc++ call malloc and free, too; these functions exist to record the site of the caller.
 *
 * A program may replace the plain operators, or malloc, and then the other operators must call the replacement. libstdc++'s own do that, and are
 * called in that case. They are also called if memory runs out: they call the program's handler and throw std::bad_alloc, through these frames, when
 * no lock of the runtime is held.
 */
#include "heap.h"
#include <dlfcn.h>
#include <stdlib.h>

HD_EXPORT void *_Znwm(size_t size);
HD_EXPORT void _ZdlPv(void *block);

/* The addresses that the linker gives, which are the program's own where it has one, and ours. */
#define OWN(name, alias_name, type, params)                                                \
  __attribute__((alias(#name), visibility("hidden"))) type alias_name params;
#define PLAIN_ONES(X)                                             \
  X(_Znwm, own_new, void *, (size_t))                             \
  X(_Znam, own_new_array, void *, (size_t))                       \
  X(_ZnwmSt11align_val_t, own_new_aligned, void *, (size_t, size_t)) \
  X(_ZdlPv, own_delete, void, (void *))                           \
  X(_ZdaPv, own_delete_array, void, (void *))                     \
  X(_ZdlPvSt11align_val_t, own_delete_aligned, void, (void *, size_t))

static bool nothing_replaced(void);

#define NEXT(name, type) ((type)next(name))
static void *next(const char *name) {
  void *found = dlsym(RTLD_NEXT, name);
  if (!found) abort();
  return found;
}

HD_EXPORT void *_Znwm(size_t size) {
  void *block = hd_malloc_at(size ? size : 1, HD_CALLER);
  return HD_LIKELY(block) ? block : NEXT("_Znwm", void *(*)(size_t))(size);
}
HD_EXPORT void _ZdlPv(void *block) { hd_free_at(block, HD_CALLER); }

static size_t rounded(size_t size, size_t alignment) {
  size_t up = (size + alignment - 1) & ~(alignment - 1);
  return up < size ? size : up ? up : alignment;
}

#define NEW(name, params, args, make)                                   \
  HD_EXPORT void *name params;                                          \
  HD_EXPORT void *name params {                                         \
    void *block = nothing_replaced() ? make : NULL;                   \
    return HD_LIKELY(block) ? block : NEXT(#name, void *(*)params)args; \
  }
#define DELETE(name, params, args)                            \
  HD_EXPORT void name params;                                 \
  HD_EXPORT void name params {                                \
    if (HD_LIKELY(nothing_replaced())) {              \
      hd_free_at(block, HD_CALLER);                           \
      return;                                                 \
    }                                                         \
    NEXT(#name, void (*)params)args;                          \
  }

typedef const void *Nothrow;
#define PLAIN hd_malloc_at(size ? size : 1, HD_CALLER)
#define ALIGNED hd_memalign_at(alignment, rounded(size, alignment), HD_CALLER)
NEW(_Znam, (size_t size), (size), PLAIN)
NEW(_ZnwmRKSt9nothrow_t, (size_t size, Nothrow tag), (size, tag), PLAIN)
NEW(_ZnamRKSt9nothrow_t, (size_t size, Nothrow tag), (size, tag), PLAIN)
NEW(_ZnwmSt11align_val_t, (size_t size, size_t alignment), (size, alignment), ALIGNED)
NEW(_ZnamSt11align_val_t, (size_t size, size_t alignment), (size, alignment), ALIGNED)
NEW(_ZnwmSt11align_val_tRKSt9nothrow_t, (size_t size, size_t alignment, Nothrow tag), (size, alignment, tag), ALIGNED)
NEW(_ZnamSt11align_val_tRKSt9nothrow_t, (size_t size, size_t alignment, Nothrow tag), (size, alignment, tag), ALIGNED)

DELETE(_ZdaPv, (void *block), (block))
DELETE(_ZdlPvm, (void *block, size_t size), (block, size))
DELETE(_ZdaPvm, (void *block, size_t size), (block, size))
DELETE(_ZdlPvRKSt9nothrow_t, (void *block, Nothrow tag), (block, tag))
DELETE(_ZdaPvRKSt9nothrow_t, (void *block, Nothrow tag), (block, tag))
DELETE(_ZdlPvSt11align_val_t, (void *block, size_t alignment), (block, alignment))
DELETE(_ZdaPvSt11align_val_t, (void *block, size_t alignment), (block, alignment))
DELETE(_ZdlPvmSt11align_val_t, (void *block, size_t size, size_t alignment), (block, size, alignment))
DELETE(_ZdaPvmSt11align_val_t, (void *block, size_t size, size_t alignment), (block, size, alignment))
DELETE(_ZdlPvSt11align_val_tRKSt9nothrow_t, (void *block, size_t alignment, Nothrow tag), (block, alignment, tag))
DELETE(_ZdaPvSt11align_val_tRKSt9nothrow_t, (void *block, size_t alignment, Nothrow tag), (block, alignment, tag))

PLAIN_ONES(OWN)
#define LINKED(name, alias_name, type, params) (void *volatile)(uintptr_t)name,
#define OURS(name, alias_name, type, params) (void *)(uintptr_t)alias_name,

static bool nothing_replaced(void) {
  static int known; /* 1 yes, 2 no */
  if (HD_LIKELY(known)) return known == 1;
  void *const volatile linked[] = {PLAIN_ONES(LINKED)};
  void *const ours[] = {PLAIN_ONES(OURS)};
  int answer = hd_malloc_is_ours() ? 1 : 2;
  for (size_t i = 0; i < sizeof ours / sizeof *ours; i++)
    if (linked[i] != ours[i]) answer = 2;
  known = answer;
  return answer == 1;
}

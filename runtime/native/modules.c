/* Which modules are loaded at which addresses, and which sites belong to the program. */
#include "core.h"
#include <execinfo.h>
#include <fcntl.h>
#include <link.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static int one_module(struct dl_phdr_info *info, size_t size, void *data) {
  (void)size;
  int fd = *(int *)data;
  uintptr_t end = 0, first = UINTPTR_MAX;
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *p = &info->dlpi_phdr[i];
    if (p->p_type != PT_LOAD) continue;
    uintptr_t from = info->dlpi_addr + p->p_vaddr;
    if (from < first) first = from;
    if (from + p->p_memsz > end) end = from + p->p_memsz;
  }
  char path[512];
  const char *name = info->dlpi_name;
  if (!name || !*name) {
    ssize_t n = readlink("/proc/self/exe", path, sizeof path - 1);
    if (n <= 0) return 0;
    path[n] = 0;
    name = path;
    /* Only the program itself has no name; vdso has one. */
  }
  char line[700];
  char *at = line, *stop = line + sizeof line - 2;
  hd_put_number(&at, stop, info->dlpi_addr, 16);
  *at++ = ' ';
  hd_put_number(&at, stop, end, 16);
  *at++ = ' ';
  for (const char *c = name; *c && at < stop; c++) *at++ = *c;
  *at++ = '\n';
  if (syscall(SYS_write, fd, line, at - line) < 0) return 1;
  return 0;
}

void hd_write_modules(void) {
  int fd = hd_file("modules.new", O_WRONLY | O_CREAT | O_TRUNC);
  if (fd < 0) return;
  dl_iterate_phdr(one_module, &fd);
  syscall(SYS_close, fd);
  char from[768], to[768];
  hd_path(from, sizeof from, "modules.new");
  hd_path(to, sizeof to, "modules");
  syscall(SYS_renameat, AT_FDCWD, from, AT_FDCWD, to);
}

uintptr_t hd_program_base;
static uintptr_t program_from, program_to, cpp_from, cpp_to;

static int note_ranges(struct dl_phdr_info *info, size_t size, void *first) {
  (void)size;
  uintptr_t from = UINTPTR_MAX, to = 0;
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *p = &info->dlpi_phdr[i];
    if (p->p_type != PT_LOAD) continue;
    uintptr_t at = info->dlpi_addr + p->p_vaddr;
    if (at < from) from = at;
    if (at + p->p_memsz > to) to = at + p->p_memsz;
  }
  if (*(bool *)first) hd_program_base = info->dlpi_addr, program_from = from, program_to = to;
  else if (info->dlpi_name && strstr(info->dlpi_name, "libstdc++")) cpp_from = from, cpp_to = to;
  *(bool *)first = false;
  return 0;
}

bool hd_in_program(const void *pc) { return (uintptr_t)pc - program_from < program_to - program_from; }

void *hd_place(void *pc) {
  if (HD_LIKELY((uintptr_t)pc - cpp_from >= cpp_to - cpp_from)) return pc;
  void *frames[12];
  int n = backtrace(frames, 12);
  for (int i = 1; i < n; i++)
    if (hd_in_program(frames[i])) return frames[i];
  return pc;
}

void hd_modules_start(void) {
  bool first = true;
  dl_iterate_phdr(note_ranges, &first);
  hd_write_modules();
}

/** `heddle cc` and `heddle c++`: what they add, what they leave alone, and that the programs do the same as before. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { readElf } from '../../src/frontends/native/elf.ts'
import { runtimeLibrary, wrapper } from '../../src/frontends/native/toolchain.ts'
import { recognised } from './recognised.ts'
import { compile, noClang, noCxx, noGcc, run, scratch, THREADS } from './compile.ts'

const dir = scratch()
let cc = ''
const GCC = { HEDDLE_CC: 'gcc' }
const CLANG = { HEDDLE_CC: 'clang' }
const MATRIX = [
  ['gcc', ''],
  ['gcc', '-O2 -std=c11 -Wall -Werror -no-pie'],
  ['gcc', '-Os -s -g0 -D_FORTIFY_SOURCE=2'],
  ['clang', ''],
  ['clang', '-O2 -std=c11 -Wall -Werror -no-pie'],
] as const

describe.skipIf(noGcc !== '')(`the compiler wrapper ${noGcc}`, () => {
  beforeAll(() => {
    cc = wrapper('C')
    writeFileSync(join(dir, 'threads.c'), THREADS)
  })

  test.each(MATRIX.filter(([compiler]) => compiler === 'gcc' || noClang === ''))(
    '%s %s: instrumented, with our runtime, the same output',
    (compiler, flags) => {
      const made = run(dir, cc, [...flags.split(' ').filter(Boolean), '-o', 'made', 'threads.c', '-pthread'], { HEDDLE_CC: compiler })
      expect(made).toEqual({ code: 0, out: '', err: '' })
      const { binary } = recognised(['./made'], dir)
      expect(binary).toMatchObject({ instrumented: true, debug: true, pie: !flags.includes('-no-pie'), notes: [] })
      expect(readElf(join(dir, 'made'))!.needed).toContain('libtsan.so.2')
      expect(run(dir, './made', [])).toEqual({ code: 0, out: '10\n', err: '' })
      const loaded = run(dir, './made', [], { LD_TRACE_LOADED_OBJECTS: '1' }).out
      expect(loaded).toContain(runtimeLibrary())
    },
  )

  test.each(['gcc', 'clang'].filter((compiler) => compiler === 'gcc' || noClang === ''))(
    '%s -O2: no place is kept in a register over a loop',
    (compiler) => {
      writeFileSync(
        join(dir, 'loops.c'),
        `int shared; static int hidden; int *place(void) { return &hidden; }
       void add(int n) { for (int i = 0; i < n; i++) shared += i; }
       void set(int n) { for (int i = 0; i < n; i++) hidden = i; }
       void both(int n, int *p) { for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) if (p[j]) shared++; }`,
      )
      // Not our runtime: one that counts.
      const hooks = ['read4', 'write4'].map((name) => `int ${name}; void __tsan_${name}(void *at) { (void)at; ${name}++; }`)
      writeFileSync(
        join(dir, 'count.c'),
        `#include <stdio.h>
       ${hooks.join('\n')}
       void __tsan_init(void) {}
       void add(int), set(int), both(int, int *);
       int all[10] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
       int main(void) { add(10); set(10); both(10, all); printf("%d %d\\n", read4, write4); }`,
      )
      expect(run(dir, cc, ['-O2', '-c', 'loops.c'], { HEDDLE_CC: compiler }).err).toBe('')
      expect(run(dir, 'gcc', ['-o', 'count', 'count.c', 'loops.o']).err).toBe('')
      // add: 10 and 10; set: 10 writes; both: 200 reads and 100 writes.
      expect(run(dir, './count', []).out).toBe('210 120\n')
    },
  )

  test('questions and single steps go to the compiler as they are', () => {
    for (const words of [['--version'], ['-dumpversion'], ['-print-file-name=libc.so.6'], ['-v'], []])
      expect(run(dir, cc, words, GCC), words.join(' ')).toEqual(run(dir, 'gcc', words))
    expect(run(dir, cc, ['-E', '-DX="a  b"', '-P', '-'], GCC).code).toBe(0)
    expect(run(dir, cc, ['-MM', 'threads.c'], GCC)).toEqual({ code: 0, out: 'threads.o: threads.c\n', err: '' })
    expect(run(dir, cc, ['-S', 'threads.c', '-o', '-'], GCC).out).toContain('__tsan_read4')
    expect(run(dir, cc, ['-fsyntax-only', 'threads.c'], GCC)).toEqual({ code: 0, out: '', err: '' })
    expect(run(dir, cc, ['nowhere.c'], GCC)).toMatchObject({ code: 1, err: expect.stringContaining('nowhere.c: No such file') as string })
  })

  test('object files, libraries, headers and files with more arguments', () => {
    for (const env of noClang === '' ? [GCC, CLANG] : [GCC]) {
      const steps = [
        ['-c', 'threads.c', '-o', 'one file.o'],
        ['one file.o', '-o', 'linked'],
        ['-shared', '-fPIC', 'threads.c', '-o', 'threads.so'],
        ['@more'],
        ['threads.h'],
      ]
      writeFileSync(join(dir, 'more'), '-O3 "threads.c" -Wl,--as-needed\n-o from-file')
      writeFileSync(join(dir, 'threads.h'), 'int counter;\n')
      for (const words of steps) expect(run(dir, cc, words, env), words.join(' ')).toEqual({ code: 0, out: '', err: '' })
      for (const file of ['linked', 'from-file']) expect(run(dir, `./${file}`, []).out).toBe('10\n')
      expect(recognised(['./from-file'], dir).binary.instrumented).toBe(true)
    }
  })

  test('what cannot be is refused with a sentence', () => {
    const said = (...words: string[]): string => {
      const { code, out, err } = run(dir, cc, [...words, 'threads.c', '-o', 'never'], GCC)
      expect([code, out]).toEqual([2, ''])
      return err
    }
    expect(said('-static')).toBe("heddle cc: -static leaves no place for Heddle's runtime. Link without it.\n")
    expect(said('-fsanitize=undefined,address')).toMatch(/^heddle cc: -fsanitize=undefined,address replaces the same functions/)
    expect(said('-m32')).toMatch(/^heddle cc: -m32 makes programs/)
    // Compiling alone hurts nobody.
    expect(run(dir, cc, ['-static', '-c', 'threads.c'], GCC).code).toBe(0)
  })

  test('-fsanitize=thread of the user is ours, and single files can be left out', () => {
    expect(run(dir, cc, ['-fsanitize=thread,undefined', '-static-libtsan', 'threads.c', '-o', 'twice'], GCC).code).toBe(0)
    expect(readElf(join(dir, 'twice'))!.needed).toEqual(expect.arrayContaining(['libtsan.so.2', 'libubsan.so.1']))
    expect(run(dir, cc, ['-fno-sanitize=thread', '-S', 'threads.c', '-o', '-'], GCC).out).not.toContain('__tsan_')
  })

  test('a binary of plain gcc -fsanitize=thread takes our runtime in place of its own', () => {
    compile(dir, 'theirs', 'gcc', '-g', '-fsanitize=thread')
    const loaded = run(dir, './theirs', [], { LD_PRELOAD: runtimeLibrary(), LD_TRACE_LOADED_OBJECTS: '1' }).out
    expect(loaded.match(/libtsan/g)).toHaveLength(1)
    expect(run(dir, './theirs', [], { LD_PRELOAD: runtimeLibrary() })).toEqual({ code: 0, out: '10\n', err: '' })
  })

  test('make builds with it', () => {
    writeFileSync(join(dir, 'Makefile'), 'CFLAGS = -O2\nmade-by-make: threads.o\n\t$(CC) $(LDFLAGS) -o $@ $^ -pthread\n')
    const { code, err } = run(dir, 'make', ['-B', `CC=${cc}`, 'made-by-make'])
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(recognised(['./made-by-make'], dir).binary.instrumented).toBe(true)
  })
})

test.skipIf(noCxx !== '' || noGcc !== '')(`C++17 ${noCxx}`, () => {
  const source = `#include <cstdio>
#include <thread>
#include <vector>
int counter;
int main() {
  std::vector<std::thread> all;
  for (int i = 0; i < 2; i++) { all.emplace_back([] { counter++; }); all.back().join(); }
  std::printf("%d\\n", counter);
}
`
  writeFileSync(join(dir, 'threads.cc'), source)
  for (const compiler of noClang === '' ? ['g++', 'clang++'] : ['g++']) {
    const made = run(dir, wrapper('C++'), ['-std=c++17', '-O2', 'threads.cc', '-o', 'cxx', '-pthread'], { HEDDLE_CXX: compiler })
    expect(made).toEqual({ code: 0, out: '', err: '' })
    expect(run(dir, './cxx', []).out).toBe('2\n')
  }
  expect(readFileSync(wrapper('C++'), 'utf8')).toMatch(/^#!\/bin\/sh\n/)
})

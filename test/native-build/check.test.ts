/** From source to finding: compilers, languages and ways to build, each with the same bug. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { check, type CheckResult } from '../../src/check.ts'
import { FRONT_ENDS } from '../../src/frontends/all.ts'
import { wrapper } from '../../src/frontends/native/toolchain.ts'
import { ROOT } from '../cli/run.ts'
import { noClang, noCxx, noGcc, run, scratch } from './compile.ts'

const dir = scratch()

const LOST = `#include <assert.h>
#include <pthread.h>
int counter;
static void *add(void *unused) {
  counter++;
  return unused;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, add, 0);
  pthread_create(&b, 0, add, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(counter == 2);
}
`
const LOST_CXX = `#include <cassert>
#include <iostream>
#include <thread>
static int counter;
int main() {
  auto add = [] {
    counter++;
  };
  std::thread a(add), b(add);
  a.join();
  b.join();
  assert(counter == 2);
  std::cout << "two" << std::endl;
}
`
writeFileSync(join(dir, 'lost.c'), LOST)
writeFileSync(join(dir, 'lost.cc'), LOST_CXX)

const never = new AbortController().signal
const checked = (...command: string[]): Promise<CheckResult> =>
  check(command, {
    frontEnds: FRONT_ENDS,
    cwd: dir,
    timers: 'due',
    properties: [],
    asked: new Set(),
    history: false,
    include: [],
    exclude: [],
    detail: false,
    outputToError: true,
    quiet: true,
    limitMs: 300_000,
    timeMs: 600_000,
    replays: 30,
    maxFindings: 1,
    confirm: 2,
    stop: never,
    signal: never,
    onProgress() {},
  })

/** What failed, and the lines it is about. */
const failedAt = ({ findings }: CheckResult): string[] =>
  findings
    .filter((f) => f.status === 'FAILED')
    .map(({ prediction: { pattern, sites } }) => [pattern, ...new Set(sites.map((site) => site.split(' ')[0]))].join(' '))

/** Language, compiler, flags; `plain`: not by `heddle cc`. */
const WAYS = [
  ['C', 'gcc', '-O2'],
  ['C', 'clang', '-O0 -no-pie'],
  ['C', 'plain', '-g -O0 -fsanitize=thread'],
  ['C++', 'g++', '-std=c++17 -O2'],
] as const

describe.skipIf(noGcc !== '')(`the same bug, built in several ways ${noGcc}`, () => {
  const missing: Readonly<Record<string, string>> = { clang: noClang, 'g++': noCxx }
  test.each(WAYS.filter(([, compiler]) => (missing[compiler] ?? '') === ''))('%s, %s %s', async (language, compiler, flags) => {
    const source = language === 'C' ? 'lost.c' : 'lost.cc'
    const tool = compiler === 'plain' ? 'gcc' : wrapper(language)
    const variable = language === 'C' ? 'HEDDLE_CC' : 'HEDDLE_CXX'
    const made = run(
      dir,
      tool,
      [...flags.split(' '), '-o', 'lost', source, '-pthread'],
      compiler === 'plain' ? {} : { [variable]: compiler },
    )
    expect(made).toEqual({ code: 0, out: '', err: '' })
    const line = language === 'C' ? 5 : 7
    expect(failedAt(await checked('./lost'))).toEqual([`lost update ${source}:${line}`])
  })

  test('without instrumentation locks are seen', async () => {
    writeFileSync(
      join(dir, 'locks.c'),
      `#include <pthread.h>
#include <unistd.h>
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static void *one(void *unused) {
  pthread_mutex_lock(&a);
  pthread_mutex_lock(&b);
  pthread_mutex_unlock(&b);
  pthread_mutex_unlock(&a);
  return unused;
}
static void *two(void *unused) {
  usleep(5000);
  pthread_mutex_lock(&b);
  pthread_mutex_lock(&a);
  pthread_mutex_unlock(&a);
  pthread_mutex_unlock(&b);
  return unused;
}
int main(void) {
  pthread_t x, y;
  pthread_create(&x, 0, one, 0);
  pthread_create(&y, 0, two, 0);
  pthread_join(x, 0);
  pthread_join(y, 0);
}
`,
    )
    expect(run(dir, 'gcc', ['-O2', '-g', '-o', 'locks', 'locks.c', '-pthread']).err).toBe('')
    const result = await checked('./locks')
    expect(failedAt(result)).toEqual(['deadlock locks.c:6 locks.c:14'])
    expect(result.notes.join('\n')).toContain('not built with `heddle cc`')
  })

  test.skipIf(noCxx !== '')('local statics of C++ are initialised once, and the others wait', async () => {
    writeFileSync(
      join(dir, 'local.cc'),
      `#include <thread>
#include <vector>
static const std::vector<int> &table() {
  static std::vector<int> made(10, 3);
  return made;
}
int main() {
  int a = 0, b = 0;
  std::thread x([&] { a = table()[1]; }), y([&] { b = table()[2]; });
  x.join();
  y.join();
  return a + b == 6 ? 0 : 1;
}
`,
    )
    expect(run(dir, wrapper('C++'), ['-O2', '-o', 'local', 'local.cc', '-pthread']).err).toBe('')
    const { findings } = await checked('./local')
    expect(findings.filter((f) => f.status === 'FAILED')).toEqual([])
    // Who comes first is open, and nothing else.
    const about = new Set(findings.flatMap((f) => f.prediction.locations))
    expect([...about].filter((name) => !name.startsWith('guard variable'))).toEqual([])
  })

  test('examples/queue.c: what the README shows', async () => {
    const made = run(dir, wrapper('C'), ['-o', 'queue', join(ROOT, 'examples/queue.c'), '-pthread'])
    expect(made).toEqual({ code: 0, out: '', err: '' })
    expect(run(dir, './queue', []).out).toBe('8 blocks written\n')
    const { findings } = await checked('./queue')
    const failed = findings.find((f) => f.status === 'FAILED')
    expect(failed?.prediction.pattern).toBe('use after free')
  })
})

/** A recorded run that fails is a finding: what it shows, whether its order fails again, and what the command says. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { wrapper } from '../../src/frontends/native/toolchain.ts'
import { heddleIn } from '../cli/run.ts'
import { noGcc, run, scratch } from './compile.ts'

const dir = scratch()

/** Two locks in opposite orders, and both threads hold one when they ask for the other. */
const HANGS = `#include <pthread.h>
#include <unistd.h>
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static void *one(void *unused) {
  pthread_mutex_lock(&a);
  usleep(100000);
  pthread_mutex_lock(&b);
  return unused;
}
static void *two(void *unused) {
  pthread_mutex_lock(&b);
  usleep(100000);
  pthread_mutex_lock(&a);
  return unused;
}
int main(void) {
  pthread_t x, y;
  pthread_create(&x, 0, one, 0);
  pthread_create(&y, 0, two, 0);
  pthread_join(x, 0);
  pthread_join(y, 0);
}
`
/** main has returned before the thread looks, unless somebody waits for it. */
const LATE = `#include <assert.h>
#include <pthread.h>
#include <unistd.h>
static int value = 42;
static void *look(void *unused) {
  usleep(20000);
  assert(value == 42);
  return unused;
}
int main(void) {
  pthread_t x;
  pthread_create(&x, 0, look, 0);
  value = 0;
  return 0;
}
`

/** The signal has been given before the thread waits for it. */
const LOST = `#include <pthread.h>
#include <unistd.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static void *waiter(void *unused) {
  usleep(100000);
  pthread_mutex_lock(&m);
  pthread_cond_wait(&c, &m);
  pthread_mutex_unlock(&m);
  return unused;
}
int main(void) {
  pthread_t x;
  pthread_create(&x, 0, waiter, 0);
  pthread_cond_signal(&c);
  pthread_join(x, 0);
}
`
/** All threads wait for a second, until another process sends a signal. */
const WOKEN = `#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <unistd.h>
static sem_t asked;
static void on_signal(int number) { (void)number; sem_post(&asked); }
static void *server(void *unused) {
  while (sem_wait(&asked) != 0) {}
  return unused;
}
int main(void) {
  signal(SIGUSR1, on_signal);
  sem_init(&asked, 0, 0);
  if (fork() == 0) {
    usleep(1500000);
    kill(getppid(), SIGUSR1);
    _exit(0);
  }
  pthread_t x;
  pthread_create(&x, 0, server, 0);
  pthread_join(x, 0);
  return 3;
}
`

interface Said {
  readonly findings: readonly {
    readonly status: string
    readonly kind: string
    readonly sites: readonly string[]
    readonly failure: { readonly message: string }
  }[]
  readonly lookedAt: string
}

function checked(name: string, source: string, ...options: string[]): { code: number | null; said: Said } {
  const own = join(dir, name)
  mkdirSync(own)
  writeFileSync(join(own, `${name}.c`), source)
  expect(run(own, wrapper('C'), ['-g', '-o', name, `${name}.c`, '-pthread']).err).toBe('')
  const { code, out } = heddleIn(own, 'check', '--json', ...options, '--', `./${name}`)
  return { code, said: JSON.parse(out) as Said }
}

describe.skipIf(noGcc !== '')(`a recorded run that fails ${noGcc}`, () => {
  test('a deadlock is told, with who waits for whom', () => {
    const { code, said } = checked('hangs', HANGS)
    expect(code).toBe(1)
    expect(said.findings).toMatchObject([{ status: 'FAILED', kind: 'recorded' }])
    expect(said.findings[0]!.failure.message).toMatch(
      /^The program never ends: thread \d waits for lock [ab] \(hangs\.c:\d+ \w+\), which thread \d holds\.$/,
    )
    expect(said.lookedAt).toContain('a recorded run that failed')
  })

  test('so is a wait that nobody is left to end', () => {
    const { code, said } = checked('lost', LOST)
    expect(code).toBe(1)
    expect(said.findings).toMatchObject([{ status: 'FAILED', kind: 'recorded' }])
    expect(said.findings[0]!.failure.message).toBe(
      'The program never ends: thread 1 waits for a signal of c (lost.c:8 waiter), and no thread is left to give it.',
    )
  })

  test('a program that waits for a signal of another process is left alone, and its exit code can be a good one', () => {
    const { code, said } = checked('woken', WOKEN, '--expect-exit', '3', '--replays', '1')
    expect({ code, findings: said.findings }).toEqual({ code: 0, findings: [] })
    const { out } = heddleIn(join(dir, 'woken'), 'check', '--replays', '0', '--', './woken')
    expect(out.replaceAll(/\s+/g, ' ')).toContain('If it ends with exit code 3 when all is well: --expect-exit 3.')
  })

  test('threads that main did not wait for go on before the program ends', () => {
    const { code, said } = checked('late', LATE)
    expect(code).toBe(1)
    expect(said.findings).toMatchObject([{ status: 'FAILED', kind: 'recorded', sites: ['late.c:7'] }])
  })
})

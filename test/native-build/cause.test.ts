/** The headline of a failure is what made it fail, not the conflict that its schedule was made for. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { wrapper } from '../../src/frontends/native/toolchain.ts'
import { heddleIn } from '../cli/run.ts'
import { noGcc, run, scratch } from './compile.ts'

const dir = scratch()

/** That `used` changes in the other order does no harm. That `item` is taken away first does. */
const SOURCE = `#include <pthread.h>
#include <stdio.h>
#include <unistd.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int thing, used, *item = &thing;
static void *user(void *unused) {
  pthread_mutex_lock(&lock);
  int *mine = item;
  used++;
  *mine = 1;
  pthread_mutex_unlock(&lock);
  return unused;
}
static void *closer(void *unused) {
  usleep(20000);
  pthread_mutex_lock(&lock);
  used--;
  item = NULL;
  pthread_mutex_unlock(&lock);
  return unused;
}
int main(void) {
  pthread_t x, y;
  pthread_create(&x, 0, user, 0);
  pthread_create(&y, 0, closer, 0);
  pthread_join(x, 0);
  pthread_join(y, 0);
  printf("%d\\n", used);
}
`

interface Said {
  readonly findings: readonly {
    readonly status: string
    readonly locations: readonly string[]
    readonly sites: readonly string[]
    readonly replays: { readonly runs: number; readonly failures: number }
  }[]
}

describe.skipIf(noGcc !== '')(`the cause ${noGcc}`, () => {
  test('is the conflict that the failing thread saw', () => {
    writeFileSync(join(dir, 'closer.c'), SOURCE)
    expect(run(dir, wrapper('C'), ['-g', '-o', 'closer', 'closer.c', '-pthread']).err).toBe('')
    const { code, out } = heddleIn(dir, 'check', '--json', '--', './closer')
    expect(code).toBe(1)
    const failed = (JSON.parse(out) as Said).findings.filter(({ status }) => status === 'FAILED')
    expect(failed).toHaveLength(1)
    const [{ locations, sites, replays }] = failed as [Said['findings'][number]]
    expect(locations).toEqual(['item'])
    expect(sites.map((site) => site.split(' ')[0]).sort()).toEqual(['closer.c:18', 'closer.c:8'])
    expect(replays).toEqual({ runs: 3, failures: 3 })
  })
})

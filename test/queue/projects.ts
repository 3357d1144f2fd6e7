/** Small projects for checks on a queue, each in folders of its own: one for who asks, one for workers. */
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { HEDDLE } from './server.ts'

const TICKETS = fileURLToPath(new URL('../../examples/tickets.js', import.meta.url))

export interface Project {
  /** Where it is asked. */
  readonly here: string
  /** Another checkout of it. */
  copy(): string
  end(): void
}

function projectOf(fill: (folder: string) => void): Project {
  const folder = mkdtempSync(join(tmpdir(), 'heddle-queue-'))
  const here = join(folder, 'here')
  mkdirSync(here)
  fill(here)
  let copies = 0
  return {
    here,
    copy: () => {
      const there = join(folder, `there${++copies}`)
      cpSync(here, there, { recursive: true, filter: (path) => !path.endsWith('.heddle') })
      return there
    },
    end: () => rmSync(folder, { recursive: true, force: true }),
  }
}

/** One failure. */
export const tickets = (): Project => projectOf((folder) => cpSync(TICKETS, join(folder, 'tickets.js')))

/** `threads` of them take a lock, one after the other: as many classes as there are orders. With `fails` one order fails. */
export const orders = (threads: number, fails = false): Project =>
  projectOf((folder) => {
    writeFileSync(
      join(folder, 'order.c'),
      `#include <pthread.h>
#include <stdlib.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int n;
static int order[${threads}];
static void *one(void *id) {
  pthread_mutex_lock(&lock);
  order[n] = (int)(long)id;
  n++;
  pthread_mutex_unlock(&lock);
  return 0;
}
int main(void) {
  pthread_t t[${threads}];
  for (long i = 0; i < ${threads}; i++) pthread_create(&t[i], 0, one, (void *)i);
  for (int i = 0; i < ${threads}; i++) pthread_join(t[i], 0);
  ${fails ? `if (order[0] == ${threads - 1} && order[1] == ${threads - 2}) abort();` : ''}
  return 0;
}
`,
    )
    execFileSync(process.execPath, [HEDDLE, 'cc', '-O1', '-o', 'order', 'order.c', '-pthread'], { cwd: folder })
  })

const SHOP = `import { readFile, writeFile } from 'node:fs/promises'

export async function buy(file, name) {
  const left = JSON.parse(await readFile(file, 'utf8'))
  if (left === 0) return undefined
  await writeFile(file, JSON.stringify(left - 1))
  return name
}
let last = Promise.resolve()
export const buyInTurn = (file, name) => (last = last.then(() => buy(file, name)))
`

const testOf = (name: string, buy: string): string => `import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import test from 'node:test'
import { ${buy} } from './shop.mjs'
test('${name} sells the last ticket once', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'shop-'))
  const file = join(folder, 'left.json')
  writeFileSync(file, '1')
  const sold = await Promise.all([${buy}(file, 'ann'), sleep(200).then(() => ${buy}(file, 'bob'))])
  assert.deepEqual(sold.filter(Boolean), ['ann'])
  rmSync(folder, { recursive: true })
})
`

/** Test files, every other one with a bug that no plain run shows. */
export const shop = (files: number): Project =>
  projectOf((folder) => {
    writeFileSync(join(folder, 'package.json'), '{ "name": "shop", "private": true }')
    writeFileSync(join(folder, 'shop.mjs'), SHOP)
    for (let i = 0; i < files; i++) writeFileSync(join(folder, `t${i}.test.mjs`), testOf(`t${i}`, i % 2 === 0 ? 'buy' : 'buyInTurn'))
  })

/** What of a result has to be the same wherever it was made. */
export interface Told {
  readonly code: number | null
  /** Ids of what FAILED. */
  readonly findings: readonly string[]
  /** How it failed. */
  readonly failures: readonly string[]
  readonly classes: number
  /** Where exploration came to, in words, sorted. */
  readonly tree: readonly string[]
}

interface Json {
  readonly findings: readonly { readonly fingerprint: string; readonly status: string; readonly failure?: { readonly message: string } }[]
  readonly coverage: readonly {
    readonly predictor: string
    readonly facts: Record<string, number>
    readonly tree?: readonly { readonly ended: string }[]
  }[]
}

export function toldIn(code: number | null, out: string): Told {
  const { findings, coverage } = JSON.parse(out) as Json
  const failed = findings.filter(({ status }) => status === 'FAILED')
  const explored = coverage.find(({ predictor }) => predictor === 'exploration')
  return {
    code,
    findings: failed.map(({ fingerprint }) => fingerprint).sort(),
    failures: failed.map(({ failure }) => failure?.message ?? '').sort(),
    classes: explored?.facts['classes'] ?? 0,
    tree: (explored?.tree ?? []).map(({ ended }) => ended).sort(),
  }
}

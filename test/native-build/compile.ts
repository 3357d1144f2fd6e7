/** Small C programs for the tests, compiled when they are needed. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'

const works = (...words: string[]): boolean =>
  process.platform === 'linux' && spawnSync(words[0]!, words.slice(1), { stdio: 'ignore' }).status === 0

/** Why tests that need the compiler are skipped; empty when it is there. */
export const noGcc = works('gcc', '--version') ? '' : 'there is no gcc on this machine'
export const noClang = works('clang', '--version') ? '' : 'there is no clang on this machine'
export const noCxx = works('g++', '--version') ? '' : 'there is no g++ on this machine'

/** A folder that is gone after the test file. */
export function scratch(): string {
  const path = mkdtempSync(join(tmpdir(), 'heddle-native-build-'))
  afterAll(() => rmSync(path, { recursive: true, force: true }))
  return path
}

export const THREADS = `#include <pthread.h>
#include <stdio.h>
int counter;
static void *add(void *unused) {
  for (int i = 0; i < 10; i++) counter++;
  return unused;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, add, 0);
  pthread_join(t, 0);
  printf("%d\\n", counter);
  return 0;
}
`

export interface Ran {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

export function run(cwd: string, file: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): Ran {
  const { status, stdout, stderr, error } = spawnSync(file, args, {
    cwd,
    encoding: 'utf8',
    env: { ...process.env, ...env },
    timeout: 300_000,
  })
  if (error) throw error
  return { code: status, out: stdout, err: stderr }
}

/** Compiles the small program and answers with its path. */
export function compile(cwd: string, name: string, compiler: string, ...flags: string[]): string {
  writeFileSync(join(cwd, 'threads.c'), THREADS)
  const { code, err } = run(cwd, compiler, [...flags, '-o', name, 'threads.c', '-pthread'])
  if (code !== 0) throw new Error(err)
  return join(cwd, name)
}

/** What `heddle doctor` says about C and C++ programs. Without such programs no compiler is needed, so nothing here is an error. */
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { HeddleError } from '../../errors.ts'
import type { Doctor, Look } from '../contract.ts'
import { findCompiler, onPath, type Compiler } from './compiler.ts'
import { runtimeLibrary, wrapper } from './toolchain.ts'

export const doctor: Doctor = {
  platforms: {
    programs: 'C and C++ programs',
    support: { 'Linux x86-64': 'tried', 'Linux arm64': 'no', macOS: 'no', Windows: 'no' },
  },
  looks: [compilers, nativeRuntime, symbols],
  planted: {
    what: 'optional: a planted bug in C',
    plant(cwd) {
      if (!canBuild()) return undefined
      buildPlanted(cwd)
      return ['./planted']
    },
  },
  limits: `Not supported for native programs: static linking, OpenMP (libgomp), signal handlers, clang's own -fsanitize=thread, other sanitizers, 32 bits, machines other than x86-64.`,
}

export function compilers(): Look {
  if (process.platform !== 'linux') return { hint: 'C and C++ programs can be checked on Linux only.' }
  return orWhy(() => {
    const [c, cxx] = [findCompiler('C'), findCompiler('C++')]
    if (!c) return { hint: 'Optional: no C compiler is installed; only C and C++ programs need one (`apt install gcc g++`).' }
    if (!cxx) return { ok: `optional: ${named(c)} is installed, for C programs; no C++ compiler is installed` }
    return { ok: `optional: ${named(c)} and ${named(cxx)} are installed, for C and C++ programs` }
  })
}

export function nativeRuntime(): Look {
  return orWhy(() => ({ ok: `optional: the runtime for native programs builds: ${runtimeLibrary()}` }))
}

/** Two threads add one each. It passes as long as one is done before the other begins. */
const PLANTED = `#include <pthread.h>
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
  return counter == 2 ? 0 : 1;
}
`

/** Is everything installed that `buildPlanted` needs? The looks have reported what is missing. */
export const canBuild = (): boolean => 'ok' in compilers() && 'ok' in nativeRuntime()

function buildPlanted(cwd: string): void {
  writeFileSync(join(cwd, 'planted.c'), PLANTED)
  const { status, stderr } = spawnSync(wrapper('C'), ['-o', 'planted', 'planted.c', '-pthread'], { cwd, encoding: 'utf8', timeout: 60_000 })
  if (status !== 0) throw new Error(`it cannot be compiled (${stderr?.split('\n', 1)[0] ?? status})`)
}

export function symbols(): Look {
  if (onPath('addr2line') !== undefined) return { ok: 'optional: addr2line is installed, to name lines of C and C++ sources' }
  return { hint: 'Optional: addr2line is not installed; it names lines of C and C++ sources (`apt install binutils`).' }
}

function orWhy(look: () => Look): Look {
  try {
    return look()
  } catch (error) {
    if (error instanceof HeddleError) return { hint: `C and C++ programs cannot be checked: ${error.fact}. ${error.remedy}.` }
    throw error
  }
}

/** Its first line has name and version. */
function named({ path }: Compiler): string {
  const { stdout } = spawnSync(path, ['--version'], { encoding: 'utf8', timeout: 20_000 })
  const version = /\d+\.\d+(\.\d+)?/.exec(stdout?.split('\n', 1)[0] ?? '')?.[0]
  return version === undefined ? path : `${path} ${version}`
}

/** The file of a native program: what Heddle can see of it, or the reason why it cannot be run. */
import { realpathSync, statSync } from 'node:fs'
import { readElf, type Elf } from './elf.ts'
import {
  brokenProgram,
  notAProgram,
  notOnLinux,
  oldSanitizer,
  otherMachine,
  otherSanitizer,
  setUidProgram,
  staticProgram,
  staticSanitizer,
} from './errors.ts'

export interface NativeBinary {
  /** The file that is started, absolute and without links. */
  readonly path: string
  /** The compiler put calls around reads and writes into it. Without, only threads, locks, memory and files are seen. */
  readonly instrumented: boolean
  readonly pie: boolean
  /** There is debug information: places in the source can be named. */
  readonly debug: boolean
  /** Sentences for the user. */
  readonly notes: readonly string[]
}

/** e_machine of the machines that are likely to turn up. */
const MACHINES: Readonly<Record<number, string>> = {
  3: '32-bit x86',
  8: 'MIPS',
  20: '32-bit PowerPC',
  21: '64-bit PowerPC',
  22: 'IBM Z',
  40: '32-bit ARM',
  62: 'x86-64',
  183: '64-bit ARM',
  243: 'RISC-V',
  258: 'LoongArch',
}
const OURS: Readonly<Record<string, number>> = { x64: 62, arm64: 183 }

const KINDS: Readonly<Record<Elf['type'], string>> = {
  program: 'a program',
  library: 'a shared library',
  object: 'an object file',
  core: 'a core dump',
  unknown: 'an unknown kind of ELF file',
}

const SANITIZERS: readonly (readonly [RegExp, string])[] = [
  [/^__asan_/, '-fsanitize=address'],
  [/^__hwasan_/, '-fsanitize=hwaddress'],
  [/^__msan_/, '-fsanitize=memory'],
  [/^__lsan_/, '-fsanitize=leak'],
]

/** Undefined when the file is no ELF file at all. */
export function nativeBinary(path: string, word: string): NativeBinary | undefined {
  let elf: Elf | undefined
  try {
    elf = readElf(path)
  } catch (error) {
    if (error instanceof RangeError) throw brokenProgram(word)
    throw error
  }
  if (elf === undefined) return undefined
  if (process.platform !== 'linux') throw notOnLinux(process.platform)
  refuse(elf, path, word)
  const instrumented = [...elf.undefined].some((name) => /^__tsan_(unaligned_|volatile_)?(read|write|atomic|vptr|mem)/.test(name))
  const debug = ['.debug_info', '.zdebug_info', '.debug_line', '.zdebug_line'].some((name) => elf.sections.has(name))
  return { path: realpathSync(path), instrumented, pie: elf.pie, debug, notes: notesOn(elf, instrumented, debug) }
}

function refuse(elf: Elf, path: string, word: string): void {
  if (elf.machine !== OURS[process.arch] || elf.bits !== 64) {
    // The x32 programs of x86-64 have its machine and 32 bits.
    const machine = MACHINES[elf.machine] ?? `machine ${elf.machine}`
    throw otherMachine(word, elf.bits === 32 && elf.machine === 62 ? '32-bit x86 (x32)' : machine)
  }
  if (elf.type !== 'program') throw notAProgram(word, KINDS[elf.type])
  const has = (pattern: RegExp): boolean => [...elf.defined, ...elf.undefined].some((name) => pattern.test(name))
  for (const [pattern, name] of SANITIZERS) if (has(pattern)) throw otherSanitizer(word, name)
  if (elf.defined.has('__tsan_init') || elf.needed.some((name) => name.startsWith('libclang_rt.tsan'))) throw staticSanitizer(word)
  if (elf.static) throw staticProgram(word)
  const old = elf.needed.find((name) => /^libtsan\.so\.[01]$/.test(name))
  if (old !== undefined) throw oldSanitizer(word, old)
  if ((statSync(path).mode & 0o6000) !== 0) throw setUidProgram(word)
}

function notesOn(elf: Elf, instrumented: boolean, debug: boolean): string[] {
  const notes: string[] = []
  if (!instrumented) {
    notes.push(
      'The program was not built with `heddle cc`: its threads, locks, memory and files are seen, its reads and writes are not (docs/native.md).',
    )
  }
  if (!debug) notes.push('The program has no debug information: places are named by function and address. Build it with -g.')
  if (elf.needed.some((name) => /^lib(gomp|omp|iomp5)\.so/.test(name))) {
    notes.push('The program uses OpenMP: what its threads wait for is not seen, so findings about them can be wrong.')
  }
  if (elf.sections.has('.gopclntab') || elf.sections.has('.note.go.buildid')) {
    notes.push('This is a Go program: goroutines and their locks are not seen.')
  }
  return notes
}

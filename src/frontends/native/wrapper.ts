/** The scripts behind `heddle cc` and `heddle c++`: runtime/native/cc.sh with its settings at the top. */
import { spawnSync } from 'node:child_process'
import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isClang, type Language } from './compiler.ts'
import { word } from './shell-words.ts'

export const wrapperName = (language: Language): string => (language === 'C' ? 'heddle-cc' : 'heddle-c++')

interface Wrapped {
  readonly folder: string
  readonly sources: ReadonlyMap<string, string>
  readonly language: Language
  readonly compiler: string
}

/** gcc puts copies of known length into the code, where nobody sees them. The runtime has these functions: they are to be called. */
const COPIES = ['memcpy', 'memmove', 'memset', 'memcmp', 'strcpy', 'strncpy', 'strcat', 'strcmp', 'strncmp']

export function writeWrapper(beside: string, { folder, sources, language, compiler }: Wrapped): void {
  const kind = compiler !== '' && isClang(compiler) ? 'clang' : 'gcc'
  const compile: string[] = []
  if (kind === 'gcc') {
    // The runtime does not use them. gcc 11 and later can leave them out.
    const noEntries = '--param=tsan-instrument-func-entry-exit=0'
    if (compiler !== '' && accepts(compiler, noEntries)) compile.push(noEntries)
    compile.push(...COPIES.map((name) => `-fno-builtin-${name}`))
  }
  const values = {
    HEDDLE_FOLDER: folder,
    HEDDLE_LANGUAGE: language,
    HEDDLE_COMPILER: compiler,
    HEDDLE_KIND: kind,
    HEDDLE_NAMED: process.env[language === 'C' ? 'HEDDLE_CC' : 'HEDDLE_CXX'] ?? '',
    HEDDLE_COMPILE: compile.join(' '),
  }
  const head = Object.entries(values).map(([key, value]) => `${key}=${word(value)}`)
  const path = join(beside, wrapperName(language))
  writeFileSync(path, `#!/bin/sh\n${head.join('\n')}\n${sources.get('cc.sh') ?? ''}`)
  chmodSync(path, 0o755)
}

const accepts = (compiler: string, flag: string): boolean =>
  spawnSync(compiler, [flag, '-x', 'c', '-E', '/dev/null'], { stdio: 'ignore', timeout: 20_000 }).status === 0

/**
 * `heddle cc` and `heddle c++`: the user's compiler with what Heddle needs added. The work is done by a shell script (runtime/native/cc.sh), so that builds
 * can use it without starting Node each time; this finds it, and builds what it needs the first time.
 */
import { spawnSync } from 'node:child_process'
import { constants } from 'node:os'
import { compilerFor, type Language } from '../frontends/native/compiler.ts'
import { wrapper } from '../frontends/native/toolchain.ts'
import { complain } from './complain.ts'

export function ccCommand(name: string, words: readonly string[]): number {
  const language: Language = name === 'cc' ? 'C' : 'C++'
  compilerFor(language)
  const path = wrapper(language)
  if (words.length === 1 && words[0] === '--path') {
    process.stdout.write(`${path}\n`)
    return 0
  }
  const { status, signal, error } = spawnSync(path, words, { stdio: 'inherit' })
  if (error) throw error
  return signal ? 128 + constants.signals[signal] : (status ?? 1)
}

/** For bin/heddle.js, which starts it without the rest of the command line. */
export function runCc(name: string, words: readonly string[]): void {
  try {
    process.exitCode = ccCommand(name, words)
  } catch (error) {
    process.exitCode = complain(error)
  }
}

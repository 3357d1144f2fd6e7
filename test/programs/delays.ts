/**
 * A copy of a program that pauses now and then before it touches shared memory or sends a message, and starts its workers all at once: orders that
 * the usual timing hides come up. By patterns in the text, which is enough for the programs of this folder.
 */
import { cpSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import type { Program } from './list.ts'

/** Mostly short; seldom longer than a worker takes to start, and than the time-outs in the programs. */
const PAUSES = `
function pause() {
  const dice = Math.random()
  const ms = dice < 0.4 ? 0 : dice < 0.92 ? 15 * Math.random() : 1000
  if (ms > 0) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
}
function after(value) {
  pause()
  return value
}
`
/** A cell of a shared array, by the names these have in the programs. */
const CELL = /\b((?:workerData\.)?(?:memory|visits|ring|log|clock|settings|workerData|counter|laps|jobs))(\[[^[\]]*\])/.source

export function delayed(source: string): string {
  return (
    source
      .replace(/^ *await once\(\w+, 'online'\)\n/gm, '')
      // Between the read and the write of one cell, too.
      .replace(new RegExp(`${CELL}(\\+\\+|--)`, 'g'), (_, array, cell, [sign]) => `(${array}${cell} = after(${array}${cell}) ${sign} 1)`)
      .replace(new RegExp(`${CELL} ([+-])= `, 'g'), '$1$2 = after($1$2) $3 ')
      .replace(new RegExp(`${CELL} = \\1\\2 `, 'g'), '$1$2 = after($1$2) ')
      .replace(/view\.get\w+\([^)]*\)/g, 'after($&)')
      .replace(new RegExp(CELL, 'g'), '(pause(), $1)$2')
      .replace(/\bAtomics\.(?=\w+\()/g, '(pause(), Atomics).')
      .replace(/\b(parentPort|port)\.(?=postMessage\()/g, '(pause(), $1).')
      // A statement that begins with a parenthesis needs a semicolon before it.
      .replace(/^( *)\(/gm, '$1;(') + PAUSES
  )
}

/** The same programs in a folder of their own. */
export function delayedCopies(list: readonly Program[]): Program[] {
  const folder = mkdtempSync(join(tmpdir(), 'heddle-delays-'))
  const from = dirname(list[0]!.file)
  for (const file of readdirSync(from)) {
    cpSync(join(from, file), join(folder, file))
    writeFileSync(join(folder, file), delayed(readFileSync(join(from, file), 'utf8')))
  }
  return list.map(({ name, file }) => ({ name, file: join(folder, basename(file)) }))
}

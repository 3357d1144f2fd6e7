/** A small project in a folder of its own, for the runners that need no plugin: a shop that sells its last ticket twice if the disk is slow. */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import { possible } from '../../src/isolate/possible.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

export interface Run {
  readonly code: number | null
  readonly output: string
}

export interface Project {
  readonly folder: string
  /** As anybody would run it. */
  run(...words: string[]): Run
  heddle(...words: string[]): Run
  has(name: string): boolean
  /** How often the files of the project have counted this. What replays count is thrown away with their files; where there are no views they do not count. */
  counted(): Record<string, number>
  forget(): void
}

/** `count('what')` of ./count.cjs counts. */
export function projectOf(files: Readonly<Record<string, string>>): Project {
  const folder = mkdtempSync(join(tmpdir(), 'heddle-runner-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const counts = join(folder, 'counts')
  const all = {
    'package.json': '{ "name": "shop", "private": true }',
    // Replays are told by a file; the recorded run by one with another name.
    'count.cjs': `const recorded = ${possible().files !== undefined} || !(process.env.HEDDLE_RUN ?? '').includes('replay')
exports.count = (what) => recorded && require('node:fs').appendFileSync(${JSON.stringify(counts)}, what + '\\n')`,
    ...files,
  }
  for (const [name, text] of Object.entries(all)) writeFileSync(join(folder, name), text)
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  const { NODE_OPTIONS: _, CI: __, ...env } = process.env
  const run = (...words: string[]): Run => {
    const { status, stdout, stderr } = spawnSync(words[0]!, words.slice(1), {
      cwd: folder,
      encoding: 'utf8',
      timeout: 300_000,
      env: { ...env, NO_COLOR: '1', FORCE_COLOR: '0' },
    })
    return { code: status, output: stdout + stderr }
  }
  return {
    folder,
    run,
    heddle: (...words) => run(process.execPath, join(ROOT, 'bin/heddle.js'), ...words),
    has: (name) => existsSync(join(folder, name)),
    counted() {
      const words = existsSync(counts) ? readFileSync(counts, 'utf8').trim().split('\n') : []
      return Object.fromEntries([...new Set(words)].sort().map((word) => [word, words.filter((w) => w === word).length]))
    },
    forget: () => rmSync(counts, { force: true }),
  }
}

/** The file of that name in the text of a page of docs: the next block of code after its name. */
export function snippet(page: string, name: string): string {
  const text = readFileSync(join(ROOT, 'docs', page), 'utf8')
  const at = text.search(new RegExp(`(^|\\s)\`${name.replaceAll('.', '\\.')}\`[,:.]`, 'm'))
  const block = at < 0 ? null : /```\w+\n([\s\S]*?)\n```/.exec(text.slice(at))
  if (!block) throw new Error(`docs/${page} has no ${name}`)
  return `${block[1]}\n`
}

/** TypeScript. */
export const SHOP = snippet('node-test.md', 'shop.ts')

export const withoutTypes = (text: string): string =>
  text.replaceAll(/: (?:string|number|Promise<[^>]*>)(?= =|[,)]| \{)/g, '').replaceAll(/(?<=let last): Promise<unknown>/g, '')

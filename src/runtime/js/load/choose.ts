/**
 * Which modules are instrumented. Everything the program loads, unless it is too large, minified and not small, or excluded; `include` wins over
 * the first two. Patterns are parts of a path, where `*` stands for anything but a slash and `**` for anything.
 */
import { fileURLToPath } from 'node:url'
import { toPattern } from '../../../base/path-glob.ts'
import type { RunConfig } from '../protocol.ts'

const LARGEST = 1 << 20
const LONGEST_LINE = 5000
/** A small one, such as a cache, may hold the very state that matters. */
const LARGEST_MINIFIED = 1 << 17

const HEDDLE = fileURLToPath(new URL('../../../', import.meta.url))

export type Choice = { readonly why: string } | 'instrument' | 'ours'

export class Chooser {
  private readonly include: readonly RegExp[]
  private readonly exclude: readonly RegExp[]

  constructor(config: Pick<RunConfig, 'include' | 'exclude'>) {
    this.include = config.include.map(toPattern)
    this.exclude = config.exclude.map(toPattern)
  }

  choose(file: string, source: string): Choice {
    if (file.startsWith(HEDDLE)) return 'ours'
    if (this.exclude.some((pattern) => pattern.test(file))) return { why: 'excluded' }
    if (this.include.some((pattern) => pattern.test(file))) return 'instrument'
    if (source.length > LARGEST) return { why: 'larger than 1 MB' }
    if (source.length > LARGEST_MINIFIED && /\.min\.[cm]?js$/.test(file) && hasLongLine(source)) return { why: 'minified' }
    return 'instrument'
  }
}

function hasLongLine(source: string): boolean {
  for (let from = 0; from < source.length;) {
    let to = source.indexOf('\n', from)
    if (to < 0) to = source.length
    if (to - from > LONGEST_LINE) return true
    from = to + 1
  }
  return false
}

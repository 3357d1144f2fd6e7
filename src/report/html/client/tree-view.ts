/** The classes of runs that exploration made, as a folded tree: each below the one it was reached from. */
import type { ExploredClass } from '../../../coverage.ts'
import { printable } from '../../escape.ts'
import { h, plural } from './element.ts'

/** Levels that stand open when the tree is opened. */
const OPEN = 2
/** Deeper ones stand beside the one they were reached from. */
const MOST_LEVELS = 40

export function treeView(tree: readonly ExploredClass[]): HTMLElement[] {
  if (tree.length === 0) return []
  const below = new Map<number | undefined, number[]>()
  const levels: number[] = []
  const parents: (number | undefined)[] = []
  for (const [i, { from }] of tree.entries()) {
    // A file may say anything: what was reached from a later one is shown at the top.
    const known = from !== undefined && from < i ? from : undefined
    const parent = known !== undefined && levels[known]! >= MOST_LEVELS ? parents[known] : known
    parents.push(parent)
    levels.push(parent === undefined ? 0 : levels[parent]! + 1)
    below.set(parent, [...(below.get(parent) ?? []), i])
  }
  const item = (i: number, level: number): HTMLElement => {
    const { by, ended } = tree[i]!
    const words = [printable(by), ended === 'passed' ? '' : h('strong', {}, `: ${ended === 'stuck' ? 'no thread can go on' : 'failed'}`)]
    const inner = below.get(i) ?? []
    if (inner.length === 0) return h('li', {}, ...words)
    const list = h('ul', {}, ...inner.map((one) => item(one, level + 1)))
    return h('li', {}, h('details', level < OPEN ? { open: true } : {}, h('summary', {}, ...words), list))
  }
  const roots = below.get(undefined) ?? []
  return [
    h('h3', {}, `${plural(tree.length, 'class', 'classes')} of schedules`),
    h('ul', { class: 'tree' }, ...roots.map((i) => item(i, 0))),
  ]
}

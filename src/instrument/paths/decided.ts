import type { Node } from '../syntax.ts'
import type { Writing } from './writing.ts'

/** A condition that something depends on: `$hd.b(7,"if",VALUE,TAG)`. */
export function decided(w: Writing, node: Node, kind: string): string {
  const site = w.site(node.start)
  const { code, tag } = w.expression(node)
  return `${w.call('b')}${site},"${kind}",${code},${tag})`
}

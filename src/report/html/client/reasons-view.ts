/** Why the failing order is possible, and what does constrain the events whose order decides. */
import type { FindingDocument } from '../../document.ts'
import { printable } from '../../escape.ts'
import { proofText } from '../../finding-words.ts'
import { h } from './element.ts'
import { linked } from './event-view.ts'
import type { Focus } from './focus.ts'

const MOST = 12

export function reasonsView({ why, note, proof }: FindingDocument, focus: Focus | undefined): HTMLElement {
  const proved = proofText(proof)
  const bound = focus ? constraints(focus) : []
  return h(
    'div',
    { class: 'reasons' },
    proved !== '' && h('p', { class: 'proof' }, printable(proved)),
    h('h3', {}, 'What fails to keep the order'),
    why.length > 0 ? h('ul', {}, ...why.map((text) => h('li', {}, printable(text)))) : h('p', { class: 'quiet' }, 'No reason was kept.'),
    note !== undefined && h('p', {}, printable(note)),
    bound.length > 0 && h('h3', {}, 'What does keep an order'),
    bound.length > 0 && h('ul', { class: 'constraints' }, ...bound),
  )
}

/** Sentences of the arrows that begin or end in the turns of flipped events, in the failing run. */
function constraints(focus: Focus): HTMLElement[] {
  const run = focus.runs.failing
  const blocks = new Set(run.flipped.map((event) => run.blockOf(event)))
  const seen = new Set<string>()
  const items: HTMLElement[] = []
  for (const { from, to, why } of run.arrows) {
    if (!blocks.has(run.blockOf(from)) && !blocks.has(run.blockOf(to))) continue
    const text = run.text(why)
    if (text === '' || seen.has(text)) continue
    seen.add(text)
    if (items.length === MOST) break
    items.push(h('li', {}, linked(h('button', { class: 'link prose', type: 'button' }, text), focus, 'failing', to)))
  }
  return items
}

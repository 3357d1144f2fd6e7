/** What happened under the failing order: the error with its stack, the property that was violated and where. */
import type { FindingDocument } from '../../document.ts'
import { printable } from '../../escape.ts'
import { doing } from '../../verbs.ts'
import { h } from './element.ts'

const HOW: Readonly<Record<string, string>> = {
  exception: 'An uncaught exception',
  rejection: 'An unhandled rejection',
  'exit code': 'Another exit code',
  signal: 'Ended by a signal',
  hang: 'It never ended',
  violation: 'A property is violated; the program itself reported no error',
}

const lines = (texts: readonly string[]): string => texts.map((text) => printable(text.replaceAll('\t', '  '))).join('\n')

export function failureView({ failure, violation, property, branch }: FindingDocument): HTMLElement | undefined {
  if (!failure && !violation && !property && !branch) return undefined
  return h(
    'div',
    { class: 'failure' },
    failure && h('h3', {}, HOW[failure.how] ?? printable(failure.how)),
    failure &&
      (failure.message !== violation?.says || failure.detail.length > 0) &&
      h('pre', { class: 'stack' }, lines([...failure.message.split('\n'), ...failure.detail.map((line) => `  ${line}`)])),
    violation &&
      h(
        'h3',
        {},
        `Violated: ${printable(violation.property)}${violation.state === undefined ? '' : ` in state ${printable(violation.state)}`}`,
      ),
    violation && h('p', {}, printable(violation.says)),
    violation &&
      h(
        'ol',
        { class: 'violation' },
        ...violation.events.map((event) =>
          h(
            'li',
            {},
            h('strong', {}, printable(event.name)),
            `: ${printable(doing(event.does, event.verb))} `,
            h('code', {}, printable(event.what)),
            event.turn === '' ? '' : printable(` in ${event.turn}`),
            event.stack.length > 0 && h('pre', { class: 'stack' }, lines(event.stack.map((site) => `at ${site}`))),
          ),
        ),
      ),
    branch && branchText(branch),
    property?.text &&
      h(
        'details',
        {},
        h('summary', {}, `The text of ${printable(property.name)}`),
        h('pre', {}, lines(property.text.trimEnd().split('\n'))),
      ),
  )
}

function branchText(branch: NonNullable<FindingDocument['branch']>): HTMLElement {
  const { kind, recorded, flipped } = branch
  const verdict = branch as { class?: string; why?: string }
  const said = verdict.class === undefined ? '' : ` This is ${verdict.class}. ${verdict.why ?? ''}`
  return h('p', {}, printable(`The branch (${kind}) was ${recorded} as recorded, and is ${flipped} under the other schedule.${said}`))
}

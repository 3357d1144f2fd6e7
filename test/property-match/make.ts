/** Properties as literals, for tests. */
import type { EventDeclaration, Pattern, Property } from '../../src/property/ast.ts'

export const ev = (name: string, task?: string, region?: string): Pattern => ({
  kind: 'event',
  name,
  task,
  region: region === undefined ? undefined : { edge: region.startsWith('<') ? 'begin' : 'end', name: region.slice(1) },
})
export const seq = (...parts: Pattern[]): Pattern => ({ kind: 'sequence', parts })
export const or = (...parts: Pattern[]): Pattern => ({ kind: 'choice', parts })
export const both = (...parts: Pattern[]): Pattern => ({ kind: 'both', parts })
export const maybe = (inner: Pattern): Pattern => ({ kind: 'repeat', how: '?', inner })
export const star = (inner: Pattern): Pattern => ({ kind: 'repeat', how: '*', inner })
export const plus = (inner: Pattern): Pattern => ({ kind: 'repeat', how: '+', inner })
export const not = (inner: Pattern): Pattern => ({ kind: 'not', inner })
export const par = (left: Pattern, right: Pattern): Pattern => ({ kind: 'parallel', left, right })

const place = (name: string) => ({ kind: 'name', name }) as const

/** `call("a", "X.a | X.b", { target: "p", arg: "q" })` */
export function call(
  name: string,
  names: string,
  binds: { target?: string; arg?: string; returns?: string; when?: 'before' | 'after' | 'answered' } = {},
): EventDeclaration {
  return {
    name,
    when: binds.when ?? 'before',
    source: {
      kind: 'call',
      names: names.split('|').map((text) => {
        const [, owner, sub, method] = /^(?:(.*?)(\+?)\.)?([^.]+)$/.exec(text.trim())!
        return { owner, subclasses: sub === '+', method: method! }
      }),
    },
    ...(binds.target === undefined ? {} : { target: place(binds.target) }),
    ...(binds.arg === undefined ? {} : { args: { places: [place(binds.arg)], more: true } }),
    ...(binds.returns === undefined ? {} : { returns: place(binds.returns) }),
  }
}

export const property = (parameters: string[], events: EventDeclaration[], pattern: Pattern, shown?: Pattern): Property => ({
  kind: 'property',
  name: 'P',
  parameters: parameters.map((name) => ({ type: '', name })),
  events,
  pattern,
  shown,
  confirm: 'violation',
  on: true,
})

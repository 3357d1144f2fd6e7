/** Random declarations, for the round trip through text: any form that can be written, whether it means something or not. */
import { Random } from '../../src/base/random.ts'
import type {
  CallPattern,
  Condition,
  Declaration,
  EventDeclaration,
  Literal,
  Operand,
  Pattern,
  ArgumentPlace,
  PropertyFile,
  Source,
} from '../../src/property/ast.ts'
import { COMPARISONS } from '../../src/property/parse-condition.ts'
import { MOMENTS, SOURCES } from '../../src/property/parse-event.ts'

const NAMES = ['a', 'b', 'open', 'close', 'pattern', 'shown', 'confirm', 'if', 'target', 't1', 'après', '$x', '_', 'contains', 'call', 'x9']
const GLOBS = [
  '*',
  'x',
  'file:*',
  '/tmp/*',
  'port:*',
  'a<b',
  'Pool#.idle',
  '"quoted"',
  'two words',
  'a|b',
  'f(x)',
  '// no',
  '/*',
  'ü\n',
  'a"b',
]
const METHODS = ['add*', '!x', '*', 'iterator', '[Symbol.iterator]', 'x', 'with blank']
const OWNERS = ['*', 'Map', 'fs', 'node:fs/promises', 'a|b', '"q"', 'Pool*']
const LITERALS: readonly Literal[] = [0, -0, 1, -2.5, 1e21, 1e-7, '', 'a "b" \\ \n\t', '\u2028', '\ud800', true, false, null, undefined]

export class RandomFile {
  constructor(private readonly random: Random) {}

  file(): PropertyFile {
    return { declarations: this.some(0, 3, () => this.declaration()) }
  }

  declaration(): Declaration {
    const { random } = this
    const common = {
      name: this.name(),
      parameters: this.some(0, 3, () => ({ type: random.chance(0.5) ? this.name() : '', name: this.name() })),
      events: this.some(0, 4, () => this.event()),
      says: random.chance(0.5) ? String(random.pick(LITERALS)) : undefined,
      confirm: random.chance(0.5) ? 'violation' : 'failure',
      on: random.chance(0.5),
    } as const
    if (random.chance(0.3)) {
      const transition = () => ({ operations: this.some(1, 3, () => this.name()), to: this.name() })
      // A state may not be named like a clause.
      const state = () => ({ name: random.pick(['OPEN', 'CLOSED', 'a', 'if']), transitions: this.some(0, 3, transition) })
      return { kind: 'typestate', ...common, states: this.some(1, 4, state) }
    }
    return { kind: 'property', ...common, pattern: this.pattern(4), shown: random.chance(0.3) ? this.pattern(2) : undefined }
  }

  pattern(depth: number): Pattern {
    const { random } = this
    const inner = (): Pattern => this.pattern(depth - 1)
    switch (depth === 0 ? 0 : random.below(8)) {
      case 1:
        return { kind: 'sequence', parts: this.some(2, 4, inner) }
      case 2:
        return { kind: 'choice', parts: this.some(2, 3, inner) }
      case 3:
        return { kind: 'both', parts: this.some(2, 3, inner) }
      case 4:
        return { kind: 'repeat', how: random.pick(['?', '*', '+'] as const), inner: inner() }
      case 5:
        return { kind: 'not', inner: inner() }
      case 6:
        return { kind: 'parallel', left: inner(), right: inner() }
      default: {
        const region = { edge: random.pick(['begin', 'end'] as const), name: this.name() }
        const task = random.chance(0.3) ? { task: this.name() } : {}
        return { kind: 'event', name: this.name(), ...task, ...(random.chance(0.2) ? { region } : {}) }
      }
    }
  }

  private event(): EventDeclaration {
    const { random } = this
    const maybe = <T>(make: () => T): T | undefined => (random.chance(0.3) ? make() : undefined)
    return {
      name: this.name(),
      when: random.pick(MOMENTS),
      source: this.source(),
      ...this.target(),
      args: maybe(() => ({ places: this.some(0, 3, () => this.place()), more: random.chance(0.5) })),
      returns: maybe(() => this.place()),
      value: maybe(() => this.place()),
      location: maybe(() => this.place()),
      throws: maybe(() => random.pick(['*', 'EEXIST*', 'a "b"'])),
      condition: maybe(() => this.condition(3)),
    }
  }

  /** A class has a place beside it, which may be any. */
  private target(): Pick<EventDeclaration, 'target' | 'receiver'> {
    const { random } = this
    if (random.chance(0.7)) return {}
    const receiver = { name: random.pick(['Map', 'Map.Entry', '*Pool', '$x', 'après']), subclasses: random.chance(0.5) }
    return { target: this.place(), ...(random.chance(0.5) ? { receiver } : {}) }
  }

  private source(): Source {
    const { random } = this
    const kind = random.pick(SOURCES)
    if (kind === 'call' && random.chance(0.2))
      return { kind, names: this.some(1, 2, () => this.call(kind)), except: this.some(1, 2, () => this.call(kind)) }
    if (kind === 'call' || kind === 'emit') return { kind, names: this.some(1, 3, () => this.call(kind)) }
    return { kind, names: this.some(1, 3, () => random.pick(GLOBS)) }
  }

  private call(kind: 'call' | 'emit'): CallPattern {
    const { random } = this
    if (kind === 'call' && random.chance(0.2))
      return { owner: undefined, subclasses: false, method: random.pick(['getPort', 'a b', 'x*', '!y']) }
    return { owner: random.pick(OWNERS), subclasses: random.chance(0.3), method: random.pick(METHODS) }
  }

  private condition(depth: number): Condition {
    const { random } = this
    const inner = (): Condition => this.condition(depth - 1)
    const choice = depth === 0 ? 0 : random.below(5)
    if (choice === 1 || choice === 2) return { kind: choice === 1 ? 'and' : 'or', left: inner(), right: inner() }
    if (choice === 3) return { kind: 'not', inner: inner() }
    return { kind: 'compare', how: random.pick(COMPARISONS), left: this.operand(), right: this.operand() }
  }

  private place(): ArgumentPlace {
    return this.random.chance(0.2) ? { kind: 'any' } : this.operand()
  }

  private operand(): Operand {
    const { random } = this
    return random.chance(0.5) ? { kind: 'name', name: this.name() } : { kind: 'literal', value: random.pick(LITERALS) }
  }

  private name(): string {
    return this.random.pick(NAMES)
  }

  private some<T>(least: number, most: number, make: () => T): T[] {
    return Array.from({ length: least + this.random.below(most - least + 1) }, make)
  }
}

/** Without places, and without what is undefined: what builders and the parser have in common. */
export function bare<T>(node: T): T {
  if (Array.isArray(node)) return node.map(bare) as T
  if (node === null || typeof node !== 'object') return node
  const entries = Object.entries(node).filter(([key, value]) => key !== 'at' && (value !== undefined || key === 'value' || key === 'owner'))
  return Object.fromEntries(entries.map(([key, value]) => [key, bare(value)])) as T
}

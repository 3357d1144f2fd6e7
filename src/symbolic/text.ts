/**
 * The text notation with expressions (docs/trace-format.md): `w(x)=2 : x + 1`, `branch(if)=true : x > y + 1`. A name is the task's last read of the location
 * of that name.
 */
import { drawTrace, parseText } from '../trace/text.ts'
import { isRead } from '../trace/ops.ts'
import type { EventId, Trace } from '../trace/trace.ts'
import type { Value } from '../trace/values.ts'
import { CONST, Expressions, INPUT, NO_NODE, OPAQUE, UNKNOWN, type Node } from './expressions.ts'
import { valueOfCode, type SymbolicTrace } from './symbolic-trace.ts'

export function parseSymbolic(text: string, source = '(text)'): SymbolicTrace {
  const found = new Map<number, string>() // by stamp
  const trace = parseText(text, source, (stamp, expression) => void found.set(stamp, expression))
  const expressions = new Expressions()
  const of = new Int32Array(trace.eventCount).fill(NO_NODE)
  for (let t = 0; t < trace.taskCount; t++) {
    const inputs = new Map<string, Node>()
    for (let e = trace.taskStart[t]!; e < trace.taskStart[t + 1]!; e++) {
      if (isRead(trace.op[e]!)) inputs.set(trace.targetName(e), expressions.input(e, valueOfCode(trace, trace.value[e]!)))
      const expression = found.get(trace.stamp[e]!)
      if (expression !== undefined) of[e] = new Reader(expression, expressions, inputs).whole()
    }
  }
  return { trace, expressions, of }
}

export function drawSymbolic({ trace, expressions, of }: SymbolicTrace): string {
  return drawTrace(trace, { expressionOf: (e) => (of[e] === NO_NODE ? '' : expressionText(trace, expressions, of[e]!)) })
}

/** As people write it; names are locations. `nameOf` may say something better than the location. */
export function expressionText(
  trace: Trace,
  expressions: Expressions,
  node: Node,
  nameOf: (read: EventId) => string = (e) => trace.targetName(e),
): string {
  let room = MOST_PARTS
  const write = (n: Node, inside: boolean): string => {
    if (room-- <= 0) return '…'
    switch (expressions.operatorOf(n)) {
      case INPUT:
        return nameOf(expressions.keyOf(n))
      case CONST:
        return constantText(expressions, n)
      case OPAQUE:
        return '?'
    }
    const name = expressions.nameOf(n)
    const [a, b] = expressions.operandsOf(n)
    const arity = expressions.operandsOf(n).length
    if (BINARY.has(name) && arity === 2) {
      const text = `${write(a!, true)} ${name} ${write(b!, true)}`
      return inside ? `(${text})` : text
    }
    if (arity === 1 && UNARY.has(name)) return `${UNARY.get(name)}${write(a!, true)}`
    return `${name.replace(/^call /, '')}(${Array.from(expressions.operandsOf(n), (o) => write(o, false)).join(', ')})`
  }
  return write(node, false)
}

function constantText(expressions: Expressions, node: Node): string {
  const value = expressions.valueOf(node)
  if (value === UNKNOWN) return '?'
  return typeof value === 'string'
    ? JSON.stringify(value)
    : typeof value === 'object' && value !== null
      ? `#${value.object}`
      : String(value)
}

const MOST_PARTS = 40
const UNARY = new Map([
  ['!', '!'],
  ['neg', '-'],
  ['plus', '+'],
  ['~', '~'],
  ['typeof', 'typeof '],
])
/** By how tight they bind. */
const LEVELS: readonly (readonly string[])[] = [
  ['===', '!==', '==', '!='],
  ['<=', '>=', '<', '>'],
  ['+', '-'],
  ['*', '/', '%'],
]
const BINARY = new Set([...LEVELS.flat(), '**', '&', '|', '^', '<<', '>>', '>>>', 'instanceof'])

const TOKEN = /\s*(?:(\d+(?:\.\d+)?)|("(?:[^"\\]|\\.)*")|([A-Za-z_$][\w$.]*)|(===|!==|==|!=|<=|>=|[-+*/%<>!()]))/y

/** A small grammar: numbers, strings, names, true, false, null, undefined, the operators above, `!`, `-`, parentheses. */
class Reader {
  private at = 0
  private token: RegExpExecArray | null = null

  constructor(
    private readonly text: string,
    private readonly expressions: Expressions,
    private readonly inputs: ReadonlyMap<string, Node>,
  ) {
    this.advance()
  }

  whole(): Node {
    const node = this.level(0)
    if (this.token || this.text.slice(this.at).trim() !== '') throw new Error(`not an expression: ${this.text}`)
    return node
  }

  private advance(): void {
    TOKEN.lastIndex = this.at
    this.token = TOKEN.exec(this.text)
    if (this.token) this.at = TOKEN.lastIndex
  }

  private takes(...symbols: string[]): string | undefined {
    const symbol = this.token?.[4]
    if (symbol === undefined || !symbols.includes(symbol)) return undefined
    this.advance()
    return symbol
  }

  private level(n: number): Node {
    if (n === LEVELS.length) return this.unary()
    let left = this.level(n + 1)
    for (let symbol = this.takes(...LEVELS[n]!); symbol; symbol = this.takes(...LEVELS[n]!))
      left = this.expressions.make(symbol, [left, this.level(n + 1)])
    return left
  }

  private unary(): Node {
    if (this.takes('!')) return this.expressions.make('!', [this.unary()])
    if (this.takes('-')) return this.expressions.make('neg', [this.unary()])
    if (this.takes('(')) {
      const node = this.level(0)
      if (!this.takes(')')) throw new Error(`a parenthesis is not closed: ${this.text}`)
      return node
    }
    const token = this.token
    if (!token) throw new Error(`not an expression: ${this.text}`)
    this.advance()
    if (token[1] !== undefined) return this.expressions.constant(Number(token[1]))
    if (token[2] !== undefined) return this.expressions.constant(JSON.parse(token[2]) as string)
    const name = token[3]
    if (name === undefined) throw new Error(`not an expression: ${this.text}`)
    if (WORDS.has(name)) return this.expressions.constant(WORDS.get(name))
    const input = this.inputs.get(name)
    if (input === undefined) throw new Error(`the task has not read ${name}: ${this.text}`)
    return input
  }
}

const WORDS = new Map<string, Value>([
  ['true', true],
  ['false', false],
  ['null', null],
  ['undefined', undefined],
])

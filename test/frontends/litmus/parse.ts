/**
 * Reads a little concurrent program.
 *
 *     var x = 0, ready = 0            variables that all share; every other name belongs to its thread or task
 *     thread A:                       statements end with the line or with `;`
 *       lock m; x = x + 1; unlock m   every read and write of a shared variable is a step of its own
 *       add x 1                       an indivisible update
 *       while ready == 0 { wait c with m }
 *       notify c; notifyAll c
 *       if x == 1 { … } else { … }
 *       assert x == 1
 *       call open f                   handle.open of f, for properties and typestates
 *       start B; join B               a thread that nobody starts is started by main, and joined by main at the end
 *     task A:                         an async function; a program has threads or tasks
 *       sleep 20                      a timer
 *       fetch 5                       an answer from elsewhere, which takes at least 5 ms
 *       r = load f                    reads a file, `load f in 3` in at least 3 ms; 1 where it is not said
 *       save f r + 1                  writes it
 *     final assert x == 2             when all have ended
 *
 * Values are whole numbers; what is compared is 1 or 0. Both sides of `&&` and `||` are looked at. A `while` is left after eight rounds, so every program ends.
 */
import { empty, mixed, twice, unexpected } from './errors.ts'
import { OPERATORS, type Expression, type Operator, type Statement, type Syntax, type Unit } from './syntax.ts'
import { tokensOf, type Token } from './tokens.ts'

const LEVELS: readonly (readonly Operator[])[] = [['||'], ['&&'], ['==', '!=', '<', '<=', '>', '>='], ['+', '-'], ['*']]
const NAMED = ['lock', 'unlock', 'notify', 'notifyAll', 'start', 'join'] as const
const USUAL_MS = 1

export const parse = (text: string): Syntax => new Parser(text, tokensOf(text)).program()

class Parser {
  private next = 0

  constructor(
    private readonly text: string,
    private readonly tokens: readonly Token[],
  ) {}

  program(): Syntax {
    const variables = new Map<string, number>()
    const units: Unit[] = []
    const final: Statement[] = []
    let kind: Syntax['kind'] | undefined
    for (this.breaks(); this.token.kind !== 'end'; this.breaks()) {
      const { at } = this.token
      if (this.takes('var')) this.variables(variables)
      else if (this.takes('final')) final.push(this.statement())
      else {
        const word = this.oneOf('thread', 'task')
        if (kind !== undefined && kind !== `${word}s`) throw mixed(at)
        kind = word === 'thread' ? 'threads' : 'tasks'
        const name = this.word('a name')
        if (name === 'main' || units.some((unit) => unit.name === name)) throw twice(at, name)
        this.sign(':')
        units.push({ name, at, body: this.statements(() => this.token.kind === 'end' || this.isHead()) })
      }
    }
    if (kind === undefined) throw empty(this.token.at)
    return { variables, kind, units, final }
  }

  private get token(): Token {
    return this.tokens[this.next]!
  }

  private isHead(): boolean {
    return ['var', 'thread', 'task', 'final'].includes(this.token.text)
  }

  private variables(into: Map<string, number>): void {
    do {
      const { at } = this.token
      const name = this.word('a name')
      if (into.has(name)) throw twice(at, name)
      into.set(name, this.takes('=') ? this.number() : 0)
    } while (this.takes(','))
  }

  private statements(isOver: () => boolean): Statement[] {
    const body: Statement[] = []
    for (this.breaks(); !isOver(); this.breaks()) {
      body.push(this.statement())
      if (this.token.kind !== 'break' && !isOver()) throw this.unlike('the end of the statement')
    }
    return body
  }

  private block(): Statement[] {
    this.sign('{')
    const body = this.statements(() => this.token.text === '}')
    this.sign('}')
    return body
  }

  private statement(): Statement {
    const { at, text: word, kind } = this.token
    if (kind !== 'word') throw this.unlike('a statement')
    this.next++
    const named = NAMED.find((name) => name === word)
    if (named) return { at, do: named, name: this.word('a name') }
    switch (word) {
      case 'add':
        return { at, do: 'add', name: this.word('a variable'), value: this.expression() }
      case 'assert': {
        const from = this.token.offset
        const value = this.expression()
        return { at, do: 'assert', value, text: this.text.slice(from, this.token.offset).trim() }
      }
      case 'if': {
        const value = this.expression()
        const yes = this.block()
        return { at, do: 'if', value, yes, no: this.takes('else') ? this.block() : [] }
      }
      case 'while':
        return { at, do: 'while', value: this.expression(), body: this.block() }
      case 'wait': {
        const name = this.word('a condition')
        this.oneOf('with')
        return { at, do: 'wait', name, lock: this.word('a lock') }
      }
      case 'call':
        return { at, do: 'call', method: this.word('a method'), object: this.word('an object') }
      case 'sleep':
      case 'fetch':
        return { at, do: word, ms: this.number() }
      case 'save': {
        const file = this.word('a file')
        return { at, do: 'save', file, value: this.expression(), ms: this.latency() }
      }
    }
    this.sign('=')
    if (this.takes('load')) return { at, do: 'load', name: word, file: this.word('a file'), ms: this.latency() }
    return { at, do: 'set', name: word, value: this.expression() }
  }

  private latency(): number {
    return this.takes('in') ? this.number() : USUAL_MS
  }

  private expression(level = 0): Expression {
    const operators = LEVELS[level]
    if (!operators) return this.value()
    let left = this.expression(level + 1)
    for (let sign = this.operator(operators); sign; sign = this.operator(operators)) {
      this.next++
      left = { is: 'binary', operator: sign, left, right: this.expression(level + 1) }
    }
    return left
  }

  private operator(among: readonly Operator[]): Operator | undefined {
    const found = OPERATORS.find((sign) => this.token.kind === 'sign' && sign === this.token.text)
    return found !== undefined && among.includes(found) ? found : undefined
  }

  private value(): Expression {
    const { kind, text, at } = this.token
    if (kind === 'number') return { is: 'number', value: this.number() }
    if (kind === 'word') return { is: 'name', name: this.word('a value'), at }
    if (text !== '(') throw this.unlike('a value')
    this.next++
    const inside = this.expression()
    this.sign(')')
    return inside
  }

  private number(): number {
    if (this.token.kind !== 'number') throw this.unlike('a number')
    return Number(this.tokens[this.next++]!.text)
  }

  private word(wanted: string): string {
    if (this.token.kind !== 'word') throw this.unlike(wanted)
    return this.tokens[this.next++]!.text
  }

  private sign(text: string): void {
    if (!this.takes(text)) throw this.unlike(`"${text}"`)
  }

  private oneOf<W extends string>(...words: W[]): W {
    const found = words.find((word) => word === this.token.text)
    if (found === undefined) throw this.unlike(words.join(' or '))
    this.next++
    return found
  }

  private takes(text: string): boolean {
    if (this.token.text !== text || this.token.kind === 'break') return false
    this.next++
    return true
  }

  private breaks(): void {
    while (this.token.kind === 'break') this.next++
  }

  private unlike(wanted: string): Error {
    return unexpected(this.token.at, this.token.kind === 'break' ? 'end of line' : this.token.text, wanted)
  }
}

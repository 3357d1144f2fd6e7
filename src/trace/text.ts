/**
 * Reads the text notation: a trace drawn in columns, one per task, one row an event.
 *
 *     T1          T2
 *     w(x)=1
 *     fork(T2)
 *                 r(x)=1 @main.js:3
 *
 * An event belongs to the last column that begins at or before it. Rows hold one event, or several from left to right. docs/trace-format.md
 * has the whole grammar; draw.ts writes it.
 */
import { TraceBuilder } from './builder.ts'
import { textError } from './errors.ts'
import { valueCode } from './import/value-code.ts'
import { OPS } from './ops.ts'
import { targetOptional } from './target-rule.ts'
import { NONE, type OrderKind, type Trace } from './trace.ts'
import { NOT_OBSERVED } from './values.ts'
import { addWait, Held } from './waits.ts'

export { drawTrace, type DrawOptions } from './draw.ts'

const opByText = new Map(OPS.map((row, op) => [row.text, op]))

interface Column {
  readonly start: number
  readonly task: number
}

/** Told of every ` : expression` behind an event, with the event's stamp. */
export type OnExpression = (stamp: number, text: string) => void

export function parseText(text: string, source = '(text)', onExpression?: OnExpression): Trace {
  return new TextReader(source, onExpression).read(text)
}

class TextReader {
  private readonly builder = new TraceBuilder()
  private readonly held = new Held()
  private columns: Column[] | undefined
  private stamp = 0
  private order: OrderKind = 'global'
  private branches: boolean | undefined
  /** The line being read, its number, and the place in it. */
  private row = ''
  private line = 0
  private at = 0

  constructor(
    private readonly source: string,
    private readonly onExpression: OnExpression | undefined,
  ) {}

  read(text: string): Trace {
    // Line by line without splitting the whole text.
    let from = text.startsWith('\ufeff') ? 1 : 0
    while (from < text.length) {
      const newline = text.indexOf('\n', from)
      const end = newline < 0 ? text.length : newline
      this.line++
      this.row = text.slice(from, end).trimEnd()
      this.at = 0
      this.readRow()
      from = end + 1
    }
    if (!this.columns) throw textError(this.source, Math.max(1, this.line), 1, 'there is no line of task names')
    const { source, order, branches } = this
    return this.builder.finish(branches === undefined ? { source, order } : { source, order, branches })
  }

  private readRow(): void {
    const tab = this.row.indexOf('\t')
    this.skipSpaces()
    if (this.at >= this.row.length || this.row[this.at] === '#') return
    if (tab >= 0) throw this.error('a tab has no certain width; use spaces', tab)
    if (!this.columns) {
      if (!this.directive()) this.heading()
      return
    }
    while (this.at < this.row.length && this.row[this.at] !== '#') {
      this.event(this.taskAt(this.columns))
      this.skipSpaces()
    }
  }

  private directive(): boolean {
    const match = /^(\w+):(?:\s+(.*))?$/.exec(this.row.slice(this.at))
    if (!match) return false
    const words = `${match[1]}: ${match[2]}`
    if (words === 'order: task') this.order = 'task'
    else if (words === 'order: global') this.order = 'global'
    else if (words === 'branches: recorded') this.branches = true
    else if (words === 'branches: none') this.branches = false
    else throw this.error('unknown directive; there are `order: task` and `branches: recorded`')
    return true
  }

  private heading(): void {
    const columns: Column[] = []
    while (this.at < this.row.length && this.row[this.at] !== '#') {
      const start = this.at
      const size = this.builder.tasks.size
      const task = this.builder.task(this.row[start] === '"' ? this.string() : this.word())
      if (task < size) throw this.error('a task has two columns', start)
      columns.push({ start, task })
      this.skipSpaces()
    }
    this.columns = columns
  }

  private taskAt(columns: Column[]): number {
    let lo = 0
    let hi = columns.length
    while (lo < hi) {
      const mid = (lo + hi) >>> 1
      if (columns[mid]!.start <= this.at) lo = mid + 1
      else hi = mid
    }
    if (lo === 0) throw this.error('an event stands left of the first column')
    return columns[lo - 1]!.task
  }

  private event(task: number): void {
    const start = this.at
    while (this.at < this.row.length && /[A-Za-z]/.test(this.row[this.at]!)) this.at++
    const word = this.row.slice(start, this.at)
    const args = this.row[this.at] === '(' ? this.args() : undefined
    if (word === 'wait') {
      this.wait(task, args, start)
      return
    }
    const op = opByText.get(word)
    if (op === undefined) throw this.error(word === '' ? 'an event begins with a word' : 'unknown op', start)
    const row = OPS[op]!
    let target = NONE
    if (args === undefined || args.length === 0) {
      if (!targetOptional[op]) throw this.error('the op needs a target in parentheses', start)
    } else if (row.target !== 'none') target = this.builder.targetOf(op, args.length > 1 ? args.join(',') : args[0]!)
    let value = NOT_OBSERVED
    if (this.row[this.at] === '=') {
      if (!row.hasValue) throw this.error('the op has no value')
      value = this.value()
    }
    const expression = this.expression()
    const site = this.site()
    this.held.follow(task, op, target)
    this.builder.add(task, op, target, value, site, ++this.stamp)
    if (expression !== '') this.onExpression?.(this.stamp, expression)
  }

  private wait(task: number, args: string[] | undefined, start: number): void {
    if (!args || args.length < 1 || args.length > 2) throw this.error('a wait is written wait(signal) or wait(signal,lock)', start)
    const site = this.site()
    const lock = args.length === 2 ? this.builder.locks.intern(args[1]!) : this.builder.locks.find(args[0]!)
    addWait(this.builder, this.held, task, this.builder.signals.intern(args[0]!), lock, site, ++this.stamp, this.source)
  }

  /** The names between parentheses, separated by commas outside inner parentheses. Stands after the closing one. */
  private args(): string[] {
    const open = this.at++
    const found: string[] = []
    for (;;) {
      if (this.row[this.at] === '"') found.push(this.string())
      else {
        const start = this.at
        let depth = 0
        for (; this.at < this.row.length; this.at++) {
          const c = this.row[this.at]!
          if (c === '(') depth++
          else if (c === ')' && depth-- === 0) break
          else if (c === ' ' || (c === ',' && depth === 0)) break
        }
        if (this.at > start) found.push(this.row.slice(start, this.at))
        else if (this.row[this.at] !== ')' || found.length > 0) throw this.error('a name is missing')
      }
      const c = this.row[this.at]
      if (c === undefined) throw this.error('the parenthesis is not closed', open)
      if (c !== ',' && c !== ')') throw this.error('a name with spaces or commas is written in double quotes')
      this.at++
      if (c === ')') return found
    }
  }

  private value(): number {
    const start = ++this.at
    const { values } = this.builder
    if (this.row[start] === '"') return values.codeOf(this.string())
    if (this.row.startsWith('#"', start)) {
      this.at++
      return values.codeOf({ object: this.string() })
    }
    const word = this.word()
    if (word === '') throw this.error('a value is missing after `=`', start)
    return valueCode(values, word)
  }

  /** ` : x + 1`, up to two spaces, a site or the end of the line. What it means is not asked here. */
  private expression(): string {
    if (!this.row.startsWith(' : ', this.at)) return ''
    const end = / {2}| [@#]|$/g
    end.lastIndex = this.at + 3
    const start = this.at + 3
    this.at = end.exec(this.row)!.index
    return this.row.slice(start, this.at)
  }

  private site(): number {
    const site = / +@/y
    site.lastIndex = this.at
    if (site.test(this.row)) {
      this.at = site.lastIndex
      const name = this.row[this.at] === '"' ? this.string() : this.word()
      this.endOfWord()
      return this.builder.sites.intern(name)
    }
    this.endOfWord()
    return NONE
  }

  private endOfWord(): void {
    if (this.at < this.row.length && this.row[this.at] !== ' ') throw this.error('unexpected text after the event')
  }

  private word(): string {
    const end = this.row.indexOf(' ', this.at)
    const start = this.at
    this.at = end < 0 ? this.row.length : end
    return this.row.slice(start, this.at)
  }

  /** A JSON string beginning here. */
  private string(): string {
    // A loop, since a pattern with a repeated choice runs out of stack on very long strings.
    let end = this.at + 1
    while (end < this.row.length && this.row[end] !== '"') end += this.row[end] === '\\' ? 2 : 1
    if (end >= this.row.length) throw this.error('the double quote is not closed')
    try {
      const text = JSON.parse(this.row.slice(this.at, end + 1)) as string
      this.at = end + 1
      return text
    } catch {
      throw this.error('not a JSON string')
    }
  }

  private skipSpaces(): void {
    while (this.row[this.at] === ' ') this.at++
  }

  private error(what: string, at = this.at): Error {
    return textError(this.source, this.line, at + 1, what)
  }
}

/**
 * Random small programs: a few async tasks that share variables, objects, a Map and an array, and decide on them. Each is written twice, line by line the same: as it
 * is, and with probes that tell what was decided (random-truth.ts runs that one in every order).
 */
import type { Random } from '../../src/base/random.ts'

export interface RandomProgram {
  readonly source: string
  /** The body of an async function with the parameters `sleep`, `$`. */
  readonly probed: string
}

/** The same text without and with probes. */
interface Text {
  readonly plain: string
  readonly probed: string
}

const text = (plain: string, probed = plain): Text => ({ plain, probed })

/** Tasks and how often each sleeps: few enough that every order can be tried. */
const SHAPES: readonly (readonly number[])[] = [
  [2, 2, 1],
  [2, 2, 2],
  [1, 1, 1, 1],
  [2, 1, 1, 1],
  [2, 2, 1, 1],
  [1, 1, 1, 1, 1],
  [3, 2],
  [3, 2, 1],
]
const VARIABLES = ['v0', 'v1']
const OBJECTS = ['o0', 'o1']
const FIELDS = ['a', 'b']
const KEYS = ["'k'", "'m'"]

/** Shared by all tasks. Three lines of functions are in here, too. */
function declarations(random: Random): Text[] {
  const number = (): number => random.below(5)
  return [
    ...VARIABLES.map((name) => text(`let ${name} = ${random.chance(0.15) ? "'1'" : number()}`)),
    ...OBJECTS.map((name) => text(`const ${name} = { a: ${number()}, b: ${number()} }`)),
    text(`const map = new Map([['k', ${number()}]])`),
    text(`const list = [${number()}, ${number()}]`),
    text('const slots = [1, 2, 3]'),
    text('let pointer = o0'),
  ]
}

class Writer {
  readonly lines: Text[] = []
  private locals: string[] = []
  private count = 0

  constructor(private readonly random: Random) {}

  add(line: Text): void {
    this.lines.push(line)
  }

  /** The number of the line that is written next. */
  private get line(): number {
    return this.lines.length + 1
  }

  write(shape: readonly number[]): void {
    this.add(text("import { setTimeout as sleep } from 'node:timers/promises'", ''))
    for (const line of declarations(this.random)) this.add(line)
    this.add(text('const low = (n) => (n > 2 ? n - 2 : n)', `const low = (n) => ($.if(${this.line}, n > 2) ? n - 2 : n)`))
    for (const [task, sleeps] of shape.entries()) this.task(task, sleeps)
    const all = shape.map((_, task) => `t${task}()`).join(', ')
    this.add(text(`await Promise.all([${all}])`, `await Promise.all([${all}]); $.task = 'main'`))
    this.locals = []
    if (this.random.chance(0.4)) this.statement('main')
    this.add(text("console.log('done')", ''))
  }

  private task(task: number, sleeps: number): void {
    const { random } = this
    this.locals = []
    this.add(text(`async function t${task}() {`))
    for (let i = 0; i < sleeps; i++) {
      this.add(this.sleep(task))
      for (let n = 1 + random.below(3); n > 0; n--) this.statement(task)
    }
    this.add(text('}'))
  }

  private sleep(task: number | string): Text {
    const ms = 1 + this.random.below(2000)
    return text(`await sleep(${ms})`, `await sleep(${ms}); $.task = ${JSON.stringify(task)}`)
  }

  private statement(task: number | string): void {
    const { random } = this
    const roll = random.next()
    if (roll < 0.3) this.add(this.change())
    else if (roll < 0.4) {
      const name = `x${this.count++}`
      const value = this.value()
      this.add(text(`const ${name} = ${value.plain}`, `const ${name} = ${value.probed}`))
      this.locals.push(name)
    } else if (roll < 0.78) this.branch('if', this.condition(), this.change())
    else if (roll < 0.86) {
      const [to, a, b, c] = [random.pick(VARIABLES), this.condition(), this.value(), this.value()]
      this.add(text(`${to} = ${a.plain} ? ${b.plain} : ${c.plain}`, `${to} = $.if(${this.line}, ${a.probed}) ? ${b.probed} : ${c.probed}`))
    } else if (roll < 0.91)
      this.add(text('while (list.length > 1) list.shift()', `while ($.if(${this.line}, list.length > 1)) list.shift()`))
    else if (roll < 0.95) {
      const [to, a] = [random.pick(VARIABLES), this.value()]
      this.add(text(`${to} = ${a.plain} ?? 7`, `${to} = $.nullish(${this.line}, ${a.probed}) ?? 7`))
    } else {
      const { plain, probed } = this.sleep(task)
      this.branch('if', this.condition(), text(plain, `{ ${probed} }`))
    }
  }

  private branch(kind: 'if', condition: Text, then: Text): void {
    this.add(text(`${kind} (${condition.plain}) ${then.plain}`, `${kind} ($.if(${this.line}, ${condition.probed})) ${then.probed}`))
  }

  /** Something that others can see. */
  private change(): Text {
    const { random } = this
    const value = this.value()
    const with_ = (before: string, after = ''): Text => text(before + value.plain + after, before + value.probed + after)
    const roll = random.next()
    if (roll < 0.4) return with_(`${random.pick(VARIABLES)} = `)
    if (roll < 0.5) return text(`${random.pick(VARIABLES)}${random.pick(['++', '--'])}`)
    if (roll < 0.7) return with_(`${random.pick(OBJECTS)}.${random.pick(FIELDS)} = `)
    if (roll < 0.8) return with_(`map.set(${random.pick(KEYS)}, `, ')')
    if (roll < 0.85) return text(`map.delete(${random.pick(KEYS)})`)
    if (roll < 0.93) return with_('list.push(', ')')
    return text(`pointer = ${random.pick(OBJECTS)}`)
  }

  private value(depth = 0): Text {
    const { random } = this
    const roll = random.next()
    if (roll < 0.25) return text(`${random.below(6)}`)
    if (roll < 0.5 && depth > 0) return text(random.pick(VARIABLES))
    if (roll < 0.62 || depth > 1) return this.source()
    const [a, b] = [this.value(depth + 1), this.value(depth + 1)]
    if (roll < 0.68) return text(`low(${a.plain})`, `low(${a.probed})`)
    const operator = random.pick(['+', '+', '-', '*', '%', '|', '&'])
    return text(`(${a.plain} ${operator} ${b.plain})`, `(${a.probed} ${operator} ${b.probed})`)
  }

  /** Something shared, or held locally. */
  private source(): Text {
    const { random } = this
    const roll = random.next()
    if (roll < 0.3 && this.locals.length > 0) return text(random.pick(this.locals))
    if (roll < 0.5) return text(random.pick(VARIABLES))
    if (roll < 0.7) return text(`${random.pick(OBJECTS)}.${random.pick(FIELDS)}`)
    if (roll < 0.8) return text(`map.get(${random.pick(KEYS)})`)
    if (roll < 0.88) return text('list.length')
    if (roll < 0.95) {
      const field = random.pick(FIELDS)
      return text(`pointer.${field}`, `$.receiver(${this.line}, pointer, pointer === o0).${field}`)
    }
    const at = random.pick(VARIABLES)
    return text(`slots[${at}]`, `slots[$.index(${this.line}, ${at})]`)
  }

  private condition(): Text {
    const { random } = this
    const roll = random.next()
    if (roll < 0.08) return text(`map.has(${random.pick(KEYS)})`)
    const a = this.value(1)
    if (roll < 0.16) return a
    if (roll < 0.22) return text(`!${a.plain}`, `!${a.probed}`)
    if (roll < 0.28) return text(`typeof ${a.plain} === 'number'`, `typeof ${a.probed} === 'number'`)
    if (roll < 0.34) return text(`${a.plain} !== undefined`, `${a.probed} !== undefined`)
    if (roll < 0.44) {
      const [left, right] = [this.comparison(), this.comparison()]
      const operator = random.pick(['&&', '||'])
      return text(`${left.plain} ${operator} ${right.plain}`, `$.if(${this.line}, ${left.probed}) ${operator} ${right.probed}`)
    }
    return this.comparison()
  }

  private comparison(): Text {
    const { random } = this
    const [a, b] = [this.value(1), random.chance(0.5) ? text(`${random.below(6)}`) : this.value(1)]
    const operator = random.pick(['<', '<=', '>', '>=', '===', '===', '!==', '==', '!='])
    return text(`${a.plain} ${operator} ${b.plain}`, `${a.probed} ${operator} ${b.probed}`)
  }
}

export function randomProgram(random: Random): RandomProgram {
  const writer = new Writer(random)
  writer.write(random.pick(SHAPES))
  const join = (which: keyof Text): string => writer.lines.map((line) => line[which]).join('\n') + '\n'
  return { source: join('plain'), probed: join('probed') }
}

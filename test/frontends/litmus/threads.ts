/**
 * The threads of a little program as a state machine. `step` lets one thread take one step that others can notice; who is next is for the caller to say. A state is
 * plain data, so that it can be copied and compared.
 *
 * A wait is two steps, as in a native program: it gives the lock back, and, once it has been notified and the lock is free, it takes it again. There are no
 * spurious wake-ups. A notify wakes one of those that wait: which one, `wakes` says.
 */
import {
  ACQUIRE,
  ATOMIC_READ,
  BEGIN,
  CALL,
  END,
  FORK,
  JOIN,
  NOTIFY,
  NOTIFY_ALL,
  READ,
  RELEASE,
  UPDATE,
  WAKE,
  WRITE,
} from '../../../src/trace/ops.ts'
import type { Standing } from '../../../src/trace/joined.ts'
import { evaluate, type Code, type Compiled, type Instruction } from './compile.ts'

export interface Thread {
  status: 'not started' | 'running' | 'waiting' | 'notified' | 'ended'
  /** Of the next instruction; -1 before its begin. */
  at: number
  /** Steps taken. */
  steps: number
  readonly registers: number[]
}

export interface State {
  readonly variables: Record<string, number>
  readonly threads: Thread[]
  /** Who has a lock. */
  readonly holders: Record<string, number>
  /** Who waits for a condition, the first one first. */
  readonly waiters: Record<string, number[]>
  failure: Failure | undefined
}

export interface Failure {
  readonly message: string
  readonly site: string
  /** The thread or task that failed. */
  readonly unit: number
}

/** An event of a step: op, name of what it is about, value. */
export type Happened = readonly [op: number, target?: string, value?: number | { readonly object: string }]

export interface Taken {
  readonly thread: number
  readonly does: string
  readonly site: string
  readonly events: readonly Happened[]
}

const VISIBLE = new Set(['read', 'write', 'update', 'lock', 'unlock', 'wait', 'notify', 'notifyAll', 'start', 'join', 'call'])

export class Threads {
  constructor(readonly program: Compiled) {}

  begin(): State {
    return {
      variables: Object.fromEntries(this.program.variables),
      threads: this.program.units.map(({ registers }, i) => ({
        status: i === 0 ? 'running' : 'not started',
        at: -1,
        steps: 0,
        registers: Array.from({ length: registers }, () => 0),
      })),
      holders: {},
      waiters: {},
      failure: undefined,
    }
  }

  numberOf(name: string): number {
    return this.program.units.findIndex((unit) => unit.name === name)
  }

  /** What the thread does next, and where. */
  next(state: State, t: number): Pick<Taken, 'does' | 'site'> {
    const { at, status } = state.threads[t]!
    const code = this.code(t)
    if (at === -1) return { does: 'begin', site: siteOf(code, code) }
    const instruction = code.instructions[at]
    if (!instruction) return { does: 'end', site: siteOf(code, code) }
    return { does: status === 'running' ? instruction.do : 'woken', site: siteOf(code, instruction) }
  }

  canGo(state: State, t: number): boolean {
    const { at, status } = state.threads[t]!
    if (state.failure || status === 'not started' || status === 'waiting' || status === 'ended') return false
    const instruction = this.code(t).instructions[at]
    if (instruction?.do === 'wait' && status === 'notified') return state.holders[instruction.lock] === undefined
    if (instruction?.do === 'lock') return state.holders[instruction.name] === undefined
    if (instruction?.do === 'join') return state.threads[this.numberOf(instruction.name)]!.status === 'ended'
    return true
  }

  able(state: State): number[] {
    return state.threads.flatMap((_, t) => (this.canGo(state, t) ? [t] : []))
  }

  /** Those whom the next step of the thread may wake, one of them. */
  mayWake(state: State, t: number): readonly number[] {
    const instruction = this.code(t).instructions[state.threads[t]!.at]
    return instruction?.do === 'notify' ? (state.waiters[instruction.name] ?? []) : []
  }

  /** Nobody can go on, and somebody has begun and not ended. */
  isStuck(state: State): boolean {
    const under = state.threads.some(({ status }) => status !== 'not started' && status !== 'ended')
    return !state.failure && under && this.able(state).length === 0
  }

  /** What those stand before that have begun and not ended, but for the one that failed. */
  stands(state: State): Standing[] {
    return state.threads.flatMap(({ status, at }, t) => {
      const code = this.code(t)
      const instruction = code.instructions[at]
      if (status === 'not started' || status === 'ended' || t === state.failure?.unit) return []
      const events = ((): Standing['events'] => {
        if (instruction?.do === 'lock') return [[ACQUIRE, instruction.name]]
        if (instruction?.do === 'join') return [[JOIN, instruction.name]]
        if (instruction?.do === 'wait' && status !== 'running')
          return [
            [WAKE, instruction.name],
            [ACQUIRE, instruction.lock],
          ]
        return [[BEGIN]]
      })()
      return [{ task: code.name, events }]
    })
  }

  /** Who waits for what, a sentence each; those that only wait for an end come last. */
  waiting(state: State): string[] {
    const sentences = this.sentences(state)
    const isJoin = (sentence: string): number => Number(sentence.includes(' waits for the end of '))
    return sentences.sort((a, b) => isJoin(a) - isJoin(b))
  }

  private sentences(state: State): string[] {
    return state.threads.flatMap(({ status, at }, t) => {
      const { name } = this.code(t)
      const instruction = this.code(t).instructions[at]
      if (status === 'not started' || status === 'ended' || !instruction) return []
      const { site } = this.next(state, t)
      if (status === 'waiting' && instruction.do === 'wait') return [`${name} waits for ${instruction.name}, at ${site}.`]
      const lock = instruction.do === 'wait' ? instruction.lock : instruction.do === 'lock' ? instruction.name : undefined
      if (lock === undefined) return instruction.do === 'join' ? [`${name} waits for the end of ${instruction.name}, at ${site}.`] : []
      return [`${name} waits for lock ${lock}, which ${this.code(state.holders[lock]!).name} has, at ${site}.`]
    })
  }

  step(state: State, t: number, wakes = this.mayWake(state, t)[0]): Taken {
    const thread = state.threads[t]!
    const { does, site } = this.next(state, t)
    const code = this.code(t)
    const instruction = code.instructions[thread.at]
    const events = thread.at === -1 ? [[BEGIN] as const] : this.carryOut(state, t, instruction, wakes)
    if (thread.at === -1 || !instruction || (thread.status === 'running' && !state.failure)) thread.at++
    thread.steps++
    if (!instruction && does === 'end') thread.status = 'ended'
    else if (thread.status === 'running') this.compute(state, t)
    return { thread: t, does, site, events }
  }

  private code(t: number): Code {
    return this.program.units[t]!
  }

  private carryOut(state: State, t: number, instruction: Instruction | undefined, wakes: number | undefined): Happened[] {
    const thread = state.threads[t]!
    const { variables, holders, waiters } = state
    if (!instruction) return [[END]]
    switch (instruction.do) {
      case 'read':
        thread.registers[instruction.into] = variables[instruction.name]!
        return [[READ, instruction.name, variables[instruction.name]!]]
      case 'write':
        variables[instruction.name] = evaluate(instruction.value, thread.registers)
        return [[WRITE, instruction.name, variables[instruction.name]!]]
      case 'update': {
        const before = variables[instruction.name]!
        const after = (variables[instruction.name] = before + evaluate(instruction.value, thread.registers))
        return [
          [ATOMIC_READ, instruction.name, before],
          [UPDATE, instruction.name, after],
        ]
      }
      case 'lock':
        holders[instruction.name] = t
        return [[ACQUIRE, instruction.name]]
      case 'unlock':
        if (holders[instruction.name] !== t) return this.misuse(state, t, `unlock of ${instruction.name}, which it does not hold`)
        delete holders[instruction.name]
        return [[RELEASE, instruction.name]]
      case 'wait':
        if (thread.status === 'notified') {
          thread.status = 'running'
          holders[instruction.lock] = t
          return [
            [WAKE, instruction.name],
            [ACQUIRE, instruction.lock],
          ]
        }
        if (holders[instruction.lock] !== t) return this.misuse(state, t, `wait with ${instruction.lock}, which it does not hold`)
        thread.status = 'waiting'
        delete holders[instruction.lock]
        waiters[instruction.name] = [...(waiters[instruction.name] ?? []), t]
        return [[RELEASE, instruction.lock]]
      case 'notify':
      case 'notifyAll': {
        const all = waiters[instruction.name] ?? []
        const woken = all.filter((w) => instruction.do === 'notifyAll' || w === wakes)
        for (const w of woken) state.threads[w]!.status = 'notified'
        waiters[instruction.name] = all.filter((w) => !woken.includes(w))
        return [[instruction.do === 'notify' ? NOTIFY : NOTIFY_ALL, instruction.name]]
      }
      case 'start':
        state.threads[this.numberOf(instruction.name)]!.status = 'running'
        return [[FORK, instruction.name]]
      case 'join':
        return [[JOIN, instruction.name]]
      case 'call':
        return [[CALL, `handle.${instruction.name}`, { object: instruction.object }]]
      default:
        throw new Error(`a thread cannot do ${instruction.do}`)
    }
  }

  private misuse(state: State, t: number, what: string): Happened[] {
    const { site } = this.next(state, t)
    state.failure = { message: `${what} (${site})`, site, unit: t }
    return []
  }

  /** Up to the next step: what nobody else sees. */
  private compute(state: State, t: number): void {
    const thread = state.threads[t]!
    const code = this.code(t)
    for (;;) {
      const instruction = code.instructions[thread.at]
      if (state.failure || !instruction || VISIBLE.has(instruction.do)) return
      thread.at = computed(instruction, thread.at, thread.registers)
      if (thread.at !== FAILED) continue
      const site = siteOf(code, instruction)
      state.failure = { message: `assertion failed: ${instruction.do === 'assert' ? instruction.text : ''} (${site})`, site, unit: t }
    }
  }
}

const FAILED = -2

/** The next instruction; FAILED where an assertion does not hold. */
export function computed(instruction: Instruction, at: number, registers: number[]): number {
  switch (instruction.do) {
    case 'set':
      registers[instruction.into] = evaluate(instruction.value, registers)
      return at + 1
    case 'jump':
      return instruction.to
    case 'unless':
      return evaluate(instruction.value, registers) === 0 ? instruction.to : at + 1
    case 'assert':
      return evaluate(instruction.value, registers) === 0 ? FAILED : at + 1
    default:
      throw new Error(`${instruction.do} is seen by others`)
  }
}

/** As native programs have it: the line, and the function. */
const siteOf = ({ name }: Code, { at }: { readonly at: { readonly line: number } }): string => `litmus:${at.line} ${name}`

export const copyOf = ({ variables, threads, holders, waiters, failure }: State): State => ({
  variables: { ...variables },
  threads: threads.map((thread) => ({ ...thread, registers: [...thread.registers] })),
  holders: { ...holders },
  // Lists are replaced, never changed.
  waiters: { ...waiters },
  failure,
})

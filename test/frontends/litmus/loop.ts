/**
 * The event loop of a little program as a state machine: turns, timers, and what is done outside. Who is next is for the caller to say, within the rules of
 * docs/event-loop.md. A state is plain data, so that it can be copied and compared.
 *
 * A clean subset of Node's loop: timers, I/O without and with an effect on a file, and tasks that wait for these. There are no immediates, no close callbacks, no handles, and no
 * waits of one task for another. Turns take no time, unless the program stands still right after a post. I/O takes at least as long as the program says.
 *
 * All tasks are called by the main script, one after the other, and run up to what they wait for first. What a task does then runs in the chain of the
 * operation that it waited for.
 */
import { evaluate, type Code, type Compiled, type Instruction } from './compile.ts'
import { computed, type Failure } from './threads.ts'

export type Kind = 'timer' | 'fs' | 'net'

export interface Operation {
  readonly label: string
  readonly kind: Kind
  readonly task: number
  /** Milliseconds that it takes at least. */
  readonly ms: number
  readonly posted: number
  readonly site: string
  /** Of a file: what it reads or writes there. */
  readonly file?: string
  /** What a write writes, and what a read has found. */
  value?: number
  readonly writes: boolean
  /** It happened outside the loop. */
  hasEffect: boolean
}

export interface LoopState {
  now: number
  readonly variables: Record<string, number>
  readonly files: Record<string, number>
  readonly tasks: { at: number; chain: string; readonly registers: number[] }[]
  /** In the order of their posts. */
  pending: Operation[]
  /** When the timers phase began that runs now, and the delay of the list it is at. */
  timers: { readonly began: number; list: number } | undefined
  failure: Failure | undefined
  /** It was not permitted. */
  refused?: boolean
}

/** Hears of what happens, in order. */
export interface Listener {
  turn(state: LoopState, operation: Operation | undefined): void
  chain(label: string, declared: boolean): void
  access(writes: boolean, variable: string, value: number, site: string): void
  posted(operation: Operation): void
  effect(operation: Operation): void
  thrown(failure: Failure): void
}

/** Milliseconds that the program stands still right after it posted this. */
export type StallAfter = (operation: Operation) => number

const noStall: StallAfter = () => 0

/** May the task execute its next instruction? Of what is done outside it is asked then, not when it is posted. A run in which one may not is none: orders are left out, none are made. */
export type LoopPermits = (state: LoopState, task: number) => boolean

export class Loop {
  constructor(
    readonly program: Compiled,
    private readonly listener?: Listener,
    private readonly permits: LoopPermits = () => true,
  ) {}

  /** The main script has run. */
  begin(stall = noStall): LoopState {
    const state: LoopState = {
      now: 0,
      variables: Object.fromEntries(this.program.variables),
      files: {},
      tasks: this.program.units.map(({ name, registers }) => ({
        at: 0,
        chain: name,
        registers: Array.from({ length: registers }, () => 0),
      })),
      pending: [],
      timers: undefined,
      failure: undefined,
    }
    this.listener?.turn(state, undefined)
    for (const [task, { name }] of this.program.units.slice(0, -1).entries()) {
      if (state.failure) break
      this.listener?.chain(name, true)
      this.goOn(state, task, stall)
    }
    state.timers = { began: state.now, list: 0 }
    this.finish(state)
    return state
  }

  /** What the operation does outside the loop. */
  effect(state: LoopState, operation: Operation): void {
    const { file, writes } = operation
    if (file !== undefined && !this.permits(state, operation.task)) state.refused = true
    operation.hasEffect = true
    if (file === undefined) return
    if (writes) state.files[file] = operation.value!
    else operation.value = state.files[file] ?? 0
    this.listener?.effect(operation)
  }

  /** The turn that answers the operation. */
  answer(state: LoopState, operation: Operation, stall = noStall): void {
    if (!operation.hasEffect) this.effect(state, operation)
    const task = state.tasks[operation.task]!
    state.pending = state.pending.filter((other) => other !== operation)
    task.chain = operation.label
    this.listener?.turn(state, operation)
    this.listener?.chain(operation.label, false)
    const waited = this.program.units[operation.task]!.instructions[task.at++]!
    if (waited.do === 'load') task.registers[waited.into] = operation.value!
    this.goOn(state, operation.task, stall)
    this.finish(state)
  }

  /** Of the timers that were due when the phase began the next one, as Node has them: a list per delay, that which expires first with all of its timers. */
  dueTimer(state: LoopState, mayRun: (operation: Operation) => boolean = () => true): Operation | undefined {
    const { timers } = state
    if (!timers) return undefined
    const due = state.pending.filter((o) => o.kind === 'timer' && expiry(o) <= timers.began && mayRun(o))
    const best =
      due.find((o) => o.ms === timers.list) ?? due.reduce<Operation | undefined>((a, b) => (a && expiry(a) <= expiry(b) ? a : b), undefined)
    if (best) timers.list = best.ms
    return best
  }

  private goOn(state: LoopState, number: number, stall: StallAfter): void {
    const task = state.tasks[number]!
    const code = this.program.units[number]!
    for (;;) {
      const instruction = code.instructions[task.at]
      if (!instruction || state.failure) return
      if (number < this.program.units.length - 1 && !('file' in instruction) && !this.permits(state, number)) state.refused = true
      const site = siteOf(code, instruction)
      switch (instruction.do) {
        case 'read':
          task.registers[instruction.into] = state.variables[instruction.name]!
          if (number < this.program.units.length - 1)
            this.listener?.access(false, instruction.name, state.variables[instruction.name]!, site)
          task.at++
          break
        case 'write':
          state.variables[instruction.name] = evaluate(instruction.value, task.registers)
          this.listener?.access(true, instruction.name, state.variables[instruction.name]!, site)
          task.at++
          break
        case 'sleep':
        case 'fetch':
        case 'load':
        case 'save':
          this.post(state, number, instruction, site, stall)
          return
        default:
          task.at = computed(instruction, task.at, task.registers)
          if (task.at >= 0) break
          state.failure = {
            message: `assertion failed: ${instruction.do === 'assert' ? instruction.text : ''} (${site})`,
            site,
            unit: number,
          }
          this.listener?.thrown(state.failure)
          return
      }
    }
  }

  private post(state: LoopState, number: number, instruction: Instruction, site: string, stall: StallAfter): void {
    if (!('ms' in instruction)) return
    const task = state.tasks[number]!
    const kind: Kind = instruction.do === 'sleep' ? 'timer' : instruction.do === 'fetch' ? 'net' : 'fs'
    const operation: Operation = {
      label: `${task.chain}/${kind}`,
      kind,
      task: number,
      ms: Math.max(instruction.ms, kind === 'timer' ? 1 : 0),
      posted: state.now,
      site,
      writes: instruction.do === 'save',
      ...('file' in instruction ? { file: instruction.file } : {}),
      ...(instruction.do === 'save' ? { value: evaluate(instruction.value, task.registers) } : {}),
      hasEffect: false,
    }
    state.pending.push(operation)
    this.listener?.posted(operation)
    state.now += stall(operation)
  }

  /** All have ended: what is asserted then is looked at in the last turn. That look is not recorded: nothing is predicted about a last look in any case (predict/loop/propose.ts). */
  private finish(state: LoopState): void {
    if (hasEnded(state) && !state.failure) this.goOn(state, this.program.units.length - 1, noStall)
  }
}

/** Nothing is under way. */
export const hasEnded = ({ pending }: LoopState): boolean => pending.length === 0

export const expiry = ({ posted, ms }: Operation): number => posted + ms

const siteOf = ({ name }: Code, { at: { line, column } }: Instruction): string => `litmus:${line}:${column} ${name}`

export const copyOf = ({ variables, files, tasks, pending, timers, ...rest }: LoopState): LoopState => ({
  ...rest,
  variables: { ...variables },
  files: { ...files },
  tasks: tasks.map((task) => ({ ...task, registers: [...task.registers] })),
  pending: pending.map((operation) => ({ ...operation })),
  timers: timers && { ...timers },
})

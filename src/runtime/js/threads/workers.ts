/**
 * Workers: creation, messages and end, as seen by the thread that makes them; beginning and end, as seen from inside.
 *
 * A worker must load the recorder. Node gives it the flags of the thread that makes it, Heddle's among them, unless the program sets `execArgv` or
 * `env`: then they are added. The program sees neither.
 */
import { EventEmitter } from 'node:events'
import { syncBuiltinESMExports } from 'node:module'
import type { Worker } from 'node:worker_threads'
import { BEGIN, END, FORK, JOIN } from '../../../trace/ops.ts'
import { withFlags } from '../flags.ts'
import { dress, replaceMethod, type AnyFunction } from '../resources/stand-in.ts'
import { adopt, buffersIn, notes } from './buffers.ts'
import { clockSlot, control, ENDED, endTask, HAS_OTHERS, HEARD, load, newTaskId, setStatus, slotOf, store } from './control.ts'
import { threads } from './messages.ts'
import { hiddenPort, listed, markPort, notListening, replaceClass } from './ports.ts'
import { otherStep } from './spinning.ts'
import { withStart, type Start } from './start.ts'
import { advance, ownTask, showClock, step } from './steps.ts'
import { wrapped } from './text-workers.ts'
import { portsIn } from './walk.ts'
import { Identity } from '../identity.ts'

export interface WorkerSettings {
  /** The path of the run's configuration. */
  readonly config: string
  /** The flags that load the runtime, `--import URL`: this process was started with them. */
  readonly flags: readonly string[]
}

interface Made {
  readonly name: string
  readonly id: number
  joined: boolean
}

class Known extends Identity {
  #made: Made
  constructor(worker: object, made: Made) {
    super(worker)
    this.#made = made
  }
  static of(worker: object): Made | undefined {
    return #made in worker ? (worker as Known).#made : undefined
  }
}

/** How many workers this thread has made. */
let made = 0
/** What the program sees as process.execArgv; the array itself it may change. */
let shown: readonly string[] = []

/** Call before the program's first line, in every thread, after process.execArgv has become what the program is to see. */
export function watchWorkers(settings: WorkerSettings): void {
  shown = [...process.execArgv]
  replaceClass([threads], 'Worker', (target, args, newTarget) => make(settings, target, args, newTarget))
  watchEvents()
  watchEnvironment()
  syncBuiltinESMExports()
}

type Class = new (...args: never[]) => object

function make(settings: WorkerSettings, target: Class, args: unknown[], newTarget: NewableFunction): object {
  const options = args[1] === undefined ? {} : args[1]
  // Whatever is wrong with it is for Node to say.
  if (typeof options !== 'object' || options === null) return Reflect.construct(target, args, newTarget) as object
  const { execArgv, env, workerData, transferList, eval: isText } = options as Record<string, unknown>
  if (isText) {
    const text = typeof args[0] === 'string' ? wrapped(args[0], settings.flags.at(-1)!) : undefined
    if (text === undefined) {
      notes.add('A worker whose code is given as the text of an ES module was left alone.')
      store(control, HAS_OTHERS, 1)
      return Reflect.construct(target, args, newTarget) as object
    }
    args[0] = text
  }
  // Each option is asked for once, should it be a getter.
  const values: Record<string, unknown> = { execArgv, env, workerData, transferList, eval: isText }
  const own = Array.isArray(execArgv)
  if (own) values['execArgv'] = withFlags((execArgv as unknown[]).map(String), settings.flags)
  else if (typeof env === 'object' && env !== null && !execArgv) values['execArgv'] = [...settings.flags]
  args[1] = Object.create(options, Object.getOwnPropertyDescriptors(values)) as object

  const name = ownTask.name === 'main' ? `worker ${made + 1}` : `${ownTask.name}.${made + 1}`
  const about = {
    name,
    config: settings.config,
    control: control.buffer as SharedArrayBuffer,
    labels: buffersIn(workerData),
    isText: Boolean(isText),
    execArgv: own ? (execArgv as unknown[]).map(String) : shown,
    ports: listed(transferList, '')?.length !== 0,
    environment: [...environment].map(([key, value]) => [key, buffersIn(value)] as const),
  }
  otherStep()
  const id = newTaskId(ownTask.id)
  let worker: object
  try {
    worker = step(
      'fork',
      (clock) => withStart({ ...about, id, clock }, () => Reflect.construct(target, args, newTarget) as object),
      (stream) => stream.add(FORK, stream.tasks.intern(name), undefined, stream.place()),
    )
  } catch (error) {
    if (id >= 0) {
      setStatus(id, ENDED)
      store(control, slotOf(id, HEARD), 1)
    }
    throw error
  }
  made++
  new Known(worker, { name, id, joined: false })
  markPort(hiddenPort(worker, 'kPublicPort'), { broadcast: false, owner: worker as Worker, plain: false })
  return worker
}

/** No listener is added that the program could count. */
function watchEvents(): void {
  const prototype = threads.Worker.prototype as object
  const above = Object.getPrototypeOf(prototype) as EventEmitter
  const emit = function (this: Worker, ...args: unknown[]): unknown {
    const worker = Known.of(this)
    if (worker !== undefined) hear(this, worker, args[0])
    return (above.emit as AnyFunction).apply(this, args)
  }
  const value = dress(emit, above.emit)
  notListening(value)
  Object.defineProperty(prototype, 'emit', { value, writable: true, configurable: true, enumerable: false })
}

function hear(emitter: Worker, worker: Made, event: unknown): void {
  // Heard or not, and whichever way it ended.
  if (event === 'exit' || event === 'error') endTask(worker.id)
  if (event === 'exit') store(control, slotOf(worker.id, HEARD), 1)
  if ((event === 'exit' && emitter.listenerCount('exit') > 0) || event === 'error') {
    // An error that nobody listens to is thrown.
    if (worker.joined) return
    worker.joined = true
    advance(load(control, clockSlot(worker.id)))
    otherStep()
    step(
      'join',
      () => {},
      (stream) => stream.add(JOIN, stream.tasks.intern(worker.name)),
    )
  }
}

/** What the program has set as environment data, by keys that mean the same in other threads. */
const environment = new Map<string | number | boolean, unknown>()

function watchEnvironment(): void {
  replaceMethod(
    threads,
    'setEnvironmentData',
    (set) =>
      function (this: unknown, ...args: unknown[]): unknown {
        const [key, value] = args
        if (typeof key === 'string' || typeof key === 'number' || typeof key === 'boolean') {
          if (value === undefined) environment.delete(key)
          else environment.set(key, value)
        }
        return set.apply(this, args)
      },
  )
}

/** In a worker, when its steps can be taken and before watchWorkers: knows again what came with it, and begins. `ended` is called when all is over. */
export function beginWorker(start: Start, ended: () => void): void {
  process.execArgv.splice(0, Infinity, ...start.execArgv)
  adopt(threads.workerData, start.labels)
  if (start.ports) for (const port of portsIn(threads.workerData)) markPort(port)
  for (const [key, labels] of start.environment) {
    const value: unknown = threads.getEnvironmentData(key)
    adopt(value, labels)
    environment.set(key, value)
  }
  markPort(threads.parentPort)
  advance(start.clock)
  step(
    'begin',
    () => {},
    (stream) => stream.add(BEGIN),
  )
  showClock()
  watchEnd(ended)
}

function watchEnd(ended: () => void): void {
  let over = false
  const end = (): void => {
    if (over) return
    over = true
    otherStep()
    step(
      'end',
      () => {},
      (stream) => stream.add(END),
    )
    showClock()
    setStatus(ownTask.id, ENDED)
    ended()
  }
  replaceOfProcess(
    'emit',
    (emit) =>
      function (this: unknown, ...args: unknown[]): unknown {
        try {
          const handled: unknown = emit.apply(this, args)
          if (args[0] === 'exit') end()
          return handled
        } catch (error) {
          // The worker ends of an error in one of these listeners, without another word.
          if (args[0] === 'exit' || args[0] === 'uncaughtException') end()
          throw error
        }
      },
  )
  // A listener of `exit` that calls process.exit is not come back from.
  replaceOfProcess(
    'reallyExit',
    (exit) =>
      function (this: unknown, ...args: unknown[]): unknown {
        end()
        return exit.apply(this, args)
      },
  )
}

function replaceOfProcess(name: 'emit' | 'reallyExit', by: (original: AnyFunction) => AnyFunction): void {
  const original = Reflect.get(process, name) as AnyFunction | undefined
  if (original === undefined) return
  const enumerable = Object.prototype.propertyIsEnumerable.call(process, name)
  Object.defineProperty(process, name, { value: dress(by(original), original), writable: true, configurable: true, enumerable })
}

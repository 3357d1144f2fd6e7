/**
 * From the files of a recorded native run to one trace: all records in one order (order.ts), in two passes. The first finds what threads share
 * (survey.ts), the second writes events for that (emit.ts), with values that agree (agree.ts). Then addresses get names. The memory needed is that of
 * the trace, and of what the program uses at one time.
 */
import { Names } from '../../base/names.ts'
import { firstContradiction } from '../../trace/check-values.ts'
import type { Joined } from '../../trace/joined.ts'
import { Trace, type TraceTables } from '../../trace/trace.ts'
import { validate } from '../../trace/validate.ts'
import { Values } from '../../trace/values.ts'
import { Emit } from './emit.ts'
import { MadeNames } from './location-names.ts'
import { noNativeRun } from './reading-errors.ts'
import { PlaceNames } from './names.ts'
import { inOrder } from '../threads/order.ts'
import { capacityOf, threadFiles } from '../threads/thread-files.ts'
import { lowest } from './parts.ts'
import { RawThread, readHead } from './raw.ts'
import { keyOf } from './stamps.ts'
import { Survey, type Shared } from './survey.ts'
import { lowerBound } from '../../base/lower-bound.ts'
import { readResult } from './result.ts'
import { Symbols } from './symbols.ts'
import { NATIVE } from './vocabulary.ts'

export interface NativeRun extends Joined {
  /** Per site: the addresses of code seen there, `PATH+0xHEX` in the numbering of their files. */
  readonly pcs: ReadonlyMap<string, readonly string[]>
  /** The address of code of a thread's step, as in `pcs`; not there for very long traces. */
  readonly pcAt?: (task: string, step: number) => string | undefined
  readonly counts: {
    readonly records: number
    /** Steps without a record: accesses to places of one thread. */
    readonly dropped: number
    readonly threads: number
    /** Threads that were made, also those that left no record. */
    readonly created: number
    readonly events: number
    /** Racing reads that stand beside the place their stamp gives them, and those whose value could not be explained. */
    readonly moved: number
    readonly takenBack: number
  }
}

/** So many values that nothing explains are worth a word, if they are more than one in a thousand events. */
const MANY = 20
/** Names of more locations are made when they are asked for. */
const MOST_NAMES = 200_000
/** Longer traces do without the address of every step. */
const MOST_WITH_PCS = 5_000_000

/** `root`: sites below it are written without it. `late`: the rest of the records is left out. */
export function readNativeRun(folder: string, options: { readonly root: string; readonly late?: (() => boolean) | undefined }): NativeRun {
  const notes: string[] = []
  const heads = threadFiles(folder, readHead, notes)
  if (!heads) throw noNativeRun(folder)
  const capacity = capacityOf(heads.length)
  const threads = heads.map(({ path }, task) => new RawThread(path, task, capacity))
  const byId = new Map(heads.map(({ head }, task) => [head.id, task]))
  const taskOf = (id: number): number => byId.get(id) ?? -1
  const { stack: top } = readResult(folder)
  const survey = new Survey(heads.length, taskOf, top)
  const most = inOrder(threads, survey, keyOf, options.late ? { late: options.late } : {})
  const shared = survey.finish()
  const tasks = Names.of(heads.map(({ head }) => head.name))
  const symbols = Symbols.open(folder, options.root)
  const names = namesOf(shared, symbols, tasks)
  const tables: Omit<TraceTables, 'locations'> = {
    tasks,
    locks: new Names(),
    signals: new Names(),
    queues: new Names(),
    names: new Names(),
    sites: new Names(),
    values: new Values(),
  }
  const emit = new Emit(
    threads,
    shared,
    { ...tables, nameOf: (object) => names.object(object), nameOfBlock: (block) => names.block(block) },
    taskOf,
    top,
  )
  const isWhole = threads.every(({ kind }) => kind === 0)
  if (!isWhole) notes.push(`Only the first ${most.toLocaleString('en')} records were read: there was no time for more (--time).`)
  inOrder(threads, emit, keyOf, { most })
  const { output } = emit
  output.agreement.finish()
  const locations = nameLocations(emit, shared, names, symbols)
  const { numbers, pcs } = nameSites(output.pcs, symbols, tables.sites)
  const keepsPcs = output.events.count <= MOST_WITH_PCS
  const { columns, stepOf, pcOf } = output.events.finishSteps(heads.length, numbers, keepsPcs)
  const trace = new Trace(columns, { ...tables, locations }, { source: folder, order: 'global', branches: false, truncated: undefined })
  notes.push(...notesOf(emit, heads.length, shared))
  validate(trace)
  const wrong = firstContradiction(trace)
  if (wrong) throw new Error(`assert: ${wrong.sentence}`)
  const sum = (of: (thread: RawThread) => number): number => threads.reduce((n, thread) => n + of(thread), 0)
  return {
    vocabulary: NATIVE,
    trace,
    steps: { stepOf, count: Int32Array.from(threads, (thread) => thread.step) },
    notes,
    pcs,
    ...(pcOf ? { pcAt: pcAtOf(trace, stepOf, pcOf, output.pcs, symbols) } : {}),
    counts: {
      records: sum((thread) => thread.records),
      dropped: sum((thread) => thread.skipped),
      threads: heads.length,
      created: shared.created,
      events: trace.eventCount,
      moved: output.agreement.moved,
      takenBack: output.agreement.takenBack,
    },
  }
}

function namesOf(shared: Shared, symbols: Symbols, tasks: Names): PlaceNames {
  const used = shared.objects.filter((object) => object.shared)
  symbols.load([...shared.blocks, ...used].map(({ pc }) => pc).filter((pc) => pc !== 0))
  symbols.loadData(used.map(({ address }) => address))
  return new PlaceNames(symbols, (task) => tasks.at(task))
}

function nameLocations({ places }: Emit, shared: Shared, names: PlaceNames, symbols: Symbols): Names {
  const { address, stack, base } = places
  const inPlaces = base[shared.place.length]!
  const count = inPlaces + shared.blocks.length
  symbols.loadData(address)
  const nameAt = (place: number, nth: number): string => {
    let left = shared.starts[place]!
    for (let i = 0; i < nth; i++) left &= left - 1
    return names.location(address[place]! + lowest(left), shared.blocks[shared.block[place]!], stack.get(place))
  }
  /** Stacks are used again, so these names are counted: each is made once. */
  const counted = new Map<number, string>()
  for (const place of stack.keys()) {
    for (let location = base[place]!; location < base[place + 1]!; location++) counted.set(location, nameAt(place, location - base[place]!))
  }
  const make = (location: number): string => {
    if (location >= inPlaces) return names.block(shared.blocks[location - inPlaces]!)
    const place = lowerBound(base, location + 1) - 1
    return counted.get(location) ?? nameAt(place, location - base[place]!)
  }
  return count > MOST_NAMES ? new MadeNames(count, make) : Names.of(Array.from({ length: count }, (_, location) => make(location)))
}

/** Per number of a pc its number among the sites. */
function nameSites(pcs: readonly number[], symbols: Symbols, table: Names): { numbers: Int32Array; pcs: Map<string, string[]> } {
  symbols.load(pcs)
  const seen = new Map<string, string[]>()
  const numbers = Int32Array.from(pcs, (pc) => {
    const site = symbols.site(pc)
    const list = seen.get(site)
    if (list) list.push(symbols.relative(pc))
    else seen.set(site, [symbols.relative(pc)])
    return table.intern(site)
  })
  return { numbers, pcs: seen }
}

function pcAtOf(
  trace: Trace,
  stepOf: Int32Array,
  pcOf: Int32Array,
  pcs: readonly number[],
  symbols: Symbols,
): (task: string, step: number) => string | undefined {
  return (name, step) => {
    const task = trace.tables.tasks.find(name)
    if (task < 0) return undefined
    const from = trace.taskStart[task]!
    const steps = stepOf.subarray(from, trace.taskStart[task + 1])
    const at = lowerBound(steps, step)
    const pc = steps[at] === step ? pcOf[from + at]! : -1
    return pc < 0 ? undefined : symbols.relative(pcs[pc]!)
  }
}

function notesOf({ output, meetings: { held, unexplained } }: Emit, tasks: number, shared: Shared): string[] {
  const notes: string[] = []
  const { takenBack } = output.agreement
  if (takenBack > MANY && takenBack * 1000 > output.events.count)
    notes.push(`${takenBack} reads raced with writes so closely that their values are not known.`)
  if (held.odd > 0)
    notes.push(`${times(held.odd)} a lock was taken or given back in a way that was not recorded whole. Those sections are left out.`)
  if (unexplained > 0) notes.push(`${times(unexplained)} a thread continued after a wait, and no record says which thread woke it.`)
  for (let task = 1; task < tasks; task++) {
    if (shared.forked[task] === 1) continue
    notes.push('The record that a thread was started is missing. The thread counts as running from the start.')
    break
  }
  return notes
}

const times = (n: number): string => (n === 1 ? 'Once' : `${n} times`)

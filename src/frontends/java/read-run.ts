/**
 * From the files of a recorded Java run to one trace: all records in one order, in two passes. The first finds what threads share (survey.ts), the
 * second writes events (emit.ts).
 */
import { Names } from '../../base/names.ts'
import { firstContradiction } from '../../trace/check-values.ts'
import type { Joined } from '../../trace/joined.ts'
import { Trace } from '../../trace/trace.ts'
import { validate } from '../../trace/validate.ts'
import { Values } from '../../trace/values.ts'
import { inOrder, type Visitor } from '../threads/order.ts'
import { textOf } from '../threads/result.ts'
import { capacityOf, threadFiles } from '../threads/thread-files.ts'
import { Emit } from './emit.ts'
import { noJavaRun } from './errors.ts'
import { ExplainedOrder, inThisOrder } from './explain-order.ts'
import { JavaNames } from './names.ts'
import { JavaThread, readHead } from './raw.ts'
import type { Sources } from './sources.ts'
import { Survey } from './survey.ts'
import { readTables, type Tables } from './tables.ts'
import { JAVA } from './vocabulary.ts'
import { Words } from './words.ts'

export interface JavaRun extends Joined {
  /** Per site: its places as the agent knows them, `pack/Name.method:12`. */
  readonly places: ReadonlyMap<string, readonly string[]>
  readonly tables: Tables
  readonly created: number
  readonly records: number
}

/** So many values that nothing explains are worth a word, if they are more than one in a thousand events. */
const MANY = 20

export function readJavaRun(folder: string, sources: Sources): JavaRun {
  const notes: string[] = []
  const heads = threadFiles(folder, readHead, notes)
  if (!heads) throw noJavaRun(folder)
  const capacity = capacityOf(heads.length)
  const threads = heads.map(({ path }, task) => new JavaThread(path, task, capacity))
  const byId = new Map(heads.map(({ head }, task) => [head.id, task]))
  const taskOf = (id: number): number => byId.get(id) ?? -1
  const named = readTables(folder)
  const survey = new Survey()
  const isLocal = /^order task$/m.test(textOf(folder, 'config'))
  const explained = isLocal ? new ExplainedOrder(threads, (task) => heads[task]!.head.id) : undefined
  const order = explained?.walk()
  const visit = (visitor: Visitor<JavaThread>): void => {
    if (order) inThisOrder(threads, order, visitor)
    else inOrder(threads, visitor, stampOf)
  }
  visit(survey)
  const names = new JavaNames(named, survey, (id) => heads[taskOf(id)]?.head.name ?? 'a thread')
  const tables = {
    tasks: Names.of(heads.map(({ head }) => head.name)),
    locks: new Names(),
    signals: new Names(),
    queues: new Names(),
    names: new Names(),
    sites: new Names(),
    values: new Values(),
  }
  const emit = new Emit(threads, survey, tables, named, names, new Words(tables.values, names, named.texts), taskOf)
  visit(emit)
  const { output, meetings } = emit
  output.agreement.finish()
  const locations = locationNames(emit, survey, names)
  const places = new Map<string, string[]>()
  const numbers = Int32Array.from(output.pcs, (pc) => {
    const site = named.sites[pc]
    if (!site) return tables.sites.intern(`unknown:${pc}`)
    const text = sources.text(site)
    const all = places.get(text) ?? []
    places.set(text, [...all, `${site.owner}.${site.method}:${site.line}`])
    return tables.sites.intern(text)
  })
  const { columns, stepOf } = output.events.finishSteps(heads.length, numbers, false)
  const trace = new Trace(columns, { ...tables, locations }, { source: folder, order: 'global', branches: false, truncated: undefined })
  if (meetings.held.odd > 0) notes.push(`${meetings.held.odd} sections of locks do not fit the others: they were left out.`)
  if (explained) {
    const { unexplained } = explained
    const but = unexplained === 0 ? '' : `, but for ${unexplained === 1 ? 'one record' : `${unexplained} records`}`
    notes.push(`The order between threads was not recorded. The one that is shown explains what was read${but}.`)
  }
  const { takenBack } = output.agreement
  if (takenBack > MANY && takenBack * 1000 > trace.eventCount)
    notes.push(`${takenBack} values that were read fit no write: nothing was concluded from them.`)
  validate(trace)
  const wrong = firstContradiction(trace)
  if (wrong) throw new Error(`assert: ${wrong.sentence}`)
  return {
    vocabulary: JAVA,
    trace,
    steps: { stepOf, count: Int32Array.from(threads, (thread) => thread.step) },
    notes,
    places,
    tables: named,
    created: survey.created,
    records: survey.records,
  }
}

const stampOf = (thread: JavaThread): number => thread.stamp

function locationNames({ locations }: Emit, survey: Survey, names: JavaNames): Names {
  const taken = new Names()
  for (const place of locations) {
    const name = names.location(survey.objectOf.at(place) >>> 0, survey.fieldOf.at(place))
    // Two classes of one name, in two packages.
    if (taken.find(name) < 0) taken.push(name)
    else taken.push(`${name} (${taken.size})`)
  }
  return taken
}

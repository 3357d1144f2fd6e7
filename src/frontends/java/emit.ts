/** The second pass over the records: events for shared locations and objects. */
import { ARGUMENT, ATOMIC_READ, ATOMIC_WRITE, BEGIN, CALL, END, ENTER, EXIT, FORK, READ, RETURN, UPDATE, WRITE } from '../../trace/ops.ts'
import { NOT_OBSERVED } from '../../trace/values.ts'
import type { Visitor } from '../threads/order.ts'
import { Output } from '../threads/output.ts'
import { KIND } from './kinds.ts'
import { Meetings, type MeetingTables } from './meetings.ts'
import type { JavaNames } from './names.ts'
import type { JavaThread } from './raw.ts'
import { classPlace, isAccess, threadPlace, type Survey } from './survey.ts'
import type { Tables } from './tables.ts'
import type { Words } from './words.ts'

const NONE = -1

const OP: Readonly<Record<number, number>> = {
  [KIND.READ]: READ,
  [KIND.WRITE]: WRITE,
  [KIND.ATOMIC_READ]: ATOMIC_READ,
  [KIND.ATOMIC_WRITE]: ATOMIC_WRITE,
  [KIND.ATOMIC_UPDATE]: UPDATE,
  [KIND.LOOK]: READ,
  [KIND.CHANGE]: WRITE,
  [KIND.LOOK_ATOMIC]: ATOMIC_READ,
  [KIND.CHANGE_ATOMIC]: UPDATE,
}

export class Emit implements Visitor<JavaThread> {
  readonly output: Output
  readonly meetings: Meetings
  /** Per place its number among the locations, and back. */
  readonly locations: number[] = []
  private readonly locationOf = new Map<number, number>()
  private readonly ended: boolean[] = []
  private readonly forked: boolean[] = []
  private readonly begun: boolean[] = []
  private inCall = false

  constructor(
    threads: readonly JavaThread[],
    private readonly survey: Survey,
    private readonly tables: MeetingTables,
    private readonly named: Tables,
    private readonly names: JavaNames,
    private readonly words: Words,
    private readonly taskOf: (id: number) => number,
  ) {
    for (let place = 0; place < survey.places.size; place++) {
      if (!survey.matters(place) || this.isFinal(place)) continue
      this.locationOf.set(place, this.locations.length)
      this.locations.push(place)
    }
    this.output = new Output(this.locations.length, tables.names, threads)
    this.meetings = new Meetings(this.output, tables, survey, names, taskOf)
  }

  visit(thread: JavaThread): void {
    const { kind, task } = thread
    if (kind === KIND.ARGUMENT) {
      this.argument(thread)
      return
    }
    if (kind >= KIND.INFO && kind !== KIND.PERMITS) return
    this.output.at(thread)
    if (isAccess(kind)) {
      this.access(thread)
      return
    }
    switch (kind) {
      case KIND.GIVE:
      case KIND.GET:
        this.meetings.use(thread)
        // Who takes waits until there is something: it cannot come too early.
        if (thread.field === 0 && kind === KIND.GIVE) this.update(thread.object)
        else if (thread.field === 0) this.change(thread.object)
        return
      case KIND.TRY_FAILED:
        this.look(thread.object)
        this.meetings.use(thread)
        return
      case KIND.PARK:
      case KIND.UNPARK:
      case KIND.INTERRUPT:
        this.meetings.use(thread)
        this.update(threadPlace(kind, thread.object))
        return
      case KIND.ONCE_BEGIN:
        this.meetings.use(thread)
        this.change(classPlace(thread.field))
        return
      case KIND.ONCE_SEEN:
        this.look(classPlace(thread.field))
        this.meetings.use(thread)
        return
      case KIND.INTERRUPTED:
        this.look(threadPlace(kind, thread.object))
        return
      case KIND.CREATE: {
        const other = this.taskOf(thread.object)
        if (other < 0 || other === task || this.begun[other] || this.forked[other]) return
        this.forked[other] = true
        this.output.put(FORK, other)
        return
      }
      case KIND.JOIN: {
        const other = this.taskOf(thread.object)
        if (other >= 0 && other !== task && this.ended[other]) this.output.join(other)
        return
      }
      case KIND.BEGIN:
        this.begun[task] = true
        this.output.put(BEGIN, NONE)
        return
      case KIND.END:
        this.ended[task] = true
        this.output.put(END, NONE)
        return
      case KIND.CALL:
      case KIND.RETURN:
      case KIND.ENTER:
      case KIND.EXIT:
        this.call(thread)
        return
      default:
        this.meetings.use(thread)
    }
  }

  /** A call that a property speaks of: its name has all classes of the receiver, and its value is the receiver. Functions are entered and left by their own name. */
  private call({ kind, field, words, valueAt }: JavaThread): void {
    const name = this.named.classes[field] ?? ''
    const isCall = kind === KIND.CALL || kind === KIND.RETURN
    const target = this.tables.names.intern(name)
    const op = kind === KIND.CALL ? CALL : kind === KIND.RETURN ? RETURN : kind === KIND.ENTER ? ENTER : EXIT
    this.output.put(op, target, isCall ? this.words.code(words[valueAt]!, words[valueAt + 1]!, 'L') : NOT_OBSERVED)
    this.inCall = isCall
  }

  private argument({ field, words, valueAt }: JavaThread): void {
    if (!this.inCall) return
    this.output.put(
      ARGUMENT,
      this.tables.names.intern(field === 0 ? 'returns' : String(field)),
      this.words.code(words[valueAt]!, words[valueAt + 1]!, 'L'),
    )
  }

  /** A queue, a permit: what it was before is not known. */
  private update(object: number): void {
    const location = this.locationOf.get(this.survey.places.find(object, 0))
    if (location === undefined) return
    this.output.read(ATOMIC_READ, location, NOT_OBSERVED, true)
    this.output.write(UPDATE, location, NOT_OBSERVED)
  }

  private change(object: number): void {
    const location = this.locationOf.get(this.survey.places.find(object, 0))
    if (location !== undefined) this.output.write(ATOMIC_WRITE, location, NOT_OBSERVED)
  }

  private look(object: number): void {
    const location = this.locationOf.get(this.survey.places.find(object, 0))
    if (location !== undefined) this.output.read(ATOMIC_READ, location, NOT_OBSERVED, false)
  }

  private access(thread: JavaThread): void {
    const { kind, object, field, words, valueAt } = thread
    const location = this.locationOf.get(this.survey.places.find(object, field))
    if (location === undefined) return
    const op = OP[kind]!
    const desc = kind >= KIND.LOOK ? '' : this.typeOf(object, field)
    const code = (at: number): number => (desc === '' ? NOT_OBSERVED : this.words.code(words[at]!, words[at + 1]!, desc))
    const value = code(valueAt)
    // What a change does depends on what is there.
    if (kind === KIND.CHANGE) this.output.read(READ, location, NOT_OBSERVED, false)
    if (op === READ || op === ATOMIC_READ) this.output.read(op, location, value, false)
    else if (op !== UPDATE) this.output.write(op, location, value)
    else {
      this.output.read(ATOMIC_READ, location, value, true)
      const written = kind === KIND.ATOMIC_UPDATE ? thread.updatedAt : -1
      this.output.write(UPDATE, location, written >= 0 ? code(written) : NOT_OBSERVED)
    }
  }

  /** The type of what is there, as the JVM writes it; empty where it is not known. */
  private typeOf(object: number, field: number): string {
    if (object === 0) return this.named.fields[field]?.desc ?? ''
    const type = this.names.classOf(object)
    if (type.startsWith('[')) return type.slice(1)
    const atomic = /^java\.util\.concurrent\.atomic\.(Atomic|Long)(\w+)$/.exec(type)
    if (atomic) return ATOMIC[atomic[2]!] ?? 'L'
    return this.named.fields[field]?.desc ?? ''
  }

  private isFinal(place: number): boolean {
    const object = this.survey.objectOf.at(place) >>> 0
    if (object !== 0 && (this.names.classOf(object).startsWith('[') || this.names.classOf(object).startsWith('java.'))) return false
    return this.named.fields[this.survey.fieldOf.at(place)]?.isFinal === true
  }
}

const ATOMIC: Readonly<Record<string, string>> = { Integer: 'I', Long: 'J', Boolean: 'Z', Adder: 'J', IntegerArray: 'I', LongArray: 'J' }

/**
 * Names of locations and objects of a Java program: `Account#1.balance`, `Bank.open`, `int[]#2[5]`. An object of the JDK has the name of the field
 * that refers to it, if that is known.
 */
import { extraPlace, type Survey } from './survey.ts'
import { simpleName, type Tables } from './tables.ts'

export class JavaNames {
  private readonly objects = new Map<number, string>()
  private readonly counts = new Map<string, number>()

  constructor(
    private readonly tables: Tables,
    private readonly survey: Survey,
    private readonly threadName: (id: number) => string,
  ) {}

  object(id: number): string {
    let name = this.objects.get(id)
    if (name === undefined) this.objects.set(id, (name = this.make(id)))
    return name
  }

  /** The class of an object, as the JVM writes it; empty where it is not known. */
  classOf(id: number): string {
    return this.tables.classes[this.survey.classOf.get(id) ?? 0] ?? ''
  }

  type(number: number): string {
    return simpleName(this.tables.classes[number] ?? `class ${number}`)
  }

  location(object: number, field: number): string {
    const known = this.tables.fields[field]
    const extra = extraPlace(object)
    if (extra?.word === 'class') return `initialisation of ${this.type(extra.id)}`
    if (extra) return `${extra.word} of ${this.threadName(extra.id)}`
    if (object === 0) return known ? `${simpleName(known.owner)}.${known.name}` : `field ${field}`
    const type = this.classOf(object)
    if (type.startsWith('[')) return `${this.object(object)}[${field}]`
    if (/^java\.util\.concurrent\.atomic\.Atomic\w+Array$/.test(type)) return `${this.object(object)}[${field}]`
    if (/^(java|javax|jdk)\./.test(type) || !known) return this.object(object)
    return `${this.object(object)}.${known.name}`
  }

  private make(id: number): string {
    const holder = this.tables.fields[this.survey.heldBy.get(id) ?? 0]
    const type = this.classOf(id)
    if (holder) {
      const name = `${simpleName(holder.owner)}.${holder.name}`
      const nth = this.next(name)
      return nth === 1 ? name : `${name}#${nth}`
    }
    const name = type === '' ? 'object' : simpleName(type)
    return `${name}#${this.next(name)}`
  }

  private next(name: string): number {
    const nth = (this.counts.get(name) ?? 0) + 1
    this.counts.set(name, nth)
    return nth
  }
}

/** What the statements of a run say about the tables of a database: columns, unique keys, views, and what depends on a table. It knows nothing else. */
import type { TouchTemplate } from '../template.ts'

export interface Table {
  columns?: readonly string[]
  readonly unique: (readonly string[])[]
  /** Tables whose rows go or change with rows of this one. */
  readonly cascades: Set<string>
  /** Carries out more than its statements say. */
  triggers: boolean
}

export class Catalogue {
  private readonly tables = new Map<string, Table>()
  private readonly views = new Map<string, readonly TouchTemplate[]>()
  private readonly prepared = new Map<string, string>()
  /** Functions that were defined on the run: what they do is not known. */
  readonly functions = new Set<string>()
  /** Counts changes: what was read before one may read differently now. */
  version = 0

  table(name: string): Table | undefined {
    return this.tables.get(name)
  }

  /** To be changed by who learns something. */
  learn(name: string): Table {
    this.version++
    let table = this.tables.get(name)
    if (!table) this.tables.set(name, (table = { unique: [], cascades: new Set(), triggers: false }))
    return table
  }

  forget(name: string): void {
    if (this.tables.delete(name) || this.views.delete(name)) this.version++
  }

  view(name: string): readonly TouchTemplate[] | undefined {
    return this.views.get(name)
  }

  learnView(name: string, touches: readonly TouchTemplate[]): void {
    this.version++
    this.views.set(name, touches)
  }

  learnFunction(name: string): void {
    if (this.functions.has(name)) return
    this.version++
    this.functions.add(name)
  }

  prepare(name: string, text: string): void {
    this.version++
    this.prepared.set(name, text)
  }

  preparedText(name: string): string | undefined {
    return this.prepared.get(name)
  }
}

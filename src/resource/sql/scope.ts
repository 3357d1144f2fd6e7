/** The tables of one SELECT, UPDATE or DELETE, and the table to which a column belongs. */
import type { Dialect } from '../dialect.ts'
import type { Catalogue } from './catalogue.ts'
import { ANY, both, restricted, type Column, type Condition } from '../condition.ts'
import type { Cursor } from './cursor.ts'
import type { Template } from '../template.ts'

/** What all parts of the reading of one statement share. */
export interface Context {
  readonly dialect: Dialect
  readonly cursor: Cursor
  readonly catalogue: Catalogue
  readonly found: Template
  /** Names of WITH clauses: no tables. */
  readonly withs: Set<string>
  /** Readers of what can stand inside anything else. */
  readonly query: (context: Context, parent?: Scope) => void
  readonly statement: (context: Context, parent?: Scope) => void
}

export interface Source {
  /** The table; undefined: a sub-select, a WITH clause or a function. */
  readonly whole: string | undefined
  /** What columns are qualified by. */
  readonly alias: string
  readonly fields: Set<string>
  /** All columns of it are looked at. */
  all: boolean
  /** Somebody else says what is done to it: the target of a change. */
  target: boolean
}

interface Filter {
  readonly condition: Condition
  /** Sources whose rows it restricts. Undefined: all. */
  readonly only: readonly Source[] | undefined
}

export class Scope {
  readonly sources: Source[] = []
  private readonly columns: Column[] = []
  private readonly filters: Filter[] = []
  private everything = false
  /** Of `t.*`: the tables are named only after what is selected. */
  private readonly alls: string[] = []

  constructor(
    private readonly context: Context,
    readonly parent?: Scope,
  ) {}

  add(whole: string | undefined, alias: string, target = false): Source {
    const source: Source = { whole, alias, fields: new Set(), all: false, target }
    this.sources.push(source)
    return source
  }

  /** Columns in the order in which they were looked at. */
  get looked(): readonly Column[] {
    return this.columns
  }

  look(column: Column): void {
    this.columns.push(column)
  }

  /** `*` or `t.*`. */
  lookAtAll(qualifier?: string): void {
    if (qualifier === undefined) this.everything = true
    else this.alls.push(qualifier)
  }

  filter(condition: Condition, only?: readonly Source[]): void {
    this.filters.push({ condition, only })
  }

  byAlias(qualifier: string): Source | undefined {
    return this.sources.find((s) => s.alias === qualifier) ?? this.sources.find((s) => s.whole?.endsWith(`.${qualifier}`) ?? false)
  }

  /** Undefined: of none of these, or nobody knows of which. */
  owner({ qualifier, name }: Column): Source | undefined {
    if (qualifier !== undefined) return this.byAlias(qualifier)
    const [only] = this.sources
    const columnsOf = (source: Source): readonly string[] | undefined =>
      source.whole === undefined ? undefined : this.context.catalogue.table(source.whole)?.columns
    if (this.sources.length === 1) {
      const known = columnsOf(only!)
      return known && !known.includes(name) ? undefined : only
    }
    // Of several sources: only if all are known, and one has it.
    const having = this.sources.filter((source) => columnsOf(source)?.includes(name))
    return having.length === 1 && this.sources.every((source) => columnsOf(source) !== undefined) ? having[0] : undefined
  }

  /** What is known about the rows of one source. */
  conditionOf(source: Source): Condition<string> {
    let all: Condition<string> = ANY
    for (const { condition, only } of this.filters)
      if (!only || only.includes(source))
        all = both(
          all,
          restricted(condition, (column) => (this.owner(column) === source ? column.name : undefined)),
        )
    return all
  }

  /** Columns of a source that were looked at; undefined: all of them, or it is not known which. */
  fieldsOf(source: Source): readonly string[] | undefined {
    return source.all || this.everything ? undefined : [...source.fields]
  }

  /** Says which columns were looked at. Call it once everything is read. */
  settle(): void {
    for (const qualifier of this.alls) {
      const source = this.byAlias(qualifier)
      if (source) source.all = true
      else this.parent?.lookAtAll(qualifier)
    }
    for (const column of this.columns) {
      // `row_to_json(t)`: the name of a table stands for a row of it.
      const row = column.qualifier === undefined ? this.byAlias(column.name) : undefined
      if (row) row.all = true
      const owner = this.owner(column)
      if (owner) owner.fields.add(column.name)
      else if (column.qualifier !== undefined && this.parent) this.parent.look(column)
      // It may be of any of them.
      else if (column.qualifier === undefined) {
        for (const source of this.sources) source.fields.add(column.name)
        this.parent?.look(column)
      }
    }
  }

  /** Reads of all sources that nobody else speaks of. */
  reads(): void {
    for (const source of this.sources) if (!source.target) this.read(source)
  }

  read(source: Source): void {
    if (source.whole === undefined) return
    const fields = this.fieldsOf(source)
    const condition = this.conditionOf(source)
    for (const whole of this.tablesOf(source.whole))
      this.context.found.touches.push({
        whole,
        condition: whole === source.whole ? condition : ANY,
        ...(fields && whole === source.whole ? { fields } : {}),
        access: 'read',
      })
  }

  /** A view is the tables below it. */
  private tablesOf(whole: string): readonly string[] {
    const view = this.context.catalogue.view(whole)
    return view ? [...new Set(view.map((touch) => touch.whole))] : [whole]
  }
}

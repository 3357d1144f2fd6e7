/**
 * What a property file says, as data: the parser makes it from text, the builders from TypeScript, the formatter turns it back into text.
 * docs/property-language.md says what it means.
 */

/** Where something stands in its file: line and column from 1, offset from 0. Builders have none. */
export interface Position {
  readonly line: number
  readonly column: number
  readonly offset: number
}

export interface PropertyFile {
  readonly declarations: readonly Declaration[]
}

export type Declaration = Property | Typestate

export interface Parameter {
  /** Free text for people: `collection`, `fd`. The empty string where none was given. */
  readonly type: string
  readonly name: string
}

interface Declared {
  readonly name: string
  readonly parameters: readonly Parameter[]
  readonly events: readonly EventDeclaration[]
  /** One sentence for reports; `{c}` stands for what parameter c is bound to. */
  readonly says?: string | undefined
  /** `violation`: a run that matches is a bug. `failure`: it is one only if the program also fails in that run. */
  readonly confirm: 'violation' | 'failure'
  /** `default: off`: only when it is asked for by name. */
  readonly on: boolean
  readonly at?: Position | undefined
}

export interface Property extends Declared {
  readonly kind: 'property'
  /** What is looked for in runs that did not happen. */
  readonly pattern: Pattern
  /** What a run must show to count as a violation; left out, `pattern`. */
  readonly shown?: Pattern | undefined
}

export interface Typestate extends Declared {
  readonly kind: 'typestate'
  /** The first one is where an object begins. An operation that a state does not list is not permitted in it. */
  readonly states: readonly State[]
}

export interface State {
  readonly name: string
  readonly transitions: readonly Transition[]
  readonly at?: Position | undefined
}

export interface Transition {
  /** Names of events. */
  readonly operations: readonly string[]
  readonly to: string
}

export type When = 'before' | 'after' | 'answered'

/** What an event is made of. */
export type Source =
  /** Calls of operations. `answered` is when the promise that was returned has settled, or the callback that was given is called. */
  | {
      readonly kind: 'call'
      readonly names: readonly CallPattern[]
      /** `call(*.add* | !*.addAll)`: none of these. */
      readonly except?: readonly CallPattern[] | undefined
    }
  /** An emitter emits: `emit(Socket+.close)`. The same as a call of `emit` with this first argument. */
  | { readonly kind: 'emit'; readonly names: readonly CallPattern[] }
  /** A function runs, from begin (`before`) to end (`after`). Names are globs. */
  | { readonly kind: 'execution'; readonly names: readonly string[] }
  /** Accesses to memory and resources, allocation; patterns are globs over the name of the location without the numbers of objects. */
  | { readonly kind: 'get' | 'set' | 'alloc' | 'free'; readonly names: readonly string[] }
  /** Locks, by globs over their names. `before acquire` is where the lock is asked for. */
  | { readonly kind: 'acquire' | 'release'; readonly names: readonly string[] }

export interface CallPattern {
  /** Glob over the class of the receiver or the module (`fs`); undefined for a function without a receiver: `call(getPort)`. */
  readonly owner: string | undefined
  /** `Socket+.end`: the class or one that extends it. */
  readonly subclasses: boolean
  /** Glob. */
  readonly method: string
}

/** A class of objects: `Collection`, or with `subclasses` also what is below it. */
export interface ClassPattern {
  /** Glob. */
  readonly name: string
  readonly subclasses: boolean
}

/** An argument place: a name (a parameter, or a local of this event), a literal that it must equal, or `*`. */
export type ArgumentPlace =
  { readonly kind: 'name'; readonly name: string } | { readonly kind: 'literal'; readonly value: Literal } | { readonly kind: 'any' }

export type Literal = number | string | boolean | null | undefined

export interface EventDeclaration {
  readonly name: string
  readonly when: When
  readonly source: Source
  /** The receiver; of an access the object a field belongs to; of a lock operation the lock. */
  readonly target?: ArgumentPlace | undefined
  /** `target(Collection+ c)`: only receivers of this class. Of an access and a lock the class alone is known, not what it extends. */
  readonly receiver?: ClassPattern | undefined
  readonly args?: { readonly places: readonly ArgumentPlace[]; /** `..` at the end: more may follow. */ readonly more: boolean } | undefined
  /** What came back, of calls that did not throw: `after` the returned value, `answered` what the promise or callback gave (the first argument after the error). */
  readonly returns?: ArgumentPlace | undefined
  /** Of an access the value read or written. */
  readonly value?: ArgumentPlace | undefined
  /** Of an access the location itself. */
  readonly location?: ArgumentPlace | undefined
  /** Only calls that failed: `throws`, or `throws("E*")`, a glob over code, name and message of the error. */
  readonly throws?: string | undefined
  readonly condition?: Condition | undefined
  readonly at?: Position | undefined
}

export type Condition =
  | { readonly kind: 'and' | 'or'; readonly left: Condition; readonly right: Condition }
  | { readonly kind: 'not'; readonly inner: Condition }
  | { readonly kind: 'compare'; readonly how: Comparison; readonly left: Operand; readonly right: Operand }

export type Comparison = '==' | '!=' | '<' | '<=' | '>' | '>=' | 'contains' | 'startsWith' | 'endsWith' | 'matches'

/** A name is a parameter of the property or a local of the event. */
export type Operand = { readonly kind: 'name'; readonly name: string } | { readonly kind: 'literal'; readonly value: Literal }

export type Pattern =
  | {
      readonly kind: 'event'
      readonly name: string
      /** Task attribute: events with different ones are of different tasks, with the same one of the same. */
      readonly task?: string | undefined
      /** `<r` begins the atomic region r, `>r` ends it. */
      readonly region?: { readonly edge: 'begin' | 'end'; readonly name: string } | undefined
      readonly at?: Position | undefined
    }
  /** `a b`, `a | b`, `a & b` (both, in any order). */
  | { readonly kind: 'sequence' | 'choice' | 'both'; readonly parts: readonly Pattern[] }
  | { readonly kind: 'repeat'; readonly how: '?' | '*' | '+'; readonly inner: Pattern }
  | { readonly kind: 'not'; readonly inner: Pattern; readonly at?: Position | undefined }
  /** `a || b`: both are what comes next, at once. Only at the end of a pattern. */
  | { readonly kind: 'parallel'; readonly left: Pattern; readonly right: Pattern }

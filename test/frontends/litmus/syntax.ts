/** The little language, parsed. parse.ts has how it is written. */

export interface Position {
  readonly line: number
  readonly column: number
}

export type Expression =
  | { readonly is: 'number'; readonly value: number }
  | { readonly is: 'name'; readonly name: string; readonly at: Position }
  | { readonly is: 'binary'; readonly operator: Operator; readonly left: Expression; readonly right: Expression }

export const OPERATORS = ['||', '&&', '==', '!=', '<', '<=', '>', '>=', '+', '-', '*'] as const
export type Operator = (typeof OPERATORS)[number]

export type Statement = { readonly at: Position } & (
  | { readonly do: 'set'; readonly name: string; readonly value: Expression }
  | { readonly do: 'add'; readonly name: string; readonly value: Expression }
  | { readonly do: 'assert'; readonly value: Expression; readonly text: string }
  | { readonly do: 'if'; readonly value: Expression; readonly yes: readonly Statement[]; readonly no: readonly Statement[] }
  | { readonly do: 'while'; readonly value: Expression; readonly body: readonly Statement[] }
  // Of threads.
  | { readonly do: 'lock' | 'unlock' | 'notify' | 'notifyAll' | 'start' | 'join'; readonly name: string }
  | { readonly do: 'wait'; readonly name: string; readonly lock: string }
  | { readonly do: 'call'; readonly method: string; readonly object: string }
  // Of tasks. Milliseconds.
  | { readonly do: 'sleep'; readonly ms: number }
  | { readonly do: 'fetch'; readonly ms: number }
  | { readonly do: 'load'; readonly name: string; readonly file: string; readonly ms: number }
  | { readonly do: 'save'; readonly file: string; readonly value: Expression; readonly ms: number }
)

/** A thread or a task. */
export interface Unit {
  readonly name: string
  readonly at: Position
  readonly body: readonly Statement[]
}

export interface Syntax {
  readonly variables: ReadonlyMap<string, number>
  readonly kind: 'threads' | 'tasks'
  readonly units: readonly Unit[]
  /** When all have ended. */
  readonly final: readonly Statement[]
}

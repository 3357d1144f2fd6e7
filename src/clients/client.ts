/**
 * A client of a server, as its file in `library/` declares it: which calls send requests, where their text and operands are, and how the answer
 * comes. The runtime interprets this and knows no client by name. `docs/clients.md` has the language.
 */
import type { Dialect } from '../resource/dialect.ts'

export interface Client {
  readonly name: string
  /** One sentence for reports: `PostgreSQL`. */
  readonly says?: string
  /** Names of packages that have it; `node:…` for what Node has itself. */
  readonly packages: readonly string[]
  readonly reader: Reader
  readonly calls: readonly Call[]
  readonly tasks?: readonly Task[]
  readonly puts?: readonly Put[]
}

/** A call that carries out one thing for the program: what it does is a task of its own, with a name. */
export interface Task {
  /** Or `exports`: a function that a module exports. */
  readonly class: string
  readonly below: boolean
  readonly method: string
  /** Texts, and where to find the rest: `job `, args[0].name, `#`, args[0].id. */
  readonly name: readonly (string | Path)[]
  /** Not the call itself is meant, but a function that it is given, or each of an object of functions. Names are of the arguments of that. */
  readonly of?: Path
}

/** A call that puts something into a queue for which there will be a task, by the same name. */
export interface Put extends Omit<Task, 'name' | 'of'> {
  readonly name: readonly (string | Path | Answered)[]
  /** Not the call itself is meant, but the function that it returns. */
  readonly of?: 'returned'
}

/** Stands in a name for what the promise of the call gives, or for something in that. */
export interface Answered {
  readonly from: 'answer'
  readonly steps: Path['steps']
}

export type Reader = { readonly kind: 'sql'; readonly dialect: Dialect } | { readonly kind: 'redis' } | { readonly kind: 'mongo' }

export interface Call {
  readonly class: string
  /** Classes below it, too. */
  readonly below: boolean
  readonly method: string
  /** The statement, command or document: the first of these that is there and fits the reader; a text stands for itself. None: the call opens or closes something. */
  readonly text: readonly (Path | string)[]
  /** Parameters of the statement, arguments of the command: likewise. */
  readonly params: readonly Path[]
  /** How the answer comes: the first that fits what was given or returned. */
  readonly answer: readonly Answer[]
  /** Calls with one and the same object there are answered in the order in which they were made. Undefined: in any order. */
  readonly queue?: Path
  /** Where in the answer its first value stands, as steps from the answer on: whether a lock was got shows there. Left out: the answer itself. */
  readonly result?: Path['steps']
  /** What a schedule may delay. Nothing: a synchronous call. */
  readonly delay: readonly ('request' | 'answer')[]
}

/** `args[0].text`, `this.source`, `args[last]`; `args` alone is the list of all. */
export interface Path {
  readonly from: 'this' | 'args'
  readonly steps: readonly (string | number)[]
}

/** A step of a path: the last argument. */
export const LAST = -1

export type Answer =
  /** What the call returns, or what stands at the path, is a promise. */
  | { readonly kind: 'promise'; readonly at?: Path }
  /** A function, called once: with an error first, as Node does. */
  | { readonly kind: 'callback'; readonly at: Path }
  /** Two functions: one is called with the answer, or the other with the error. */
  | { readonly kind: 'settle'; readonly at: Path; readonly failed: Path }
  /** What the call returns, or what stands at the path, emits one of these events. */
  | { readonly kind: 'events'; readonly at?: Path; readonly events: readonly string[] }
  /** It is there when the call returns. */
  | { readonly kind: 'returned' }

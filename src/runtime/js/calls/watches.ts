/** Which calls are recorded, and which of their parts: the watch list of the run, merged for each class and method. */
import { isBuiltin } from 'node:module'
import { globTest, type CallNames } from '../../../instrument/watched.ts'
import type { Watch } from '../../../property/watch.ts'

/** What is written of one call. */
export interface Moments {
  readonly before: boolean
  readonly after: boolean
  readonly answered: boolean
  /** How many arguments. */
  readonly args: number
}

/** What is written of the calls of a method of one class. */
export interface Plan {
  readonly always: Moments | undefined
  /** By the first argument; what is always written is part of it. */
  readonly byFirst: ReadonlyMap<unknown, Moments> | undefined
}

/** Classes whose methods are recorded where they are called, because Heddle itself lives on them. */
const IN_PLACE = ['Map', 'Set', 'WeakMap', 'WeakSet', 'Array', 'Promise', 'Generator', 'Iterator', 'Object', 'Buffer']

interface Compiled {
  readonly watch: Watch
  owner(name: string): boolean
  name(name: string): boolean
}

export class Watches {
  private readonly calls: readonly Compiled[]
  private readonly firsts = new Map<string, ReadonlySet<unknown> | undefined>()
  private readonly executions: (name: string) => boolean

  constructor(readonly list: readonly Watch[]) {
    this.calls = list
      .filter((watch) => watch.kind === 'call')
      .map((watch) => ({ watch, owner: watch.owner === undefined ? () => false : globTest([watch.owner]), name: globTest([watch.name]) }))
    const execution = globTest(list.filter((watch) => watch.kind === 'execution').map((watch) => watch.name))
    this.executions = (name) => execution(name) || execution(name.slice(name.lastIndexOf('.') + 1))
  }

  /** `chain`: the class of the receiver and those it extends, or the module. */
  methodPlan(chain: readonly string[], method: string): Plan | undefined {
    return merged(
      this.calls.filter(
        ({ watch, owner, name }) => name(method) && (watch.subclasses === true ? chain.some((one) => owner(one)) : owner(chain[0]!)),
      ),
    )
  }

  functionPlan(name: string): Plan | undefined {
    return merged(this.calls.filter((one) => one.watch.owner === undefined && one.name(name)))
  }

  /** The first arguments that calls of this method are asked for with; undefined if some are wanted with any. */
  firstsOf(method: string): ReadonlySet<unknown> | undefined {
    if (!this.firsts.has(method)) {
      const wanted = this.calls.filter((one) => one.name(method)).map(({ watch }) => watch.first)
      this.firsts.set(method, wanted.includes(undefined) ? undefined : new Set(wanted.flatMap((first) => first!)))
    }
    return this.firsts.get(method)
  }

  isExecution(name: string): boolean {
    return this.executions(name)
  }

  get asksForAnswers(): boolean {
    return this.calls.some(({ watch }) => watch.when.includes('answered'))
  }
}

/** What the instrumenter is told; undefined if there is nothing to look at. */
export function callNames(list: readonly Watch[] | undefined): CallNames | undefined {
  if (list === undefined || list.length === 0) return undefined
  const namesOf = (wanted: (watch: Watch) => boolean): string[] => [...new Set(list.filter(wanted).map((watch) => watch.name))]
  // Functions of Node's modules are replaced where they are.
  const isMethod = (watch: Watch): boolean => watch.kind === 'call' && watch.owner !== undefined && !isBuiltin(watch.owner)
  return {
    methods: namesOf(isMethod),
    inPlace: namesOf((watch) => isMethod(watch) && IN_PLACE.some(globTest([watch.owner!]))),
    functions: namesOf((watch) => watch.kind === 'call' && watch.owner === undefined),
    executions: namesOf((watch) => watch.kind === 'execution'),
  }
}

function merged(found: readonly Compiled[]): Plan | undefined {
  if (found.length === 0) return undefined
  const always = union(found.filter(({ watch }) => watch.first === undefined))
  const firsts = new Set(found.flatMap(({ watch }) => watch.first ?? []))
  if (firsts.size === 0) return { always, byFirst: undefined }
  const byFirst = new Map<unknown, Moments>()
  for (const first of firsts) {
    byFirst.set(first, union(found.filter(({ watch }) => watch.first === undefined || watch.first.includes(first)))!)
  }
  return { always, byFirst }
}

function union(found: readonly Compiled[]): Moments | undefined {
  if (found.length === 0) return undefined
  const asks = (moment: Watch['when'][number]): boolean => found.some(({ watch }) => watch.when.includes(moment))
  return {
    before: asks('before'),
    after: asks('after'),
    answered: asks('answered'),
    args: Math.max(...found.map(({ watch }) => watch.args)),
  }
}

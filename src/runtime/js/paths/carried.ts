/** What the hooks without tags share within one module. */
import type { ModuleHooks } from '../../../instrument/hooks.ts'
import type { Register } from '../../../instrument/paths/hooks.ts'
import type { Told } from './told.ts'

/** What a function gave back last. */
interface Returned {
  readonly value: unknown
  readonly tag: number
}

export class Carried {
  readonly T: Register = { t: 0 }
  lastReturned: Returned | undefined = undefined

  constructor(
    readonly inner: ModuleHooks,
    /** The number of the module's first site. */
    readonly first: number,
    readonly told: Told,
  ) {}

  /** The decisions of an access. */
  decide(base: unknown, tb: number, key: unknown, tk: number, site: number): void {
    if (tb !== 0) this.told.receiver(this.first + site, base, 'receiver')
    if (tk !== 0) this.told.index(this.first + site, key)
    this.told.see(base)
    this.T.t = 1
  }

  /** What a call has given, of a function that is not native. */
  gave(result: unknown): unknown {
    const returned = this.lastReturned
    this.T.t = returned !== undefined && Object.is(returned.value, result) ? returned.tag | 1 : 1
    return result
  }
}

/**
 * Function executions, as instrumented code reports them: all functions with `--detail`, named by their site; functions that a property names, by
 * that name.
 */
import { ENTER, EXIT } from '../../../trace/ops.ts'
import type { ModuleHooks } from '../../../instrument/hooks.ts'
import { functionAt, siteNumber, siteText } from '../memory/names.ts'
import type { Session } from '../session.ts'
import { settle } from '../turns.ts'
import { Watches } from './watches.ts'

let watches: Watches | undefined

/** `first`: the number of the module's first site. */
export function executionHooks(session: Session, first: number): Pick<ModuleHooks, 'e' | 'x'> {
  const { detail, watch } = session.config
  /** The session's numbers of names, by site. */
  const names: number[] = []
  const nameAt = (site: number): number => {
    const name = functionAt(first + site)
    // One for all modules, and only where there is something to name.
    const known = watches !== undefined && watches.list === watch ? watches : (watches = new Watches(watch ?? []))
    return session.names.intern(known.isExecution(name) || !detail ? name : siteText(first + site))
  }
  const add = (op: number, site: number): void => {
    settle()
    session.add(op, (names[site] ??= nameAt(site)), undefined, siteNumber(first + site))
  }
  return { e: (site) => add(ENTER, site), x: (site) => add(EXIT, site) }
}

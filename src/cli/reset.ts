/**
 * What `heddle doctor` says about databases: files that a replay writes are discarded, rows and keys on a server are not. Whether the program uses
 * one is inferred from the packages it depends on.
 */
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { isRecord } from '../base/objects.ts'
import { allClients } from '../clients/open.ts'
import { loadConfig } from '../config/config.ts'
import { HeddleError } from '../errors.ts'
import type { Look } from '../frontends/contract.ts'

/** Servers by the packages of their clients. What answers when a call returns is no server. */
function servers(): Map<string, string> {
  const named = new Map<string, string>()
  for (const { says, name, packages, calls } of allClients())
    if (calls.some(({ delay }) => delay.length > 0)) for (const one of packages) named.set(one, says ?? name)
  return named
}

/** The package and the server it talks to; one that stands above a client (an ORM, a queue) brings it as its own dependency. */
function usedBy(cwd: string): (readonly [name: string, server: string])[] {
  const known = servers()
  const { folder, names } = dependencies(cwd)
  return names.flatMap((name) => {
    const client = known.has(name) ? name : dependencies(join(folder, 'node_modules', name), false).names.find((one) => known.has(one))
    return client === undefined ? [] : [[name, known.get(client)!] as const]
  })
}

/** Undefined where no server is talked to. */
export async function resetLook(cwd: string): Promise<Look | undefined> {
  const used = usedBy(cwd)
  if (used.length === 0) return undefined
  const by = (server: string): string => used.flatMap(([name, other]) => (other === server ? [name] : [])).join(', ')
  const what = [...new Set(used.map(([, server]) => server))].map((server) => `${server} (${by(server)})`).join(' and ')
  try {
    const { check } = await loadConfig(cwd)
    const hook = check.get('before-each') === undefined ? (check.get('after-each') === undefined ? undefined : 'afterEach') : 'beforeEach'
    if (hook !== undefined) return { ok: `${what} can be reset from run to run: ${hook} is set` }
  } catch (error) {
    if (!(error instanceof HeddleError)) throw error
    return { fault: error.fact, remedy: error.remedy }
  }
  return {
    hint: `This package uses ${what}. What a run writes there stays for the next one, so replays can end differently: reset it by --before-each, or beforeEach in heddle.config.ts (docs/real-effects.md).`,
  }
}

/** Of the nearest package.json, and where that is. One that cannot be read has none: npm complains about it. */
function dependencies(folder: string, orAbove = true): { readonly folder: string; readonly names: readonly string[] } {
  try {
    const read: unknown = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    return { folder, names: isRecord(read) && isRecord(read['dependencies']) ? Object.keys(read['dependencies']) : [] }
  } catch {
    return !orAbove || dirname(folder) === folder ? { folder, names: [] } : dependencies(dirname(folder))
  }
}

/**
 * Preloaded into the program with `node --import`: reads what to do from the file HEDDLE_RUN names, and starts recording or replaying before
 * the program's first line. Without the variable, and in worker threads, it does nothing.
 */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { isMainThread } from 'node:worker_threads'
import type { MakeHooks } from '../../instrument/hooks.ts'
import * as core from './core.ts'
import { watchEnding } from './ending.ts'
import { startLoading } from './load/index.ts'
import { beforeTimers, runMain } from './main.ts'
import { memoryHooks, warmUp as warmUpHooks } from './memory/hooks.ts'
import { standInHooks } from './memory/idle.ts'
import { RUN_VARIABLE, type RunConfig } from './protocol.ts'
import { wrapResources } from './resources/index.ts'
import { Session } from './session.ts'
import { LateNames } from './late-names.ts'
import { callChain } from './stack.ts'
import { startTurns } from './turns.ts'

const path = process.env[RUN_VARIABLE]
if (path !== undefined && isMainThread) await start(path)

async function start(configPath: string): Promise<void> {
  delete process.env[RUN_VARIABLE]
  removeOwnFlag()
  const config = JSON.parse(readFileSync(configPath, 'utf8')) as RunConfig
  const session = new Session(config)
  const hooks = hooksFor(session)
  startLoading(session, hooks)
  wrapResources(session)
  startTurns(session)
  watchEnding(session)
  countOthers(session)
  warmUp(config.root, hooks)
  // Where timers stand for answers, the recorded run lives on the virtual clock, too: the answers come one after the other, however slow it is.
  if (config.mode === 'replay' || config.timers === 'latency') (await import('./replay/start.ts')).startReplay(config, session)
  await beforeTimers()
  // Nothing is waited for from here on: it would be a chain of the program's.
  core.start()
  runMain()
}

/** What runs for the first time is slow, and a program whose first timers come late may take another course. */
function warmUp(root: string, hooks: MakeHooks | undefined): void {
  const sites = new LateNames()
  for (let i = 0; i < 20; i++) callChain(sites, root)
  if (hooks !== undefined) warmUpHooks(hooks)
}

/** A replay records no memory; it only needs the stand-ins for servers, where they are asked for. */
function hooksFor(session: Session): MakeHooks | undefined {
  if (session.config.mode === 'record') return memoryHooks(session)
  return session.config.timers === 'latency' ? standInHooks(session) : undefined
}

/** Children that the program forks get its flags; they are not to be recorded. */
function removeOwnFlag(): void {
  const own = (flag: string | undefined): boolean => {
    if (flag === undefined || !flag.startsWith('file:')) return false
    try {
      return fileURLToPath(flag) === fileURLToPath(import.meta.url)
    } catch {
      return false
    }
  }
  const flags = process.execArgv
  for (let i = 0; i < flags.length; i++) {
    if (flags[i]!.startsWith('--import=') && own(flags[i]!.slice('--import='.length))) flags.splice(i--, 1)
    else if (flags[i] === '--import' && own(flags[i + 1])) flags.splice(i--, 2)
  }
}

/** Threads and processes the program starts are left alone; the user is told how many. */
function countOthers(session: Session): void {
  let workers = 0
  let children = 0
  core.listen({
    posted(op) {
      if (op.type === 'WORKER') workers++
      if (op.type === 'PROCESSWRAP') children++
    },
  })
  const say = (n: number, one: string, many: string): string | undefined => (n === 0 ? undefined : n === 1 ? one : `${n} ${many}`)
  session.lateNotes.push(
    () => say(workers, '1 worker thread was left alone.', 'worker threads were left alone.'),
    () => say(children, '1 child process was left alone.', 'child processes were left alone.'),
  )
}

/**
 * Preloaded into the program with `node --import`, in every thread. Reads the configuration from the file that HEDDLE_RUN names, and starts recording
 * or replaying before the program's first line. Without the variable it does nothing. A worker gets its configuration from the thread that made it.
 */
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { isMainThread } from 'node:worker_threads'
import type { MakeHooks } from '../../instrument/hooks.ts'
import { startCalls } from './calls/index.ts'
import { isOfClient, startClients } from './clients/index.ts'
import * as core from './core.ts'
import { watchEnding } from './ending.ts'
import { MORE_STACK } from './flags.ts'
import type { Children } from './children.ts'
import { startLoading, type Loading } from './load/index.ts'
import { beforeTimers, commonJsMain, runMain } from './main.ts'
import { memoryHooks, warmUp as warmUpHooks } from './memory/hooks.ts'
import { IDLE, idleHooks, standInHooks } from './memory/idle.ts'
import { startNames } from './memory/names.ts'
import { RUN_VARIABLE, WORKERS_IN_TESTS, type RunConfig } from './protocol.ts'
import { finishPaths, flushPaths, pathsNote, startPaths } from './paths/start.ts'
import { wrapResources } from './resources/index.ts'
import { Session } from './session.ts'
import { LateNames } from './late-names.ts'
import { callChain } from './stack.ts'
import { newControl, newTaskId, useControl } from './threads/control.ts'
import { sharedHooks } from './threads/hooks.ts'
import { endThread, progress, startThread, threadNotes, watchesThreads, writeWorkerReport } from './threads/run.ts'
import { readyForText } from './threads/text-workers.ts'
import { takeStart, type Start } from './threads/start.ts'
import { startTests } from './tests.ts'
import { beginFirstTurn, startTurns } from './turns.ts'

const OWN_FLAGS = ['--import', import.meta.url]

if (isMainThread) {
  const path = process.env[RUN_VARIABLE]
  if (path !== undefined) await startMain(path)
} else {
  const start = takeStart()
  if (start !== undefined) startWorker(start)
}

async function startMain(configPath: string): Promise<void> {
  const config = JSON.parse(readFileSync(configPath, 'utf8')) as RunConfig
  if (config.tests === undefined) {
    delete process.env[RUN_VARIABLE]
    removeOwnFlag()
  } else if (startsTests()) return
  // Loaded where they are needed, and before the thread of the loader is there: it would be asked for every file.
  const { watchChildren } = config.children ? await import('./children.ts') : {}
  // Where timers stand for answers, the recorded run lives on the virtual clock, too: the answers come one after the other, however slow it is.
  const byThreads = config.schedule?.kind === 'steps'
  const virtual = (config.mode === 'replay' && !byThreads) || config.timers === 'latency' || config.patient === true
  const { startReplay } = virtual ? await import('./replay/start.ts') : {}
  const session = new Session(config)
  useControl(newControl())
  const hooks = hooksFor(session)
  const paths = config.branches && startPaths(config, 'main', hooks!)
  const transformer = startLoading(session, hooks, recordsMemory(config) || (watchesThreads(config) && 'elements'), false, paths)
  wrapResources(session)
  startClients(session)
  startTurns(session)
  if (config.tests === undefined) beginFirstTurn()
  watchEnding(session)
  if (paths !== undefined) {
    session.beforeEnd.push(finishPaths)
    session.lateNotes.push(pathsNote)
  }
  const children = config.children && watchChildren?.(config.children)
  countOthers(session, children)
  session.alone = children?.alone
  session.told = children?.told
  warmUp(config.root, hooks)
  startReplay?.(config, session)
  if (watchesThreads(config)) watchMainThread(config, configPath, session)
  startCalls(session)
  if (config.tests !== undefined) {
    startTests(session, transformer)
    core.start()
    return
  }
  await beforeTimers()
  // Nothing is waited for from here on: it would be a chain of the program's.
  core.start()
  runMain()
}

function watchMainThread(config: RunConfig, configPath: string, session: Session): void {
  session.threads = () => progress(config)
  const onStuck = (): void => {
    flushPaths()
    session.writeReport()
  }
  startThread({ config, configPath, flags: OWN_FLAGS, task: { name: 'main', id: newTaskId() }, onStuck })
  session.beforeEnd.push(endThread)
  session.lateNotes.push(() => threadNotes().join(' ') || undefined)
}

function startWorker(start: Start): void {
  const config = JSON.parse(readFileSync(start.config, 'utf8')) as RunConfig
  useControl(start.control, start.id)
  const loading: Loading = { config, modules: [], skipped: [], text: { observed: 0, skipped: 0 }, beforeEnd: [] }
  startNames({ config, sites: new LateNames() })
  const hooks = sharedHooks(() => ({ ...IDLE }))
  const paths = config.branches && startPaths(config, start.name, hooks)
  const transformer = startLoading(loading, hooks, 'elements', core.unseen(importsNothing), paths)
  if (start.isText) readyForText((text) => core.unseen(() => transformer?.transform('[worker eval]', text, 'commonjs')))
  const ended = (): void => {
    for (const ask of loading.beforeEnd) ask()
    finishPaths()
    endThread()
    const note = pathsNote()
    const notes = note === undefined ? threadNotes() : [...threadNotes(), note]
    writeWorkerReport(config, start.name, { modules: loading.modules, skipped: loading.skipped, text: loading.text, notes })
  }
  startThread({
    config,
    configPath: start.config,
    flags: OWN_FLAGS,
    task: { name: start.name, id: start.id },
    onStuck: () => {
      flushPaths()
      writeStuck(config)
    },
    worker: { start, ended },
  })
  core.start()
}

/** Is the worker's script a CommonJS module that does not speak of import()? What it requires may still import: those modules are left alone. */
function importsNothing(): boolean {
  const script = commonJsMain()
  return script !== undefined && !readFileSync(script, 'utf8').includes('import(')
}

/** The main thread cannot: it waits. */
function writeStuck(config: RunConfig): void {
  const report = { node: process.version, modules: [], skipped: [], notes: [], events: 0, turns: 0, ...progress(config) }
  writeFileSync(`${config.report}.worker`, JSON.stringify(report))
  renameSync(`${config.report}.worker`, config.report)
}

/** What runs for the first time is slow, and a program whose first timers come late may take another course. */
function warmUp(root: string, hooks: MakeHooks | undefined): void {
  const sites = new LateNames()
  for (let i = 0; i < 20; i++) callChain(sites, root)
  if (hooks !== undefined) warmUpHooks(hooks)
}

function recordsMemory(config: RunConfig): boolean {
  return config.mode === 'record' || config.memory === true
}

/** A replay records no memory unless a property speaks of it; it needs the stand-ins for servers, where they are asked for, and shared memory, if threads are put in order. */
function hooksFor(session: Session): MakeHooks | undefined {
  const { config } = session
  if (recordsMemory(config)) {
    const [memory, calls] = [memoryHooks(session), standInHooks(session)]
    return sharedHooks((file, sites) => (isOfClient(file) ? calls(file, sites) : memory(file, sites)))
  }
  const standIns = config.timers === 'latency' || (config.watch ?? []).length > 0
  if (watchesThreads(config) || standIns || config.branches) startNames(session)
  if (watchesThreads(config)) return sharedHooks(standIns ? standInHooks(session) : () => ({ ...IDLE }))
  if (standIns) return standInHooks(session)
  // Test runners keep the code they have transformed, with its hooks.
  return config.branches || config.tests ? idleHooks : undefined
}

/** `node --test` runs no tests itself: it starts a process for each file. */
function startsTests(): boolean {
  return process.execArgv.includes('--test') && process.env['NODE_TEST_CONTEXT'] === undefined
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
    else if (flags[i] === MORE_STACK) flags.splice(i--, 1)
  }
}

/** Processes the program starts are left alone; the user is told how many. */
function countOthers(session: Session, known: Children | undefined): void {
  let children = 0
  let workers = 0
  core.listen({
    posted(op) {
      if (op.type === 'PROCESSWRAP') children++
      else if (op.type === 'WORKER') workers++
    },
  })
  if (session.config.tests !== undefined) session.lateNotes.push(() => (workers === 0 ? undefined : WORKERS_IN_TESTS))
  session.lateNotes.push(() => {
    const alone = children - (known?.observed() ?? 0) + (known?.waitedFor() ?? 0)
    return alone <= 0 ? undefined : alone === 1 ? '1 child process was left alone.' : `${alone} child processes were left alone.`
  })
}

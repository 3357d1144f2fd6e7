/**
 * The test files of a command, in an order that is the same on every machine, and the command for some of them: used by shards and workers. node:test
 * finds its files by documented rules; Jest and Vitest are asked.
 */
import { spawnSync } from 'node:child_process'
import { readdirSync, statSync } from 'node:fs'
import { join, relative, resolve, sep } from 'node:path'
import { isRecord } from '../base/objects.ts'
import { orNothing } from '../base/or-nothing.ts'
import { toPattern } from '../base/path-glob.ts'
import { HeddleError } from '../errors.ts'
import type { GroupPlan } from '../process/group.ts'
import type { TestCommand } from './command.ts'

export interface TestFiles {
  /** Relative to the folder, with slashes, sorted. */
  readonly files: readonly string[]
  /** The same command for these files alone. */
  commandFor(files: readonly string[]): TestCommand
}

const LIST_MS = 120_000
const MOST_FILES = 100_000

export function testFilesOf(command: TestCommand, cwd: string): TestFiles {
  if (command.runner === 'node:test') return ofNode(command, cwd)
  if (command.runner === 'jest') return ofJest(command, cwd)
  if (command.runner === 'vitest') return ofVitest(command, cwd)
  throw new HeddleError(
    'cannot-split',
    'The files of these tests cannot be told from the command',
    'Give a command that starts node --test, Jest or Vitest itself',
  )
}

type Plan = Omit<GroupPlan, 'stdio'>

const withArgs = (command: TestCommand, args: readonly string[]): TestCommand => ({ ...command, plan: { ...command.plan, args } })

/** Of Node, flags whose value may be the next word. */
const VALUED =
  /^(?:--(?:import|require|loader|experimental-loader|conditions|env-file|title|max-old-space-size|stack-size|(?:experimental-)?test-(?:name-pattern|skip-pattern|reporter|reporter-destination|concurrency|timeout|shard|global-setup|coverage-\w+))|-r|-C)$/

function ofNode(command: TestCommand, cwd: string): TestFiles {
  const { args, cwd: at = cwd } = command.plan
  const flags: string[] = []
  const names: string[] = []
  for (let i = 0; i < args.length; i++) {
    const word = args[i]!
    if (VALUED.test(word)) flags.push(word, args[++i] ?? '')
    else if (word.startsWith('-')) flags.push(word)
    else names.push(word)
  }
  const files = names.length === 0 ? walked(at, '').filter(isUsual) : names.flatMap((name) => filesOf(name, at))
  return { files: [...new Set(files)].sort(), commandFor: (some) => withArgs(command, [...flags, ...some]) }
}

const SCRIPT = /\.[cm]?js$/
const USUAL = /(?:^|\/)(?:test|test-[^/]*|[^/]*[.\-_]test)\.[cm]?js$/

/** What node --test takes without being told. */
const isUsual = (file: string): boolean => USUAL.test(file) || (SCRIPT.test(file) && /(?:^|\/)test\//.test(file))

/** A file, a folder, or a pattern. */
function filesOf(name: string, cwd: string): string[] {
  const path = relative(cwd, resolve(cwd, name)).split(sep).join('/')
  const stat = orNothing(() => statSync(resolve(cwd, name)))
  if (stat?.isFile()) return [path]
  if (stat?.isDirectory()) return walked(cwd, path).filter((file) => SCRIPT.test(file))
  if (!/[*?]/.test(name)) return [path]
  const pattern = toPattern(`/${path}`)
  return walked(cwd, '').filter((file) => pattern.test(`/${file}`))
}

function walked(root: string, from: string): string[] {
  const found: string[] = []
  const look = (at: string): void => {
    for (const entry of orNothing(() => readdirSync(join(root, at), { withFileTypes: true })) ?? []) {
      if (entry.name === 'node_modules' || entry.name === '.heddle' || entry.name === '.git' || found.length >= MOST_FILES) continue
      const path = at === '' ? entry.name : `${at}/${entry.name}`
      if (entry.isDirectory()) look(path)
      else if (entry.isFile()) found.push(path)
    }
  }
  look(from)
  return found
}

function ofJest(command: TestCommand, cwd: string): TestFiles {
  const { args, cwd: at = cwd } = command.plan
  const all = asked('Jest', command.plan, [...args, '--listTests', '--json'], cwd)
  // What says which files to run stands at the end, so that it counts.
  const { script, rest } = withoutFilters(args)
  const files = sortedIn(at, all)
  return { files, commandFor: (some) => withArgs(command, [...script, ...rest, '--runTestsByPath', ...some.map((file) => join(at, file))]) }
}

/** A filter of Vitest is the begin of a path: `a.test.ts` also lets `a.test.tsx` in, which is then run twice and not lost. */
function ofVitest(command: TestCommand, cwd: string): TestFiles {
  const { args, cwd: at = cwd } = command.plan
  const { script, rest, filters } = withoutFilters(args)
  const words = filters.filter((word, i) => i > 0 || !VITEST_COMMANDS.has(word))
  // Nothing is recorded while it lists.
  const plan = { ...command.plan, env: { ...command.plan.env, HEDDLE: 'off' } }
  const files = sortedIn(at, asked('Vitest', plan, [...script, 'list', ...words, ...rest, '--filesOnly', '--json'], cwd))
  return { files, commandFor: (some) => withArgs(command, [...script, 'run', ...some.map((file) => join(at, file)), ...rest]) }
}

const VITEST_COMMANDS = new Set(['run', 'watch', 'dev'])

const sortedIn = (root: string, files: readonly string[]): string[] =>
  [...new Set(files.map((file) => relative(root, file).split(sep).join('/')))].sort()

/** Words that choose files. Values of options cannot be told from them by their looks, so only what stands before the first option counts. */
function withoutFilters(args: readonly string[]): Record<'script' | 'filters' | 'rest', readonly string[]> {
  const script = args.findIndex((word) => /(^|\/)(jest|vitest)(\.[cm]?js)?$/.test(word)) + 1
  const found = args.findIndex((word, i) => i >= script && word.startsWith('-'))
  const end = found < 0 ? args.length : found
  return { script: args.slice(0, script), filters: args.slice(script, end), rest: args.slice(end) }
}

/** A list of paths, or of objects with one. */
function asked(runner: 'Jest' | 'Vitest', plan: Plan, args: readonly string[], cwd: string): string[] {
  const { status, stdout, stderr, error } = spawnSync(plan.file, [...args], {
    cwd: plan.cwd ?? cwd,
    env: plan.env,
    encoding: 'utf8',
    timeout: LIST_MS,
    maxBuffer: 1 << 26,
  })
  const list = status === 0 ? orNothing(() => JSON.parse(stdout.slice(stdout.indexOf('['))) as unknown) : undefined
  const files = Array.isArray(list) ? list.map((one: unknown) => (isRecord(one) ? one['file'] : one)) : []
  if (Array.isArray(list) && files.every((one) => typeof one === 'string')) return files as string[]
  const why = error?.message ?? stderr.trim().split('\n').at(-1) ?? ''
  const how = runner === 'Jest' ? 'Run the command with --listTests' : 'Run `vitest list --filesOnly` with the same options'
  throw new HeddleError('no-list-of-tests', `${runner} does not list its test files: ${why}`, `${how} to see why`)
}

/**
 * The command that runs one test file of a project again, in a fresh Vitest, with the other options of the user's command line. The runner there
 * selects the test: names would have to be made regular expressions, and two tests may share one.
 */
import { join } from 'node:path'
import type { RunAgain } from '../contract.ts'
import type { Project, VitestCore } from './api.ts'

/** What of the user's command line is left out: it says which tests to run, how often, where and how to show it. */
const LEFT_OUT = new Set([
  '--',
  'api',
  'attachmentsDir',
  'bail',
  'c',
  'cache',
  'changed',
  'clearCache',
  'clearScreen',
  'color',
  'compare',
  'config',
  'coverage',
  'dir',
  'exclude',
  'fileParallelism',
  'hideSkippedTests',
  'inspect',
  'inspectBrk',
  'listTags',
  'maxWorkers',
  'mergeReports',
  'minWorkers',
  'open',
  'outputFile',
  'outputJson',
  'passWithNoTests',
  'project',
  'r',
  'related',
  'reporter',
  'reporters',
  'retry',
  'root',
  'run',
  'shard',
  'silent',
  'standalone',
  't',
  'testNamePattern',
  'u',
  'ui',
  'update',
  'w',
  'watch',
])

/** All of RunAgain but the file, which is put in the place of FILE. */
export type AgainInProject = RunAgain

const FILE = '<file>'

export function againFor(vitest: VitestCore, project: Project, options: Readonly<Record<string, unknown>>): AgainInProject | undefined {
  const config = vitest.vite.config.configFile
  // Started by a program of its own, with a config that is in no file: that program cannot be asked to do it again.
  if (config === undefined) return undefined
  const args = [
    join(vitest.distPath, '../vitest.mjs'),
    'run',
    FILE,
    '--root',
    vitest.config.root,
    '--config',
    config,
    '--retry=0',
    '--maxWorkers=1',
    '--no-file-parallelism',
    '--coverage.enabled=false',
    '--reporter=dot',
    '--allowOnly',
    ...flagsOf(options),
  ]
  if (project.name !== '') args.push('--project', project.name)
  // What was passed with snapshots being written must not fail for those that are not there yet.
  if (vitest.config.snapshotOptions.updateSnapshot === 'all') args.push('--update')
  return { args, env: {}, cwd: process.cwd(), process: 'inner' }
}

export const againOf = (again: AgainInProject, file: string): RunAgain => ({
  ...again,
  args: again.args.map((arg) => (arg === FILE ? file : arg)),
})

/** Parsed options as flags again. */
function flagsOf(options: Readonly<Record<string, unknown>>, prefix = ''): string[] {
  const flags: string[] = []
  for (const [name, value] of Object.entries(options)) {
    if (prefix === '' && (LEFT_OUT.has(name) || name.includes('-'))) continue
    const flag = `${prefix}${name}`
    for (const one of Array.isArray(value) ? value : [value]) {
      if (typeof one === 'object' && one !== null) flags.push(...flagsOf(one as Record<string, unknown>, `${flag}.`))
      else if (['string', 'number', 'boolean'].includes(typeof one)) flags.push(`--${flag}=${String(one)}`)
    }
  }
  return flags
}

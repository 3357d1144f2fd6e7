/**
 * Applications with databases (test/databases/apps), each recorded and checked once: is the wrong version FAILED at its row or key, and is the right version silent because of what protects
 * it? It prints the tables of docs/quality.md. Busy loops beside it make the load.
 *
 *   npm run bench:databases [-- --load 16] [--verdict wrong|right] [--replays 20] [--time 60] [--recordings 1] [--out FOLDER] [NAME…]
 *
 * After each check what Heddle printed as JSON is in the folder `--out`.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { loadavg } from 'node:os'
import { join } from 'node:path'
process.env['HEDDLE_TESTS'] = 'all'
const { APPS, cannotRun, installApps, placeApp } = await import('../test/databases/apps.ts')
type App = import('../test/databases/apps.ts').App
type Verdict = import('../test/databases/apps.ts').Verdict
import { areLines, isKind, isMeant, isPlace, isRefused, protections, rulesOf } from '../test/databases/meant.ts'
import { ROOT } from '../test/node-bugs/install.ts'
import { check, NoPassingRun, type CheckJson } from '../test/node-bugs/run.ts'
import { ownDatabases } from '../test/servers/own.ts'
import { Servers } from '../test/servers/start.ts'
import { busy } from './busy.ts'

const words = process.argv.slice(2)
function option(name: string, otherwise: string): string {
  const at = words.indexOf(`--${name}`)
  return at < 0 ? otherwise : words.splice(at, 2)[1]!
}
const load = Number(option('load', '0'))
const verdicts = option('verdict', 'wrong,right').split(',') as Verdict[]
const budget = ['--replays', option('replays', '20'), '--time', option('time', '60')]
const recordings = Number(option('recordings', '1'))
const out = option('out', join(ROOT, '.heddle', `databases-load-${load}`))

interface Row {
  readonly app: App
  readonly verdict: Verdict
  readonly failed: boolean
  /** Is it as it is written beside the application? */
  readonly good: boolean
  readonly place: boolean
  readonly lines: boolean
  readonly words: string
  readonly seconds: number
}

const say = (line: string): void => void process.stderr.write(`${line}\n`)
const servers = new Servers()

async function envOf(app: App, verdict: Verdict): Promise<NodeJS.ProcessEnv> {
  const env = Object.assign({}, ...(await Promise.all(app.needs.map((kind) => servers.get(kind))))) as Record<string, string>
  return ownDatabases(env, 10 + 2 * APPS.indexOf(app) + (verdict === 'right' ? 1 : 0))
}

async function measure(app: App, verdict: Verdict): Promise<Row> {
  const start = performance.now()
  const seconds = (): number => (performance.now() - start) / 1000
  const none = { app, verdict, failed: false, good: false, place: false, lines: false }
  try {
    const env = await envOf(app, verdict)
    const { json, failed } = await check([`${app.name}.mjs`, verdict], budget, placeApp(app, verdict), { limit: 300_000, env })
    writeFileSync(join(out, `${app.name}-${verdict}.json`), JSON.stringify(json, null, 1))
    const best = failed.find((one) => isMeant(one, app)) ?? failed.find((one) => isPlace(one, app)) ?? failed[0]
    if (verdict === 'right') {
      const refused = isRefused(app, json)
      const text = `${failed.map(told).join('; ') || 'silent'}; ${refused ? '' : 'not '}refused for ${rulesOf(app).join(' or ')} (${app.protection}); ${[...new Set(protections(json).map(({ location, by }) => `${location}: ${by}`))].slice(0, 6).join(', ')}`
      return { ...none, failed: failed.length > 0, good: failed.length === 0 && refused, words: text, seconds: seconds() }
    }
    if (best === undefined) return { ...none, words: json.findings.map(told).join('; ') || 'no finding', seconds: seconds() }
    const place = isPlace(best, app)
    const lines = areLines(best, app)
    return { app, verdict, failed: true, good: place && lines && isKind(best, app), place, lines, words: told(best), seconds: seconds() }
  } catch (error) {
    const why = error instanceof NoPassingRun ? 'no recorded run passed' : (error as Error).message.slice(0, 300)
    return { ...none, words: why, seconds: seconds() }
  }
}

const told = ({ status, kind, locations, sites, proof }: CheckJson['findings'][number]): string =>
  `${status} ${kind} at ${locations.join(' + ')} (${sites.map((site) => site.replaceAll(/\S*node_modules\//g, '…/')).join(', ')}) ${proof?.is ?? ''}`.slice(
    0,
    220,
  )

const isAll = words.length === 0
const chosen = APPS.filter(({ name }) => isAll || words.includes(name))
mkdirSync(out, { recursive: true })
say('installing packages')
await installApps()
const stopLoad = busy(load)
process.on('exit', stopLoad)
const rows: Row[] = []
const loads: number[] = []
for (const verdict of verdicts)
  for (const app of chosen)
    for (let nth = 0; nth < recordings; nth++) {
      const lack = cannotRun(app)
      if (lack !== '') {
        say(`${app.name}: ${lack}`)
        continue
      }
      const row = await measure(app, verdict)
      rows.push(row)
      loads.push(loadavg()[0]!)
      say(
        `${row.good ? 'good' : row.failed ? 'FAILED' : '-'} ${app.name} ${verdict}, ${row.seconds.toFixed(0)} s, load ${loads.at(-1)!.toFixed(0)}: ${row.words}`,
      )
    }
await servers.end()
const count = (verdict: Verdict, fits: (row: Row) => boolean): number => rows.filter((row) => row.verdict === verdict && fits(row)).length
const table = [
  `Loops beside it: ${load}. Load ${Math.min(...loads).toFixed(0)} to ${Math.max(...loads).toFixed(0)}. ${budget.join(' ')}.`,
  '',
  '| | checks | FAILED | at its row or key | and two of its lines | exactly as written | silent, refused for its protection |',
  '|---|---:|---:|---:|---:|---:|---:|',
  `| wrong | ${count('wrong', () => true)} | ${count('wrong', (r) => r.failed)} | ${count('wrong', (r) => r.place)} | ${count('wrong', (r) => r.place && r.lines)} | ${count('wrong', (r) => r.good)} | |`,
  `| right | ${count('right', () => true)} | ${count('right', (r) => r.failed)} | | | | ${count('right', (r) => r.good)} |`,
  '',
  ...rows.filter(({ good }) => !good).map(({ app, verdict, words: what }) => `- ${app.name}, ${verdict}: ${what}`),
].join('\n')
writeFileSync(join(out, 'table.md'), `${table}\n`)
console.log(table)

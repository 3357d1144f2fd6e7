/**
 * Applications with databases (test/databases/apps), each recorded and checked: is the wrong version FAILED at its row or key, and is the right version silent because of what protects
 * it? It prints the tables of docs/quality.md, one line for each load and version.
 *
 *   npm run bench:databases [-- --load 0,16] [--verdict wrong|right] [--replays 20] [--time 60] [--recordings 1] [--out FOLDER] [NAME…]
 *
 * `--load` is the number of busy loops beside it. After each check what Heddle printed as JSON and the tables so far (table.md) are in the folder `--out`. Started again with the same
 * folder it goes on: what rows.json has there is not checked again.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
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
const loops = option('load', '0,16').split(',').map(Number)
const verdicts = option('verdict', 'wrong,right').split(',') as Verdict[]
const budget = ['--replays', option('replays', '20'), '--time', option('time', '60')]
const recordings = Number(option('recordings', '1'))
const out = option('out', join(ROOT, '.heddle', 'databases-checked'))

/** What one check has shown. */
interface Shown {
  /** No run could be recorded, or the check itself ended badly. */
  readonly error: boolean
  readonly failed: boolean
  /** Is it as it is written beside the application? */
  readonly good: boolean
  readonly place: boolean
  readonly lines: boolean
  readonly words: string
}
interface Row extends Shown {
  readonly name: string
  readonly verdict: Verdict
  readonly loops: number
  readonly nth: number
  readonly load: number
  readonly seconds: number
}

const say = (line: string): void => void process.stderr.write(`${line}\n`)
const servers = new Servers()

async function envOf(app: App, verdict: Verdict): Promise<NodeJS.ProcessEnv> {
  const env = Object.assign({}, ...(await Promise.all(app.needs.map((kind) => servers.get(kind))))) as Record<string, string>
  return ownDatabases(env, 10 + 2 * APPS.indexOf(app) + (verdict === 'right' ? 1 : 0))
}

async function shownBy(app: App, verdict: Verdict, file: string): Promise<Shown> {
  const none = { error: false, failed: false, good: false, place: false, lines: false }
  try {
    const env = await envOf(app, verdict)
    const { json, failed } = await check([`${app.name}.mjs`, verdict], budget, placeApp(app, verdict), { limit: 300_000, env })
    writeFileSync(file, JSON.stringify(json, null, 1))
    if (verdict === 'right') {
      const refused = isRefused(app, json)
      const text = `${failed.map(told).join('; ') || 'silent'}; ${refused ? '' : 'not '}refused for ${rulesOf(app).join(' or ')} (${app.protection}); ${[...new Set(protections(json).map(({ location, by }) => `${location}: ${by}`))].slice(0, 6).join(', ')}`
      return { ...none, failed: failed.length > 0, good: failed.length === 0 && refused, words: text }
    }
    const best = failed.find((one) => isMeant(one, app)) ?? failed.find((one) => isPlace(one, app)) ?? failed[0]
    if (best === undefined) return { ...none, words: json.findings.map(told).join('; ') || 'no finding' }
    const [place, lines] = [isPlace(best, app), areLines(best, app)]
    return { error: false, failed: true, good: place && lines && isKind(best, app), place, lines, words: told(best) }
  } catch (error) {
    return {
      ...none,
      error: true,
      words: error instanceof NoPassingRun ? 'no recorded run passed' : (error as Error).message.slice(0, 300),
    }
  }
}

const told = ({ status, kind, locations, sites, proof }: CheckJson['findings'][number]): string =>
  `${status} ${kind} at ${locations.join(' + ')} (${sites.map((site) => site.replaceAll(/\S*node_modules\//g, '…/')).join(', ')}) ${proof?.is ?? ''}`.slice(
    0,
    220,
  )

/** `41 of 44`. */
const rate = (rows: readonly Row[], fits: (row: Row) => boolean): string => `${rows.filter(fits).length} of ${rows.length}`

function lineOf(rows: readonly Row[], beside: number, verdict: Verdict): string[] {
  const these = rows.filter((row) => row.loops === beside && row.verdict === verdict)
  if (these.length === 0) return []
  const loads = these.map(({ load }) => load)
  const cells = [
    `${verdict}, ${beside} loops`,
    `${Math.min(...loads).toFixed(0)} to ${Math.max(...loads).toFixed(0)}`,
    rate(these, ({ failed }) => failed),
    verdict === 'wrong' ? rate(these, ({ place }) => place) : '',
    verdict === 'wrong' ? rate(these, ({ place, lines }) => place && lines) : '',
    verdict === 'wrong' ? rate(these, ({ good }) => good) : '',
    verdict === 'right' ? rate(these, ({ good }) => good) : '',
    `${these.filter(({ error }) => error).length}`,
  ]
  return [`| ${cells.join(' | ')} |`]
}

const tablesOf = (rows: readonly Row[]): string =>
  [
    `${budget.join(' ')}, ${recordings} recording${recordings === 1 ? '' : 's'} of each.`,
    '',
    '| | load | FAILED | at its row or key | and two of its lines | exactly as written | silent, refused for its protection | not recorded |',
    '|---|---|---:|---:|---:|---:|---:|---:|',
    ...loops.flatMap((beside) => verdicts.flatMap((verdict) => lineOf(rows, beside, verdict))),
    '',
    ...rows
      .filter(({ good }) => !good)
      .map((row) => `- ${row.name}, ${row.verdict}, ${row.loops} loops, load ${row.load.toFixed(0)}: ${row.words}`),
    '',
  ].join('\n')

const chosen = APPS.filter(({ name }) => words.length === 0 || words.includes(name))
mkdirSync(out, { recursive: true })
const kept = join(out, 'rows.json')
const rows = existsSync(kept) ? (JSON.parse(readFileSync(kept, 'utf8')) as Row[]) : []
say('installing packages')
await installApps()
for (const app of chosen) if (cannotRun(app) !== '') say(`${app.name}: ${cannotRun(app)}`)
for (const beside of loops) {
  const stopLoad = busy(beside)
  process.on('exit', stopLoad)
  for (const app of chosen.filter((one) => cannotRun(one) === ''))
    for (const verdict of verdicts)
      for (let nth = 1; nth <= recordings; nth++) {
        const { name } = app
        if (rows.some((row) => row.name === name && row.verdict === verdict && row.loops === beside && row.nth === nth)) continue
        const start = performance.now()
        const shown = await shownBy(app, verdict, join(out, `${name}-${verdict}-${beside}-${nth}.json`))
        const row = { ...shown, name, verdict, loops: beside, nth, load: loadavg()[0]!, seconds: (performance.now() - start) / 1000 }
        rows.push(row)
        writeFileSync(kept, JSON.stringify(rows, null, 1))
        writeFileSync(join(out, 'table.md'), tablesOf(rows))
        const word = row.good ? 'good' : row.failed ? 'FAILED' : '-'
        say(`${word} ${name} ${verdict}, ${beside} loops, ${row.seconds.toFixed(0)} s, load ${row.load.toFixed(0)}: ${row.words}`)
      }
  stopLoad()
}
await servers.end()
console.log(tablesOf(rows))

/**
 * How much SQL of other projects is read: statements that stand in their files as complete texts (string literals, templates without holes, *.sql files) and that PostgreSQL's own
 * parser accepts. Each text once, parameters are texts. With a row: of those with WHERE or VALUES, the share with at least one row that is told apart.
 *
 *   npm run bench:sql [-- DIR…]
 *
 * Without folders it takes packages from npm, installed for the measurement; DIR is a checkout of a project, with its tests.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, extname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { readRequest } from '../src/clients/read.ts'
import { installPackages, ROOT } from '../test/node-bugs/install.ts'
import { table } from './measure.ts'

const FOLDER = join(ROOT, '.heddle/sql')
const PACKAGES = {
  'connect-pg-simple': '10.0.0',
  'drizzle-orm': '0.45.4',
  'graphile-worker': '0.18.0',
  knex: '3.3.0',
  'node-pg-migrate': '9.0.0',
  'pg-boss': '10.1.6',
  sequelize: '6.37.8',
  typeorm: '1.1.1',
}
await installPackages(FOLDER, { ...PACKAGES, 'libpg-query': '18.1.5' })
const parser = (await import(pathToFileURL(join(FOLDER, 'node_modules/libpg-query/wasm/index.js')).href)) as {
  loadModule(): Promise<void>
  parseSync(text: string): unknown
}
await parser.loadModule()

const BEGINS = /^\s*(select|insert|update|delete|with|merge|create|alter|drop|truncate|lock|begin|commit|rollback|set)\s/i
const MOST_LETTERS = 20_000
/** Its parameters are an operator to PostgreSQL's parser. */
const OF_SQL_SERVER = /@\d/

function* filesIn(folder: string): Generator<string> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory() && !/^(node_modules|\.git)$/.test(entry.name)) yield* filesIn(path)
    else if (/^\.([cm]?[jt]s|sql)$/.test(extname(entry.name)) && !entry.name.endsWith('.d.ts') && statSync(path).size < 2e6) yield path
  }
}

function textsIn(file: string): string[] {
  const source = readFileSync(file, 'utf8')
  if (file.endsWith('.sql')) return source.split(/;\s*\n/)
  return [...source.matchAll(LITERAL)]
    .map(([, one, two, template]) => (template?.includes('${') === true ? '' : (one ?? two ?? template ?? '')))
    .map((text) => text.replaceAll(/\\(.)/gs, (_, letter: string) => (letter === 'n' ? '\n' : letter)))
}

/** A string, or a template. */
const LITERAL = /'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\]|\\.)*)`/gs

/** With `$1` for `?`, as builders of queries send it. */
function numbered(text: string): string {
  let n = 0
  return text.replaceAll('?', () => `$${++n}`)
}

function accepts(text: string): boolean {
  try {
    parser.parseSync(text)
    return true
  } catch {
    return false
  }
}

const PARAMS = Array.from({ length: 64 }, (_, i) => `p${i}`)
const rows = [['project', 'statements', 'understood', 'with WHERE or VALUES', 'with a row']]
const share = (n: number, of: number): string => (of === 0 ? '0' : `${n} (${((100 * n) / of).toFixed(1)} %)`)
const sum = [0, 0, 0, 0]
const folders = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(PACKAGES).map((name) => join(FOLDER, 'node_modules', name))
for (const folder of folders) {
  const texts = new Set<string>()
  for (const file of filesIn(folder))
    for (const text of textsIn(file))
      if (text.length < MOST_LETTERS && BEGINS.test(text) && !OF_SQL_SERVER.test(text)) {
        const found = [text, numbered(text)].find(accepts)
        if (found !== undefined) texts.add(found.trim())
      }
  const counts = [texts.size, 0, 0, 0]
  for (const text of texts) {
    const { understood, touches } = readRequest({ kind: 'sql', dialect: 'postgres' }, text, PARAMS)
    if (understood) counts[1]!++
    if (!/\b(where|values)\b/i.test(text)) continue
    counts[2]!++
    if (touches.some(({ part }) => part !== undefined)) counts[3]!++
  }
  counts.forEach((n, i) => (sum[i]! += n))
  rows.push(line(basename(folder), counts))
}
rows.push(line('all', sum))
console.log(table(rows))

function line(name: string, [all, understood, asked, keyed]: readonly number[]): string[] {
  return [name, `${all}`, share(understood!, all!), `${asked}`, share(keyed!, asked!)]
}

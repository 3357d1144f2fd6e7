/** Libraries from Maven Central under a small load: recorded they do what they do without, every class is observed, and replays find nothing. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, delimiter, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { compile, noJava } from '../java/java.ts'
import { ROOT } from '../node-bugs/install.ts'
import { checkedFrom, node, run, told } from '../node-bugs/run.ts'
import { jarsOf } from './maven.ts'

const HERE = join(ROOT, 'test/java-libraries')
const jars = noJava === '' ? jarsOf(join(HERE, 'pom.xml')) : []
const why = noJava !== '' ? noJava : 'missing' in jars ? ` (skipped: ${jars.missing})` : ''

/** So many classes are observed at least. */
const DRIVERS: readonly (readonly [name: string, classes: number, replays: number])[] = [
  ['Caffeine', 30, 6],
  ['Guava', 50, 6],
  ['H2', 200, 0],
  ['Derby', 300, 0],
  ['Hikari', 200, 0],
  ['Jetty', 100, 0],
]

describe.skipIf(why !== '')(`libraries${why}`, () => {
  const dir = mkdtempSync(join(tmpdir(), 'heddle-libraries-'))
  afterAll(() => rmSync(dir, { recursive: true, force: true }))
  const classPath = [join(dir, 'classes'), ...(jars as readonly string[])].join(delimiter)
  beforeAll(() => {
    const sources = readdirSync(join(HERE, 'drivers')).map((name) => join(HERE, 'drivers', name))
    compile(join(dir, 'classes'), ['-nowarn', '-cp', classPath, ...sources])
  })

  test.each(DRIVERS)('%s', async (name, classes, replays) => {
    const cwd = mkdtempSync(join(dir, `${name}-`))
    const words = ['java', '-cp', classPath, name]
    const plain = await run('java', words.slice(1), cwd)
    expect(plain.code, plain.err).toBe(0)
    // Where nothing is replayed the recorded run is what counts.
    const options = ['--json', '--replays', String(replays), '--time', replays === 0 ? '5' : '600']
    const checked = checkedFrom(await node([join(ROOT, 'bin/heddle.js'), 'check', ...options, '--', ...words], cwd, 900_000))
    expect(printed(checked.program)).toContain(plain.out)
    expect(checked.failed, told(checked)).toEqual([])
    expect(checked.code).toBe(0)
    const [folder] = readdirSync(join(cwd, '.heddle/runs'))
    const { observed } = JSON.parse(readFileSync(join(cwd, '.heddle/runs', folder!, 'recording.json'), 'utf8')) as Recorded
    console.log(`${basename(name)}: ${observed.modules.length} classes observed`)
    expect(observed.skipped).toEqual([])
    expect(observed.modules.length).toBeGreaterThan(classes)
  })
})

const printed = (text: string): string => text.replaceAll(/^SLF4J.*\n/gm, '')

interface Recorded {
  readonly observed: { readonly modules: readonly string[]; readonly skipped: readonly unknown[] }
}

/**
 * A published bug of a C library (https://github.com/akheron/jansson/issues/387): release 2.10 has it, 2.11 does not. The sources are not in this repository: HEDDLE_JANSSON names a folder with
 * `2.10` and `2.11`, each a checkout of that tag.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { checkedFrom, node } from '../node-bugs/run.ts'
import { HEDDLE, ownFolder } from '../programs/marked.ts'
import { cannot } from '../programs/native.ts'

const SOURCES = process.env['HEDDLE_JANSSON'] ?? ''
const why = cannot !== '' ? cannot : SOURCES === '' ? 'HEDDLE_JANSSON is not set' : ''

/** What `configure` would put in, here. */
const HAVE = [
  'STDINT_H',
  'UNISTD_H',
  'FCNTL_H',
  'SYS_TYPES_H',
  'SYS_STAT_H',
  'SYS_TIME_H',
  'OPEN',
  'READ',
  'CLOSE',
  'GETPID',
  'GETTIMEOFDAY',
]
const PRIVATE = [...HAVE, 'ATOMIC_BUILTINS', 'SYNC_BUILTINS'].map((name) => `#define HAVE_${name} 1\n`).join('')

async function checked(driver: string, version: string): Promise<ReturnType<typeof checkedFrom>> {
  const cwd = ownFolder()
  const source = join(SOURCES, version, 'src')
  const template = readFileSync(join(source, 'jansson_config.h.in'), 'utf8')
  writeFileSync(join(cwd, 'jansson_config.h'), template.replace('@json_inline@', 'inline').replaceAll(/@\w+@/g, '1'))
  writeFileSync(join(cwd, 'jansson_private_config.h'), `${PRIVATE}#define INITIAL_HASHTABLE_ORDER 3\n`)
  const files = readdirSync(source).filter((file) => file.endsWith('.c'))
  const file = join(import.meta.dirname, 'drivers', `${driver}.c`)
  const words = ['-pthread', '-DHAVE_CONFIG_H', `-I${cwd}`, `-I${source}`, '-o', driver, file, ...files.map((name) => join(source, name))]
  expect(await node([HEDDLE, 'cc', '-g', ...words], cwd, 300_000)).toMatchObject({ code: 0 })
  return checkedFrom(await node([HEDDLE, 'check', '--json', '--time', '300', '--', join(cwd, driver)], cwd, 600_000))
}

describe.skipIf(why !== '')(`jansson${why === '' ? '' : ` (skipped: ${why})`}`, () => {
  test.each([
    ['jansson-dump', 'json_dumps gave nothing', /dump\.c/],
    ['jansson-references', 'references left', /jansson\.h/],
  ])(
    '%s: 2.10 fails with the symptom of the report, 2.11 is silent',
    async (driver, symptom, place) => {
      const old = await checked(driver, '2.10')
      expect(JSON.stringify(old.failed.map(({ failure }) => failure))).toContain(symptom)
      expect(old.failed.flatMap(({ sites }) => sites).some((site) => place.test(basename(site.split(' ')[0]!)))).toBe(true)
      const fixed = await checked(driver, '2.11')
      expect([fixed.code, fixed.failed]).toEqual([0, []])
    },
    900_000,
  )
})

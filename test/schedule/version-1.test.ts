/**
 * Schedules of version 1, as people have committed them: read as ones of this version, and replayed. The files in version-1/ were written by the last Heddle of that
 * version, from the programs in programs/ (`holds.json`: from test/native-delay/varies.c) and are not to be written anew.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, test } from 'vitest'
import { migrated } from '../../src/schedule/migrate.ts'
import { readSchedule } from '../../src/schedule/read.ts'
import { parseSaved, type Saved } from '../../src/schedule/saved.ts'
import { SCHEDULE_VERSION } from '../../src/schedule/schedule.ts'
import { place } from '../check/program.ts'
import { noNative, Workshop } from '../seeds/native-programs.ts'

type Json = Record<string, unknown>

const here = (name: string): string => fileURLToPath(new URL(name, import.meta.url))
const text = (name: string): string => readFileSync(here(`version-1/${name}.json`), 'utf8')
const json = (name: string): { schedule: Json } => JSON.parse(text(name)) as { schedule: Json }
const saved = (name: string): Saved => parseSaved(json(name), name) as Saved

describe('what becomes of the fields', () => {
  test.each([
    ['plain', 'plain', ['heddle', 'command', 'timers', 'kind']],
    ['delays', 'delays', ['heddle', 'command', 'timers', 'kind', 'delays', 'horizon', 'expect']],
    ['waylay', 'delays', ['heddle', 'command', 'timers', 'kind', 'delays', 'horizon', 'expect']],
    ['steps', 'steps', ['heddle', 'command', 'timers', 'kind', 'steps']],
    ['holds', 'holds', ['heddle', 'command', 'timers', 'kind', 'holds']],
  ])('%s is of the kind %s', (name, kind, fields) => {
    const { schedule } = saved(name)
    expect(schedule).toMatchObject({ heddle: SCHEDULE_VERSION, kind })
    expect(Object.keys(schedule).sort()).toEqual(fields.sort())
  })

  test('delays and steps are the instructions and steps of version 1', () => {
    expect(saved('delays').schedule).toMatchObject({
      delays: json('delays').schedule['instructions'],
      horizon: json('delays').schedule['horizon'],
      expect: json('delays').schedule['expect'],
    })
    expect(saved('waylay').schedule).toMatchObject({ delays: [{ do: 'waylay', kind: 'fs', until: { call: 'close' } }] })
    expect(saved('steps').schedule).toMatchObject({ steps: json('steps').schedule['steps'] })
    const loose = readSchedule({ ...json('steps').schedule, lastFirst: true, sleeps: ['a.mjs:1:1'] })
    expect(loose).toMatchObject({ kind: 'steps', lastFirst: true, sleeps: ['a.mjs:1:1'] })
  })

  test('a hold of a thread had its numbers among the places', () => {
    expect(saved('holds').schedule).toEqual({
      heddle: SCHEDULE_VERSION,
      kind: 'holds',
      command: ['./varies'],
      timers: 'due',
      holds: [
        {
          does: 'read',
          at: 'varies.c:30 use',
          until: { does: 'free', at: 'varies.c:35 drop' },
          most: 10,
          ms: 300,
          from: 1,
          places: { held: ['varies+0x12b4'], until: ['varies+0x1324'], kinds: [1, 61] },
          note: 'Who comes to read at varies.c:30 use waits until another thread has come to free at varies.c:35 drop',
        },
      ],
    })
  })

  test('what is wrong in an old file is said in the words of this version', () => {
    const old = json('delays').schedule
    expect(readSchedule({ ...old, instructions: undefined })).toEqual({ wrong: '"delays" is missing' })
    expect(readSchedule({ ...old, instructions: [7] })).toEqual({ wrong: '"delays[0]" is not an object' })
    expect(readSchedule({ ...old, horizon: undefined })).toEqual({ wrong: '"horizon" is missing' })
    const hold = (json('holds').schedule['instructions'] as Json[])[0]!
    for (const bad of [{ places: 'here' }, { until: 'later' }, { most: 'often' }])
      expect(readSchedule({ ...json('holds').schedule, instructions: [{ ...hold, ...bad }] }), JSON.stringify(bad)).toMatchObject({
        wrong: expect.stringMatching(/^"holds\[0\]/),
      })
    expect(migrated({ heddle: 7 })).toBeUndefined()
  })
})

describe('a schedule of version 1 replays', () => {
  const program = (name: string): string => readFileSync(here(`programs/${name}`), 'utf8')
  const { heddle } = place({
    'tickets.mjs': program('tickets.mjs'),
    'stock.mjs': program('stock.mjs'),
    'unpaid.mjs': program('unpaid.mjs'),
    'varies.mjs': program('varies.mjs'),
    'varies.prop': program('varies.prop'),
    ...Object.fromEntries(['plain', 'delays', 'waylay', 'steps'].map((name) => [`${name}.json`, text(name)])),
  })

  test.each([
    ['plain', 'is shipped before it is paid'],
    ['delays', 'The last ticket was sold to ann and to bob'],
    ['waylay', 'File'],
    ['steps', '2 taken, -1 left, and there was one'],
  ])('%s', (name, failure) => {
    const { code, out, err } = heddle(['replay', `${name}.json`, '--runs', '1', '--yes'])
    expect(err).toBe('')
    expect(out).toContain('replay 1: failed')
    expect(out).toContain(failure)
    expect(code).toBe(1)
  })

  const workshop = new Workshop()
  afterAll(() => workshop.close())

  test.skipIf(noNative !== '')(`holds ${noNative}`, async () => {
    const source = fileURLToPath(new URL('../native-delay/varies.c', import.meta.url))
    const built = workshop.build(source)
    // Where its instructions are depends on the compiler.
    const { pcs } = await workshop.record(built, join(source, '..'))
    const at = (place: unknown): readonly string[] => [...pcs].find(([site]) => site.split(' < ')[0] === place)![1]
    const { schedule, ...rest } = json('holds')
    const [hold] = schedule['instructions'] as (Json & { until: Json; places: Json })[]
    const places = { ...hold!.places, held: at(hold!['posted']), until: at(hold!.until['at']) }
    const old = { ...rest, schedule: { ...schedule, command: [built], instructions: [{ ...hold, places }] } }
    const there = place({ 'holds.json': JSON.stringify(old) })
    const { out, code } = there.heddle(['replay', 'holds.json', '--runs', '1', '--yes'])
    expect(out).toContain('replay 1: failed')
    expect(code).toBe(1)
  })
})

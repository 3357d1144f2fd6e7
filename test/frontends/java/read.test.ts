/** Files that the agent left, whole and broken. test/fuzz changes them at random. */
import { mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { readHead } from '../../../src/frontends/java/raw.ts'
import { readJavaRun } from '../../../src/frontends/java/read-run.ts'
import { parseResult } from '../../../src/frontends/java/result.ts'
import { Sources } from '../../../src/frontends/java/sources.ts'
import { readTables } from '../../../src/frontends/java/tables.ts'
import { OPS } from '../../../src/trace/ops.ts'
import { RUN, writeJavaRun } from './raw-file.ts'

const folders: string[] = []
afterAll(() => folders.forEach((folder) => rmSync(folder, { recursive: true, force: true })))

function written(text = RUN): string {
  const folder = mkdtempSync(join(tmpdir(), 'heddle-java-'))
  folders.push(folder)
  writeJavaRun(folder, text)
  return folder
}

const read = (folder: string) => readJavaRun(folder, new Sources(folder, []))
const namesOf = (names: Iterable<string>): string[] => [...names].toSorted()

test('a run is read into tasks, locations, locks and signals with names', () => {
  const { trace, notes, created } = read(written())
  expect(notes).toEqual([])
  expect(created).toBe(1)
  expect([...trace.tables.tasks]).toEqual(['main', 'thread 1'])
  expect(namesOf(trace.tables.locations)).toEqual([
    'ArrayList#1',
    'Bank#1.balance',
    'interrupt of thread 1',
    'object#3',
    'permit of thread 1',
  ])
  expect(namesOf(trace.tables.locks)).toEqual(['Bank#1', 'once Bank', 'semaphore object#1'])
})

test('who counts down an open latch is not waited for', () => {
  const { trace } = read(
    written(`
    main: create 1
    thread 1: begin
    main: permits 9 1 =1
    main: latch_down 9
    thread 1: latch_down 9
    main: latch_await 9
    thread 1: latch_await 9
  `),
  )
  expect([...trace.tables.signals]).toEqual(['latch object#1 #1'])
})

test('a semaphore that another thread gives back is no lock', () => {
  const { trace } = read(
    written(`
    main: create 1
    thread 1: begin
    main: permits 8 0 =1
    main: sem_wait 8 0 =1
    thread 1: sem_post 8 0 =1
    main: sem_wait 8 0 =1
  `),
  )
  expect([...trace.tables.locks]).toEqual([])
  expect([...trace.tables.signals]).toEqual(['semaphore object#1'])
})

test('without an order between threads one is found in which every read sees what was written, and every notification is in time', () => {
  const folder = written(`
    main: create 1
    thread 1: begin
    main: lock 5
    main: write 5 1 =7
    main: broadcast 5
    main: unlock 5
    thread 1: lock 5
    thread 1: wait 5 0 =1
    thread 1: woken 5 0 =1
    thread 1: read 5 1 =7
    thread 1: unlock 5
    main: write 5 1 =9
  `)
  writeFileSync(join(folder, 'config'), 'mode record\norder task\n')
  const { trace, notes } = read(folder)
  expect(notes).toEqual(['The order between threads was not recorded. The one that is shown explains what was read.'])
  const order = [...trace.recordedOrder()].filter((e) => /^(r|w)$/.test(OPS[trace.op[e]!]!.text))
  expect(order.map((e) => `${OPS[trace.op[e]!]!.text} ${trace.tables.values.textOf(trace.value[e]!)}`)).toEqual(['w 7', 'r 7', 'w 9'])
})

test('a file that was cut anywhere is read up to its last whole record', () => {
  const whole = read(written()).trace.eventCount
  for (const bytes of [64, 80, 96, 200, 413]) {
    const folder = written()
    truncateSync(join(folder, 'threads/1.raw'), bytes)
    expect(read(folder).trace.eventCount).toBeLessThan(whole)
  }
})

test('a file without a head is left out, and said', () => {
  const folder = written()
  writeFileSync(join(folder, 'threads/1.raw'), 'HDJAVA01')
  expect(readHead(join(folder, 'threads/1.raw'))).toBeUndefined()
  expect(read(folder).notes).toEqual([expect.stringContaining('1.raw')])
})

test('tables that are missing or broken leave places without names', () => {
  const folder = written()
  const good = readFileSync(join(folder, 'tables'), 'utf8')
  for (const text of [
    '',
    's\nf\t\nc\t-1\tx\ns\t99999999999\ta\tb\tc\td',
    good.slice(0, 40),
    good.replaceAll('\t', ' '),
    's\t1\t\u0007\t\t\tx',
  ]) {
    writeFileSync(join(folder, 'tables'), text)
    expect(() => read(folder)).not.toThrow()
  }
  rmSync(join(folder, 'tables'))
  expect(readTables(folder)).toMatchObject({ sites: [], fields: [], classes: [] })
})

test('a result is read line by line, and what is not known is left out', () => {
  const good =
    'start 17|/jdk\nline 1 20 pack/Bank.pay:12\ngave-up 2 it has to wait\nwaits main|20|Bank|1|pack/Bank.pay:12|thread 1\ndeadlock\n'
  expect(parseResult(good)).toMatchObject({
    started: '17',
    lines: ['pack/Bank.pay:12'],
    gaveUp: { line: 2, why: 'it has to wait' },
    waits: [{ thread: 'main', kind: 20, type: 'Bank', place: 'pack/Bank.pay:12', holder: 'thread 1' }],
    deadlock: true,
  })
  expect(parseResult('uncaught thread 1|E|two\x01lines|a|b').uncaught).toEqual([
    { thread: 'thread 1', type: 'E', message: 'two\nlines', stack: ['a', 'b'] },
  ])
  for (const text of [
    '',
    '\n\n',
    'start',
    'line',
    'gave-up x',
    'waits',
    'waits |||',
    'uncaught',
    'delay',
    'delay x y',
    '\0\x01',
    'nothing known',
  ])
    expect(() => parseResult(text)).not.toThrow()
})

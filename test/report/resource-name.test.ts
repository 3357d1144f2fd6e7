/** Names of locations: those of the source lines that access them. */
import { expect, test } from 'vitest'
import { titleOf } from '../../src/report/finding-words.ts'
import { namesIn } from '../../src/report/resource-name.ts'
import type { OrderRow } from '../../src/schedule/order.ts'

/** One access of each location, at a line of its own: `a.js:1:COLUMN`, where COLUMN is that of `|` in the text. */
function named(accesses: readonly (readonly [location: string, text: string])[]) {
  const texts = accesses.map(([, text]) => text.replace('|', ''))
  const row = {
    accesses: accesses.map(([location, text], i) => ({
      access: 'write',
      location,
      value: '',
      site: `a.js:${i + 1}:${text.indexOf('|') + 1} f`,
    })),
  } as Partial<OrderRow> as OrderRow
  const rows = { observed: [], failing: [row] }
  const line = ({ line: number }: { line: number }): string => texts[number - 1] ?? ''
  const title = titleOf(
    { ...rows, kind: 'order-violation', pattern: 'write order', locations: accesses.map(([location]) => location) },
    line,
  )
  return { names: accesses.map(([location]) => namesIn(rows, line)(location)), title }
}

test('a collection as a whole has the name of the variable or field that the call goes to', () => {
  expect(
    named([
      ['Map#17<>', "socket.on('close', () => online|.delete(name))"],
      ['Array#3[]', 'this.queue|.push(job)'],
      ['Array#4[*]', 'const all = jobs|.map(run)'],
      ['Set#5<>', '|for (const one of seen) use(one)'],
    ]).names,
  ).toEqual(['online', 'this.queue', 'jobs', 'Set#5<>'])
})

test('a title names the entry, and not the collection beside it', () => {
  const { title } = named([
    ['Map#17<>', '|online.set(name, p)'],
    ['Map#17<"ann">', '|online.set(name, p)'],
  ])
  expect(title).toContain('online["ann"]')
  expect(title).not.toMatch(/online,|Map#17/)
})

test('a stream has the name of the variable it was opened into, else of the place', () => {
  const opened = namedAt('stream log.c:13#1', '  FILE *out = fopen(path, "w");')
  expect(opened).toBe('out')
  expect(namedAt('stream log.c:13#1', '  use(fopen(path, "w"));')).toBe('stream opened at log.c:13')
})

/** With this text at the place that the location names. */
function namedAt(location: string, text: string): string {
  const row = (nth: number): OrderRow => ({
    turn: { label: 'thread 1', nth },
    name: 'thread 1',
    chain: 'thread 1',
    offLoop: false,
    posted: '',
    at: 0,
    accesses: [{ access: 'use', location, site: 'log.c:20:1 write' }],
  })
  return namesIn({ observed: [row(1)], failing: [row(1)] }, ({ line }) => (line === 13 ? text : ''))(location)
}

test('a place on a stack has the name of what is written there, and else no number', () => {
  for (const place of ["main's stack 0x7ffd1230", "main's stack -0x40", "thread 1's stack -0xfc0 (2nd)", "main's stack +0x8"]) {
    expect(named([[place, '|own = 1;']]).names).toEqual(['own'])
    expect(named([[place, '|use(&own);']]).names).toEqual([place.replace(/stack .*/, 'stack')])
  }
})

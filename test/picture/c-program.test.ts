/** Pictures and texts of C programs have the words of C programs: `free(q)` is "free", and not a write. */
import { expect, test } from 'vitest'
import { findingLines } from '../../src/report/finding-text.ts'
import { scheduleLines } from '../../src/report/schedule-text.ts'
import { finding, prediction } from './c-program.ts'
import { golden } from './golden.ts'
import { wrongWith } from './sound.ts'
import { textOf } from './text.ts'

test('a picture of a C program', () => {
  const { picture } = finding()
  expect(wrongWith(picture!)).toEqual([])
  expect(picture!.failingIs).toBe('replay')
  golden('queue.txt', textOf(picture!))
  expect(picture!.verbs).toMatchObject({ free: 'frees', create: 'starts', lock: 'takes', allocate: 'allocates' })
})

test('the same on the terminal, with its schedule', () => {
  const lines = findingLines(finding(), 1, { width: 100, colour: false, root: () => '', verbose: false })
  golden('queue-terminal.txt', `${[...lines, '', ...scheduleLines(prediction.schedule)].join('\n')}\n`)
  expect(lines.join('\n')).not.toMatch(/\b(fork|worker|writes)\b/)
})

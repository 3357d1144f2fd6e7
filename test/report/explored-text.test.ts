/** "All N classes … were run" is said only where nothing is left, undecided or out of sight. */
import { expect, test } from 'vitest'
import { Coverage, type CoverageRow } from '../../src/coverage.ts'
import { lookedAtText } from '../../src/report/coverage-text.ts'

const ALL = 'All 3 classes of schedules of this input were run (sequential consistency).'

function said(change: (row: CoverageRow) => void): string {
  const coverage = new Coverage()
  coverage.row('threads').count({ threads: 2, active: 2, steps: 8, cells: 1 })
  const row = coverage.row('exploration')
  row.count({ runs: 2, classes: 3, partial: 0, failures: 0, depth: 2 })
  change(row)
  coverage.assertAddsUp()
  return lookedAtText({
    coverage: coverage.saved(),
    recorded: { events: 8, modules: 0, skipped: [] },
    replays: 2,
    plain: 0,
    notReplayed: 0,
  })
}

test('it is said where nothing is left', () => {
  expect(said(() => undefined)).toContain(`${ALL} None fails.`)
  expect(said((row) => row.count({ failures: 1 }))).toContain(`${ALL} Some of them fail.`)
})

const unknown =
  (why: string) =>
  (row: CoverageRow): void => {
    row.propose()
    row.settle('unknown', why)
  }

test.each([
  ['time ended', (row: CoverageRow) => row.cutOff('time')],
  ['replays ended', (row: CoverageRow) => row.cutOff('limit', 4)],
  ['not all departures are asked about', (row: CoverageRow) => row.count({ partial: 1 })],
  ['a run showed nothing new', unknown('nothing new came of it')],
  ['a run went another way', unknown('the threads went another way')],
  ['the decider gave up', unknown('conflicts')],
  ['a step would have to be divided', unknown('inside one step')],
  ['a try or a time-out has another outcome', unknown('the other outcome of a try or a time-out')],
  ['there is an event loop', unknown('an event loop beside the threads')],
  ['it starts processes', unknown('processes that it starts')],
  ['something was not recorded', unknown('something was not recorded: see the notes')],
  ['the recorded run was stopped', unknown('the recorded run was stopped')],
])('it is not said where %s', (_, change) => {
  const text = said(change)
  expect(text).not.toContain('All 3 classes')
  expect(text).toContain('Explored: 3 classes of schedules in 2 runs')
})

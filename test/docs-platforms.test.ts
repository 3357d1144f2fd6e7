/** docs/platforms.md and `heddle doctor` say the same about every front end. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { FRONT_ENDS } from '../src/frontends/all.ts'

const rows = readFileSync(new URL('../docs/platforms.md', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('|'))
  .map((line) => line.split('|').map((cell) => cell.trim()))

test('the row of each front end is the one that doctor uses', () => {
  const columns = rows[0]!
  expect(FRONT_ENDS.length).toBe(3)
  for (const { doctor } of FRONT_ENDS) {
    const { programs, support } = doctor!.platforms
    const row = rows.find((cells) => cells[1] === programs)
    expect(row, programs).toBeDefined()
    for (const [platform, known] of Object.entries(support))
      expect(row![columns.indexOf(platform)], `${programs}, ${platform}`).toMatch(new RegExp(`^${known}\\b`))
  }
})

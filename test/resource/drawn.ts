/** A reading in one line: `update items[id=7].stock if stock; lock items[id=7] until transaction`. */
import { locationOf } from '../../src/resource/location.ts'
import type { Reading } from '../../src/resource/reading.ts'

export function drawn({ touches, locks, unlocks, transaction, isolation, session, understood }: Reading): string {
  const words = touches.map((touch) =>
    [
      touch.access,
      `${locationOf(touch)}${touch.fields ? `.${touch.fields.join('+')}` : ''}`,
      touch.members ? 'members' : '',
      touch.guards ? `if ${touch.guards.join('+')}` : '',
      touch.unique ? `unique ${touch.unique.join(' ')}` : '',
    ]
      .filter(Boolean)
      .join(' '),
  )
  for (const { lock, until, tries, skips, shared } of locks ?? [])
    words.push(`lock ${lock} until ${until}${tries ? ' tries' : ''}${skips ? ' skips' : ''}${shared ? ' shared' : ''}`)
  for (const lock of unlocks ?? []) words.push(`unlock ${lock}`)
  if (transaction) words.push(transaction)
  if (isolation) words.push(`${isolation}${session ? ' from now on' : ''}`)
  if (!understood) words.push('not understood')
  return words.join('; ')
}

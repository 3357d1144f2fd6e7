/**
 * The peer of bench/scale.ts: what one would write first. An STD file is split into strings, every event is an object, and one pass with
 * vector clocks in plain arrays reports the locations with a happens-before race (FastTrack's idea without its epochs).
 */
import { readFileSync } from 'node:fs'

interface Event {
  task: string
  op: string
  target: string
  site: string
}

export function naiveRead(path: string): Event[] {
  const events: Event[] = []
  for (const line of readFileSync(path, 'utf8').split('\n')) {
    const match = /^([^|]+)\|(\w+)(?:\(([^)]*)\))?\|(.*)$/.exec(line)
    if (match) events.push({ task: match[1]!, op: match[2]!, target: match[3] ?? '', site: match[4]! })
  }
  return events
}

type Clock = Map<string, number>

export function naiveRaces(events: readonly Event[]): { racyEvents: number; locations: number } {
  const clocks = new Map<string, Clock>()
  const locks = new Map<string, Clock>()
  const seen = new Map<string, { reads: Clock; writes: Clock }>()
  const racy = new Set<string>()
  let racyEvents = 0
  const clockOf = (task: string): Clock => {
    let clock = clocks.get(task)
    if (!clock) clocks.set(task, (clock = new Map([[task, 1]])))
    return clock
  }
  const join = (into: Clock, from: Clock): void => {
    for (const [task, time] of from) if ((into.get(task) ?? 0) < time) into.set(task, time)
  }
  const within = (past: Clock, now: Clock): boolean => {
    for (const [task, time] of past) if ((now.get(task) ?? 0) < time) return false
    return true
  }
  for (const { task, op, target } of events) {
    const now = clockOf(task)
    if (op === 'acq') join(now, locks.get(target) ?? new Map())
    else if (op === 'rel') {
      locks.set(target, new Map(now))
      now.set(task, now.get(task)! + 1)
    } else if (op === 'fork') {
      join(clockOf(target), now)
      now.set(task, now.get(task)! + 1)
    } else if (op === 'join') join(now, clockOf(target))
    else if (op === 'r' || op === 'w') {
      let past = seen.get(target)
      if (!past) seen.set(target, (past = { reads: new Map(), writes: new Map() }))
      if (!within(past.writes, now) || (op === 'w' && !within(past.reads, now))) {
        racyEvents++
        racy.add(target)
      }
      ;(op === 'r' ? past.reads : past.writes).set(task, now.get(task)!)
    }
  }
  return { racyEvents, locations: racy.size }
}

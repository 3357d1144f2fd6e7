/** The same branch in two runs: docs/branches.md. */
import { describe, expect, test } from 'vitest'
import { LoopView } from '../../src/causal/loop/turns.ts'
import { flipsOf } from '../../src/confirm/branches.ts'
import { Paths } from '../../src/symbolic/paths.ts'
import { parseText } from '../../src/trace/text.ts'

/** Another turn writes x, so that a schedule can change it. */
const paths = (rows: string): Paths => new Paths(parseText(`order: task\nmain\n${rows}\nturn(t)=3\nchain(c)\nw(x)=2`))
/** What the recorded chains began: `b` was posted by chain `a` in its turn 1. */
const view = new LoopView(
  parseText(`
loop
turn(main)=0
post("timer 1")=#a
post("timer 1")=#c
turnEnd(main)
turn(t)=100
dispatch("timer 1")=#a
chain(a)
post("timer 1")=#b
turnEnd(t)
turn(t)=200
dispatch("timer 1")=#b
chain(b)
turnEnd(t)
turn(t)=300
dispatch("timer 1")=#c
chain(c)
turnEnd(t)
`),
)
const flips = (recorded: string, replayed: string): string[] =>
  flipsOf({ paths: [paths(recorded)], view }, [paths(replayed)]).map(
    ({ chain, kind, site, nth, recorded: was, flipped }) => `${chain} ${kind} ${site} ${nth} ${was} ${flipped}`,
  )

const input = 'turn(t)=1\nchain(a)\nr(x)=1\n'
const decided = (kind: string, outcome: string, site: string): string => `of=2\nbranch("${kind}")=${outcome} @${site}\n`

describe('branches', () => {
  test('a branch that went the other way is a flip', () => {
    expect(flips(`${input}${decided('if', 'true', 'f.js:1')}`, 'turn(t)=1\nchain(a)\nbranch(if)=false @f.js:1')).toEqual([
      'a if f.js:1 1 true false',
    ])
  })
  test('a branch that went the same way is no flip', () => {
    expect(flips(`${input}${decided('if', 'true', 'f.js:1')}`, 'turn(t)=1\nchain(a)\nbranch(if)=true @f.js:1')).toEqual([])
  })
  test('on nothing that a schedule can change: the program varies by itself', () => {
    expect(flips('turn(t)=1\nchain(a)\nbranch(if)=true @f.js:1', 'turn(t)=1\nchain(a)\nbranch(if)=false @f.js:1')).toEqual([])
  })
  test('on what only a cause writes', () => {
    const recorded = `turn(t)=1\nchain(a)\nr(y)=1\n${decided('if', 'true', 'f.js:1')}turn(t)=2\nchain(b)\nw(y)=2`
    expect(flips(recorded, 'turn(t)=1\nchain(a)\nbranch(if)=false @f.js:1')).toEqual([])
  })
  test('only the first difference of a chain counts', () => {
    const recorded = `${input}${decided('if', 'true', 'f.js:1')}${decided('if', 'true', 'f.js:2')}`
    expect(flips(recorded, 'turn(t)=1\nchain(a)\nbranch(if)=false @f.js:1\nbranch(if)=false @f.js:2')).toEqual(['a if f.js:1 1 true false'])
    expect(flips(recorded, 'turn(t)=1\nchain(a)\nbranch(if)=true @f.js:9\nbranch(if)=false @f.js:2')).toEqual([])
  })
  test('another chain counts by itself, unless one that went another way began it', () => {
    const recorded = `${input}${decided('if', 'true', 'f.js:1')}turn(t)=2\nchain(b)\n${decided('if', 'true', 'f.js:2')}`
    const same = 'turn(t)=1\nchain(a)\nbranch(if)=true @f.js:1\nturn(t)=2\nchain(b)\nbranch(if)=false @f.js:2'
    expect(flips(recorded, same)).toEqual(['b if f.js:2 1 true false'])
    expect(flips(recorded, same.replace('=true', '=false'))).toEqual(['a if f.js:1 1 true false'])
  })
  test('receivers are compared between the same decisions', () => {
    const recorded = `${input}of=2\nbranch(receiver)=#C1 @f.js:3\n${decided('if', 'true', 'f.js:4')}`
    const replayed = 'turn(t)=1\nchain(a)\nbranch(receiver)=#X @f.js:2\nbranch(receiver)=null @f.js:3'
    expect(flips(recorded, replayed)).toEqual(['a receiver f.js:3 1 #C1 null'])
  })
  test('a loop that only waits is told apart from one that works', () => {
    const twice = `${input}${decided('loop', 'true', 'f.js:1')}${decided('loop', 'false', 'f.js:1')}`
    const again = 'turn(t)=1\nchain(a)\nbranch(loop)=true @f.js:1\nbranch(loop)=true @f.js:1'
    const waits = (recorded: string): boolean[] => flipsOf({ paths: [paths(recorded)], view }, [paths(again)]).map((flip) => flip.waits)
    expect(waits(twice)).toEqual([true])
    const works = `${input}${decided('loop', 'true', 'f.js:1')}w(y)=1\n${decided('loop', 'false', 'f.js:1')}turn(t)=2\nchain(b)\nr(y)=1\n`
    expect(waits(works)).toEqual([false])
  })
})

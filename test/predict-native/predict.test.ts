/** Predictions on small drawn traces of native programs: what must be predicted, in which words and with which schedule, and what must not. */
import { readFileSync } from 'node:fs'
import { CoverageRow } from '../../src/coverage.ts'
import { describe, expect, test } from 'vitest'
import { kindOf } from '../../src/frontends/native/kinds.ts'
import { NATIVE } from '../../src/frontends/native/vocabulary.ts'
import { type ThreadPrediction } from '../../src/predict/threads/predict.ts'
import { Steps } from '../../src/predict/threads/steps.ts'
import { all, drawn, predictions, says } from './drawn.ts'

const of = (found: readonly ThreadPrediction[], pattern: string): ThreadPrediction[] => found.filter((p) => p.pattern === pattern)
const rows = (steps: ThreadPrediction['observed']): string =>
  steps.map((s) => `${s.name} ${s.accesses.map((a) => `${a.access} ${a.location}`).join(', ')}`).join('; ')

/** main and one thread. */
const two = (rest: string): string => `
main                                          "thread 1"
${rest}
join("thread 1")
`

describe('typestates', () => {
  const freed = (join: boolean): string =>
    `
main                                          "thread 1"
alloc("q.c:31#2") @q.c:31
w("q.c:31#2+8")=1 @q.c:32
fork("thread 1") @a.c:3
                                              begin
                                              acq(m) @a.c:18
                                              r("q.c:31#2+8")=1 @a.c:20
                                              rel(m) @a.c:21
                                              end
${join ? 'join("thread 1")' : ''}
acq(m) @a.c:40
w("q.c:31#2+8") @a.c:41 free("q.c:31#2") @a.c:41
rel(m) @a.c:42
${join ? '' : 'join("thread 1")'}
`
  test('memory that is used after it was freed, though a lock is held', () => {
    const found = all(freed(false))
    expect(found).toHaveLength(1)
    expect(found[0]).toMatchObject({ kind: 'typestate', pattern: 'use after free', locations: ['q.c:31#2'] })
    expect(found[0]!.summary).toBe('thread 1 can read q.c:31#2 (a.c:20) after main has freed it (a.c:41).')
    expect(says(found[0]!)).toBe('main 6 unlock, thread 1 3 read')
    expect(rows(found[0]!.failing)).toBe('main free q.c:31#2; thread 1 read q.c:31#2+8')
    expect(found[0]!.property).toBeUndefined()
  })

  test('not where the thread is joined first', () => {
    expect(all(freed(true))).toEqual([])
  })

  test('without a typestate, freeing is a write like others', () => {
    const { trace, stepOf } = drawn(freed(false))
    const found = predictions(trace, stepOf, new CoverageRow('threads'), [])
    expect(found.map((p) => p.pattern)).toEqual(['read order', 'check-then-act'])
  })

  test('a lock that lies in memory that is freed is a use of it', () => {
    const found = all(
      two(`
alloc("q.c:31#2") @q.c:31
fork("thread 1") @a.c:3
                                              begin
                                              call(pointer.use)=#q.c:31#2 @a.c:18
                                              acq("q.c:31#2+16") @a.c:18
                                              rel("q.c:31#2+16") @a.c:21
                                              end
free("q.c:31#2") @a.c:41`),
    )
    expect(found.map((p) => p.summary)).toEqual(['thread 1 can use q.c:31#2 (a.c:18) after main has freed it (a.c:41).'])
    expect(says(found[0]!)).toBe('main 3 free, thread 1 2 lock')
  })

  test('of several uses under one lock the first is asked about, too: what it reads binds the others', () => {
    const found = all(
      two(`
alloc("q.c:31#2") @q.c:31
w("q.c:31#2+0")=1 @q.c:32
w("q.c:31#2+8")=1 @q.c:32
fork("thread 1") @a.c:3
                                              begin
                                              acq(m) @a.c:18
                                              r("q.c:31#2+0")=1 @a.c:20
                                              r("q.c:31#2+8")=1 @a.c:20
                                              rel(m) @a.c:21
                                              end
acq(m) @a.c:40
w("q.c:31#2+0") @a.c:41
w("q.c:31#2+8") @a.c:41
free("q.c:31#2") @a.c:41
rel(m) @a.c:42`),
    )
    expect(found.map((p) => [p.pattern, says(p)])).toEqual([['use after free', 'main 7 unlock, thread 1 3 read']])
  })

  test.each([
    ['descriptor', 'use of a closed descriptor', 'descriptor 5'],
    ['stream', 'use of a closed stream', 'stream log.c:12#1'],
  ])('a %s that was closed', (kind, pattern, name) => {
    const found = all(
      two(`
call(${kind}.open)=#"${name}" @a.c:1
fork("thread 1") @a.c:3
                                              begin
                                              call(${kind}.read)=#"${name}" @log.c:20
                                              end
call(${kind}.close)=#"${name}" @log.c:41`),
    )
    expect(found).toHaveLength(1)
    expect(found[0]).toMatchObject({ pattern, locations: [name] })
    expect(found[0]!.summary).toBe(`thread 1 can read ${name} (log.c:20) after main has closed it (log.c:41).`)
    expect(rows(found[0]!.failing)).toMatch(new RegExp(`^main close.* ${name}; thread 1 read .*${name}$`))
  })

  test('two closes of one descriptor: the second one has no open before it', () => {
    const found = all(
      two(`
call(descriptor.open)=#"descriptor 5" @a.c:1
fork("thread 1") @a.c:3
                                              begin
                                              call(descriptor.close)=#"descriptor 5" @log.c:20
                                              end
call(descriptor.open)=#"descriptor 5 (2nd)" @a.c:4
call(descriptor.close)=#"descriptor 5 (2nd)" @log.c:41`),
    )
    expect(found).toEqual([])
  })

  test('a lock that is destroyed: before it is taken, and while it is held', () => {
    const found = all(
      two(`
call(lock.init)="pool+40" @a.c:2
fork("thread 1") @a.c:3
                                              begin
                                              acq("pool+40") @a.c:20
                                              step(20)
                                              rel("pool+40") @a.c:22
                                              end
call(lock.destroy)="pool+40" @a.c:41`),
    )
    expect(found.map((p) => [p.pattern, p.summary, says(p)])).toEqual([
      [
        'use of a destroyed lock',
        'thread 1 can lock pool+40 (a.c:20) after main has destroyed it (a.c:41).',
        'main 3 destroy lock, thread 1 2 lock',
      ],
      [
        'destroy of a held lock',
        'main can destroy pool+40 (a.c:41) before thread 1 has unlocked it (a.c:22).',
        'main 2 create, thread 1 2 lock, main 3 destroy lock',
      ],
    ])
  })

  test('a lock that is initialised too late, and one that needs no init', () => {
    const late = all(
      two(`
fork("thread 1") @a.c:3
call(lock.init)="pool+40" @a.c:4
                                              begin
                                              acq("pool+40") @a.c:20
                                              acq(ready) @a.c:21
                                              rel(ready) @a.c:22
                                              rel("pool+40") @a.c:23
                                              end`),
    )
    expect(late.map((p) => [p.pattern, p.summary])).toEqual([
      ['use before initialisation', 'thread 1 can lock pool+40 (a.c:20) before main has initialised it (a.c:4).'],
    ])
  })

  test('locks that are taken very often and destroyed at the end after the join are no work', () => {
    const rounds = Array.from({ length: 50 }, () => `acq(m) @a.c:20\n rel(m) @a.c:22`).join('\n')
    const coverage = new CoverageRow('threads')
    const indented = rounds.replaceAll(/^ ?/gm, ' '.repeat(46))
    const text = `
main                                          "thread 1"
fork("thread 1") @a.c:3
                                              begin
${indented}
                                              end
${rounds.replaceAll(/^ /gm, '')}
join("thread 1")
call(lock.destroy)="m" @a.c:41
`
    expect(all(text, coverage)).toEqual([])
    // Nothing had to be decided: proposing settled all there was.
    expect(coverage.infeasible['must-order'] ?? 0).toBe(coverage.candidates)
  })
})

describe('waits and locks', () => {
  test('a lost wake-up ends in a wait that nobody ends', () => {
    const found = all(
      two(`
fork("thread 1") @a.c:3
                                              begin
                                              acq(m) @a.c:20
                                              r(ready)=0 @a.c:21
                                              rel(m) @a.c:22
w(ready)=1 @a.c:40
notify(c) @a.c:41
                                              wake(c) @a.c:22 acq(m) @a.c:22
                                              rel(m) @a.c:23
                                              end`),
    )
    expect(found[0]).toMatchObject({ kind: 'deadlock', pattern: 'lost wake-up' })
    expect(says(found[0]!)).toBe('main 1 create, thread 1 3 read, main 3 signal, thread 1 4 wait')
    expect(found.at(-1)!.pattern).toBe('data race')
  })

  test('a deadlock with a lock for readers; two readers make none', () => {
    const text = (op: string): string =>
      two(`
fork("thread 1") @a.c:3
                                              begin
                                              acqS(rw) @a.c:20
                                              acq(m) @a.c:21
                                              rel(m) @a.c:22
                                              relS(rw) @a.c:23
                                              end
acq(m) @a.c:41
acq${op}(rw) @a.c:42
rel${op}(rw) @a.c:43
rel(m) @a.c:44`)
    const [first] = all(text(''))
    expect(first).toMatchObject({ kind: 'deadlock', pattern: 'deadlock' })
    expect(says(first!)).toBe('main 2 lock, thread 1 2 read lock')
    expect(all(text('S'))).toEqual([])
  })

  test('semaphores, barriers and once order what they order', () => {
    expect(
      all(
        two(`
call(semaphore.init)="semaphore s" @a.c:1
fork("thread 1") @a.c:3
                                              begin
                                              w(data)=1 @a.c:21
                                              acq(m) @a.c:21
                                              rel(m) @a.c:21
                                              notify("semaphore s") @a.c:22
                                              end
acq(m) @a.c:39
rel(m) @a.c:39
call(listen) wake("semaphore s") @a.c:40
r(data)=1 @a.c:41`),
      ),
    ).toEqual([])
    expect(
      all(
        two(`
fork("thread 1") @a.c:3
                                              begin
                                              w(a)=1 @a.c:20
                                              notifyAll("barrier b #1.1") @a.c:21
w(b)=1 @a.c:40
notifyAll("barrier b #1.2") @a.c:41
wake("barrier b #1.1") @a.c:41
wake("barrier b #1.2") @a.c:41
r(a)=1 @a.c:42
                                              wake("barrier b #1.1") @a.c:21
                                              wake("barrier b #1.2") @a.c:21
                                              r(b)=1 @a.c:23
                                              end`),
      ),
    ).toEqual([])
    expect(
      all(
        two(`
fork("thread 1") @a.c:3
                                              begin
                                              acq("once o") @a.c:20
                                              w(a)=1 @a.c:21
                                              rel("once o") @a.c:22
                                              notifyAll("once o") @a.c:22
wake("once o") @a.c:40
r(a)=1 @a.c:42
                                              end`),
      ),
    ).toEqual([])
  })
})

describe('what the trace does not hold', () => {
  test('who is held before a write goes right up to it: the steps before may matter', () => {
    const [first] = all(
      two(`
fork("thread 1") @a.c:3
                                              begin
                                              step(4)
                                              r(p)=#0x7f0010 @a.c:20
                                              step(9)
                                              w(p)=0 @a.c:22
                                              end
r(p)=0 @a.c:30`),
    )
    // Who reads a pointer and then clears it does not set it up.
    expect(first).toMatchObject({ pattern: 'stale read', locations: ['p'] })
    expect(says(first!)).toBe('main 1 create, thread 1 15 , main 2 read')
  })

  test('what is checked changes before what is done about it, after the lock is free again', () => {
    const found = of(
      all(
        two(`
fork("thread 1") @a.c:3
                                              begin
                                              acq(m) @a.c:19
                                              r(present)=1 @a.c:20
                                              rel(m) @a.c:21
                                              step(5)
                                              w(printed)=1 @a.c:25
                                              end
acq(m) @a.c:40
w(present)=0 @a.c:41
rel(m) @a.c:42`),
      ),
      'check-then-act',
    )
    expect(found.map((p) => [p.summary, says(p)])).toEqual([
      [
        'main can write present (a.c:41) after thread 1 has checked it (a.c:20) and before thread 1 acts on the check (a.c:25).',
        'main 1 create, thread 1 4 unlock, main 3 write',
      ],
    ])
  })

  test('two looks in one function belong together, those of two rounds of a loop do not', () => {
    const looks = (first: number, second: number): string =>
      two(`
fork("thread 1") @a.c:3
                                              begin
                                              acq(m) @a.c:17
                                              r(dishes)=1 @"a.c:${first} cook"
                                              rel(m) @a.c:18
                                              acq(m) @a.c:19
                                              r(dishes)=1 @"a.c:${second} cook"
                                              rel(m) @a.c:21
                                              end
acq(m) @a.c:40
w(dishes)=0 @a.c:41
rel(m) @a.c:42`)
    const stale = (text: string): string[] => of(all(text), 'stale read').map(says)
    expect(stale(looks(18, 20))).toEqual(['main 1 create, thread 1 4 unlock, main 4 unlock, thread 1 6 read'])
    expect(stale(looks(20, 18))).toEqual([])
  })
})

describe('spins', () => {
  test('who waits for a flag is kept waiting; that alone is looked at last', () => {
    const found = all(
      two(`
fork("thread 1") @a.c:3
w(data)=7 @a.c:5
                                              begin
                                              step(500)
                                              ra(flag)=0 @a.c:20
wa(flag)=1 @a.c:6
                                              ra(flag)=1 @a.c:20
                                              r(data)=7 @a.c:21
                                              end`),
    )
    expect(found.map((p) => p.locations[0])).toEqual(['flag', 'flag'])
    expect(found.every((p) => p.score < 10)).toBe(true)
    expect(says(found[0]!)).toBe('main 2 write, thread 1 503 load')
  })

  const spinning = (tries: string, last: string): string => `
main                                "thread 1"                      "thread 2"
fork("thread 1") @a.c:3
fork("thread 2") @a.c:3
                                    begin
                                    ra(l)=0 @a.c:10 u(l)=1 @a.c:10
                                    r(x)=0 @a.c:11
                                                                    begin
${tries
  .split(';')
  .map((line) => `${' '.repeat(68)}${line.trim()}`)
  .join('\n')}
                                    w(x)=1 @a.c:11
                                    wa(l)=0 @a.c:12
${last
  .split(';')
  .map((line) => `${' '.repeat(68)}${line.trim()}`)
  .join('\n')}
                                                                    r(x)=1 @a.c:11
                                                                    w(x)=2 @a.c:11
                                                                    wa(l)=0 @a.c:12
                                                                    r(y)=0 @a.c:13
                                                                    end
                                    w(y)=1 @a.c:15
                                    end
join("thread 1")
join("thread 2")
`
  const orderOn = (text: string, location: string): string => says(of(all(text), 'read order').find((p) => p.locations[0] === location)!)

  test('a lock made by hand: rounds that will not be made are not counted', () => {
    const text = spinning('ra(l)=1 @a.c:10; step(3); ra(l)=1 @a.c:10; step(3)', 'ra(l)=0 @a.c:10 u(l)=1 @a.c:10')
    expect(orderOn(text, 'y')).toBe('main 2 create, thread 1 6 write, thread 2 6 read')
  })

  test('one that looks first: the last clean pass counts', () => {
    const text = spinning('ra(l)=1 @a.c:9; step(3); ra(l)=1 @a.c:9; step(3)', 'ra(l)=0 @a.c:9; step(1); ra(l)=0 @a.c:10 u(l)=1 @a.c:10')
    expect(orderOn(text, 'y')).toBe('main 2 create, thread 1 6 write, thread 2 8 read')
  })

  test('a loop of tries at a mutex is one try where the mutex is free', () => {
    const [first] = all(
      two(`
fork("thread 1") @a.c:3
acq(m) @a.c:40
                                              begin
                                              call("try failed")="m" @a.c:20
                                              step(3)
                                              call("try failed")="m" @a.c:20
                                              step(3)
rel(m) @a.c:42
                                              acq(m) @a.c:20
                                              rel(m) @a.c:21
                                              r(x)=0 @a.c:22
                                              end
w(x)=1 @a.c:45`),
    )
    expect(says(first!)).toBe('main 4 write, thread 1 4 read')
  })

  test('where the way of a free lock is not known every try is made again', () => {
    const text = spinning('ra(l)=1 @a.c:10; step(3); ra(l)=1 @a.c:15; step(3)', 'ra(l)=0 @a.c:15 u(l)=1 @a.c:15')
    expect(orderOn(text, 'y')).toBe('main 2 create, thread 1 4 write, thread 2 6 load, thread 1 6 write, thread 2 14 read')
  })
})

describe('the other outcome of what is asked for in passing', () => {
  const holds = `
fork("thread 1") @a.c:3
acq(m) @a.c:40
                                              begin`

  test('a try that failed finds the lock free', () => {
    const found = of(
      all(
        two(`${holds}
                                              try(m) @a.c:20
                                              end
rel(m) @a.c:42`),
      ),
      'try succeeds',
    )
    expect(found.map(says)).toEqual(['main 1 create, thread 1 2 try in vain'])
    expect(found[0]!.summary).toBe('thread 1 can get m (a.c:20), which it did not in the recorded run: before main takes it (a.c:40).')
    expect(rows(found[0]!.failing)).toBe('thread 1 lock m; main lock m')
    expect(found[0]!.schedule.goesOn).toBe(true)
  })

  test('not where somebody else holds it all the time', () => {
    const found = all(`
main                         "thread 1"             "thread 2"
fork("thread 1") @a.c:3
acq(m) @a.c:40
fork("thread 2") @a.c:4
                                                    begin
                                                    try(m) @a.c:20
                                                    end
join("thread 2")
rel(m) @a.c:42`)
    expect(of(found, 'try succeeds')).toEqual([])
  })

  test('a try that got the lock comes while another thread holds it; one with a time-out waits until that has passed', () => {
    for (const [how, does] of [
      ['try', 'lock'],
      ['timed', 'timed out'],
    ]) {
      const found = of(
        all(
          two(`
fork("thread 1") @a.c:3
                                              begin
                                              call("${how}") acq(m) @a.c:20
                                              rel(m) @a.c:21
                                              end
acq(m) @a.c:40
rel(m) @a.c:42`),
        ),
        'try fails',
      )
      expect(says(found[0]!)).toBe(`main 2 lock, ${how === 'timed' ? 'thread 1 1 begin, ' : ''}thread 1 2 ${does}`)
      expect(found[0]!.schedule.steps.at(-1)!.timesOut).toBe(how === 'timed' ? true : undefined)
    }
  })

  test('who only tries is in no deadlock', () => {
    const text = (how: string): string =>
      two(`
fork("thread 1") @a.c:3
                                              begin
                                              acq(b) @a.c:20
                                              ${how} acq(a) @a.c:21
                                              rel(a) @a.c:22
                                              rel(b) @a.c:23
                                              end
acq(a) @a.c:40
acq(b) @a.c:41
rel(b) @a.c:42
rel(a) @a.c:43`)
    expect(of(all(text('')), 'deadlock')).toHaveLength(1)
    expect(of(all(text('call("try")')), 'deadlock')).toEqual([])
  })

  test('a semaphore that was passed is not posted yet; one that was tried in vain is', () => {
    const passed = of(
      all(
        two(`
fork("thread 1") @a.c:3
                                              begin
notify("semaphore s") @a.c:10
                                              call("try") wake("semaphore s") @a.c:20
                                              end`),
      ),
      'try fails',
    )
    expect(passed.map(says)).toEqual(['main 1 create, thread 1 2 pass semaphore'])
    const failed = of(
      all(
        two(`
fork("thread 1") @a.c:3
                                              begin
                                              call("sem failed")="semaphore s" @a.c:20
                                              end
notify("semaphore s") @a.c:10`),
      ),
      'try succeeds',
    )
    expect(failed.map(says)).toEqual(['main 2 post semaphore, thread 1 2 semaphore in vain'])
  })

  test('a wait that was notified times out; one that timed out is notified', () => {
    const woken = of(
      all(
        two(`
fork("thread 1") @a.c:3
                                              begin
                                              acq(m) @a.c:20
                                              call("timed") rel(m) @a.c:21
notify(c) @a.c:10
                                              wake(c) acq(m) @a.c:21
                                              rel(m) @a.c:22
                                              end`),
      ),
      'time-out',
    )
    expect(woken.map(says)[0]).toBe('main 1 create, thread 1 3 wait, thread 1 4 timed out')
    const late = of(
      all(
        two(`
fork("thread 1") @a.c:3
                                              begin
                                              acq(m) @a.c:20
                                              call("timed") rel(m) @a.c:21
                                              call("timed out")="c" acq(m) @a.c:21
                                              rel(m) @a.c:22
                                              end
notify(c) @a.c:10`),
      ),
      'woken in time',
    )
    expect(late.map(says)).toEqual(['main 1 create, thread 1 3 wait, main 2 signal, thread 1 4 timed out'])
  })
})

describe('words', () => {
  test('every word of a step is a kind of record', () => {
    const { trace, stepOf } = drawn(`
main                                          "thread 1"
call(lock.init)="m"
fork("thread 1")
                                              begin
                                              acqS(rw)
                                              relS(rw)
                                              acq(m)
                                              rel(m)
                                              wake(c) acq(m)
                                              rel(m)
                                              call("timed out") acq(m)
                                              rel(m)
                                              call(listen) wake("semaphore s")
                                              notify("semaphore s")
                                              notify(c)
                                              notifyAll(c)
                                              r(x)=1
                                              w(x)=1
                                              ra(x)=1
                                              wa(x)=1
                                              ra(x)=1 u(x)=2
                                              r(x)
                                              w("a.c:1#1+0") free("a.c:1#1")
                                              alloc("a.c:1#2")
                                              call(descriptor.write)=#"descriptor 5"
                                              call(stream.close)=#"stream stdout"
                                              end
join("thread 1")
call(lock.destroy)="m"
`)
    const steps = new Steps(trace, stepOf, NATIVE)
    const words = [0, 1].map((task) => Array.from({ length: steps.count(task) }, (_, i) => steps.text(task, i + 1)))
    expect(words).toEqual([
      ['init lock', 'create', 'join', 'destroy lock'],
      'begin, read lock, read unlock, lock, wait, woken, wait, timed out, unlock, pass semaphore, post semaphore, signal, broadcast, read, write, load, store, update, read bytes, free, allocate, write descriptor, close stream, end'.split(
        ', ',
      ),
    ])
    const header = readFileSync(new URL('../../runtime/native/heddle.h', import.meta.url), 'utf8')
    const numbers = new Map([...header.matchAll(/^ {2}HD_(\w+) = (\d+),/gm)].map(([, name, number]) => [name, Number(number)]))
    const named = `lock LOCK, unlock UNLOCK, read lock LOCK_SHARED, read unlock UNLOCK_SHARED, wait WAIT, woken WOKEN, signal SIGNAL,
      broadcast BROADCAST, pass semaphore SEM_WAIT, post semaphore SEM_POST, read READ, write WRITE, store ATOMIC_WRITE, update ATOMIC_UPDATE,
      free FREE, allocate ALLOC, create CREATE, begin BEGIN, end END, join JOIN, init lock LOCK_INIT, destroy lock LOCK_DESTROY,
      write descriptor FD_WRITE, close CLOSE, open OPEN, read descriptor FD_READ, close stream STREAM_CLOSE, arrive BARRIER_ARRIVE,
      leave BARRIER_LEAVE`
    for (const [, word, name] of named.matchAll(/([a-z ]+) ([A-Z_]+)/g))
      expect([word, kindOf(word!.trim())]).toEqual([word, numbers.get(name)])
    expect(kindOf('load')).toBe(0)
    expect(kindOf('')).toBe(0)
  })
})

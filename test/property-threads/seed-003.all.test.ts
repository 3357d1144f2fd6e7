/** The properties of seed 003 (GPredict) on traces such as its programs make: Figures 2 to 6 and 10 to 12, and a deadlock, under every model and decider. */
import { describe, expect, it } from 'vitest'
import { predict } from '../../src/predict/predict.ts'
import { figure } from '../seeds/figures.ts'
import { properties, schedule, violationsBy } from './asked.ts'

const UNSAFE_ITERATOR = `
  property UnsafeIterator(collection c, iterator i) {
    event create after  call(Collection+.iterator) target(c) returns(i)
    event update after  call(Collection+.remove* | Collection+.add*) target(c)
    event next   before call(Iterator+.next) target(i)
    pattern: create next* update+ next
  }`

/** Figure 2, with its line numbers as sites; `guard` holds the lock around both iterations. */
const figure2 = (acquire = '', release = '') =>
  figure(`
    T1                                      T2
    call(List:Collection.add)=#List#1 @1
    ret(List:Collection.add)=#List#1 @1
    fork(T2) @2
    ${acquire}
    call(List:Collection.iterator)=#List#1 @3
    ret(List:Collection.iterator)=#List#1 @3
    arg(returns)=#Iterator#1 @3
    call(Iterator.next)=#Iterator#1 @4
    ret(Iterator.next)=#Iterator#1 @4
    ${release}
                                            ${acquire}
                                            call(List:Collection.add)=#List#1 @5
                                            ret(List:Collection.add)=#List#1 @5
                                            ${release}
                                            call(List:Collection.iterator)=#List#1 @6
                                            ret(List:Collection.iterator)=#List#1 @6
                                            arg(returns)=#Iterator#2 @6
                                            call(Iterator.next)=#Iterator#2 @7
                                            ret(Iterator.next)=#Iterator#2 @7
  `)

describe('UnsafeIterator, figures 2 and 3', () => {
  it('exactly one violation, for c and i1', async () => {
    expect(await violationsBy(figure2(), UNSAFE_ITERATOR)).toEqual(['(List#1, Iterator#1) create@3 update@5 next@4'])
  })

  it('the prediction is the schedule 1-2-3-5-4-6-7', async () => {
    const trace = figure2()
    const { predictions } = await predict(trace, { kinds: ['property'], properties: properties(UNSAFE_ITERATOR) })
    expect(predictions.map((p) => schedule(trace, p))).toEqual(['1-2-3-5-4-6-7'])
  })

  it('none when a lock is held around the iteration and the update', async () => {
    expect(await violationsBy(figure2('acq(l) @l', 'rel(l) @u'), UNSAFE_ITERATOR)).toEqual([])
  })
})

describe('null dereference, figure 10', () => {
  const NULL = `
    property NullPointerDereference(table o) {
      event deRef   before get(TableDescriptor.referencedColumnMap) target(o)
      event setNull before set(TableDescriptor.referencedColumnMap) target(o) value(v) if(v == null)
      pattern: deRef(t1) || setNull(t2)
    }`

  it('the dereference after the test, and the test itself, each beside the write of null', async () => {
    const trace = figure(`
      T1                                                        T2
      r(TableDescriptor#1.referencedColumnMap)=#FormatableBitSet#1 @test
      branch(notNull)=true @test
      r(TableDescriptor#1.referencedColumnMap)=#FormatableBitSet#1 @dereference
      call(FormatableBitSet.isSet)=#FormatableBitSet#1 @isSet
                                                                w(TableDescriptor#1.referencedColumnMap)=null @setNull
                                                                w(TableDescriptor#2.referencedColumnMap)=null @other
                                                                w(TableDescriptor#1.referencedColumnMap)=#FormatableBitSet#2 @set
    `)
    expect(await violationsBy(trace, NULL)).toEqual([
      '(TableDescriptor#1) deRef@dereference setNull@setNull',
      '(TableDescriptor#1) deRef@test setNull@setNull',
    ])
  })

  it('nothing is found under a lock', async () => {
    const trace = figure(`
      T1                                                        T2
      acq(l)
      r(TableDescriptor#1.referencedColumnMap)=#FormatableBitSet#1 @test
      r(TableDescriptor#1.referencedColumnMap)=#FormatableBitSet#1 @dereference
      rel(l)
                                                                acq(l)
                                                                w(TableDescriptor#1.referencedColumnMap)=null @setNull
                                                                rel(l)
    `)
    expect(await violationsBy(trace, NULL)).toEqual([])
  })
})

describe('UnsafeDatabaseAccess, figure 11', () => {
  const DATABASE = `
    property UnsafeDatabaseAccess(connection conn, string table) {
      event open   after  call(DriverManager.getConnection) returns(conn)
      event close  before call(Connection.close) target(conn)
      event create before call(createTable) args(conn, table)
      event delete before call(deleteTable) args(conn, table)
      event update before call(Statement.execute) args(sql) if(sql contains table)
      pattern: !(open create update delete close)
    }`
  const session = (between: string, then: string) =>
    figure(`
      T1                                            T2
      ret(DriverManager.getConnection) @open
      arg(returns)=#Connection#1
      call(createTable) @create
      arg(1)=#Connection#1
      arg(2)="orders"
      fork(T2)
                                                    call(Statement.execute)=#Statement#1 @update
                                                    arg(1)="insert into orders"
                                                    call(Statement.execute)=#Statement#1 @unrelated
                                                    arg(1)="insert into items"
      ${between}
      call(deleteTable) @delete
      arg(1)=#Connection#1
      arg(2)="orders"
      call(Connection.close)=#Connection#1 @close
      ${then}
    `)

  it('the table can be deleted, and the connection closed, before the update', async () => {
    const found = await violationsBy(session('', 'join(T2)'), DATABASE)
    expect(found.length).toBeGreaterThan(0)
    for (const text of found) expect(text).toMatch(/^\(Connection#1, "orders"\).* delete@delete.* update@update/)
  })

  it('none when the other task is waited for', async () => {
    expect(await violationsBy(session('join(T2)', ''), DATABASE)).toEqual([])
  })
})

describe('Check-Then-Act, figure 12', () => {
  const CHECK_THEN_ACT = `
    property CheckThenAct(map m, key k) {
      event check after  call(Map+.get) target(m) args(k)
      event act   before call(Map+.remove) target(m) args(k, ..)
      pattern: check(t1) act(t2)+ act(t1)
    }`
  const twice = (acquire = '', release = '') =>
    figure(`
      T1                         T2
      ${acquire}
      ret(Cache:Map.get)=#Map#1 @c1
      arg(1)="k"
      call(Cache:Map.remove)=#Map#1 @a1
      arg(1)="k"
      ${release}
                                 ${acquire}
                                 ret(Cache:Map.get)=#Map#1 @c2
                                 arg(1)="k"
                                 call(Cache:Map.remove)=#Map#1 @a2
                                 arg(1)="k"
                                 call(Cache:Map.remove)=#Map#1 @a3
                                 arg(1)="k"
                                 call(Cache:Map.remove)=#Map#1 @other
                                 arg(1)="another key"
                                 ${release}
    `)

  it('each of the two can act between the check and the act of the other', async () => {
    expect(await violationsBy(twice(), CHECK_THEN_ACT)).toEqual([
      '(Map#1, "k") check@c1 act@a2 act@a1',
      '(Map#1, "k") check@c1 act@a3 act@a1',
      '(Map#1, "k") check@c2 act@a1 act@a2',
      '(Map#1, "k") check@c2 act@a1 act@a3',
    ])
  })

  it('nothing is found under a lock', async () => {
    expect(await violationsBy(twice('acq(l)', 'rel(l)'), CHECK_THEN_ACT)).toEqual([])
  })
})

describe('data race, figure 6', () => {
  const RACE = `
    property DataRace(object o) {
      event read  before get(Account.s) target(o)
      event write before set(Account.s) target(o)
      pattern: read(t1) || write(t2)
    }`

  it('the read-write races that the predictor of data races has', async () => {
    const trace = figure(`
      T1                      T2                      T3
      acq(l)
      r(Account#1.s)=0 @r1
      rel(l)
      w(Account#1.s)=1 @w1
                              acq(l)
                              r(Account#1.s)=1 @r2
                              w(Account#1.s)=2 @w2
                              rel(l)
                                                      r(Account#1.s)=2 @r3
                                                      r(Account#2.s)=0 @r4
    `)
    const both = await predict(trace, { kinds: ['data-race'], ungrouped: true, model: 'maximal' })
    const races = both.predictions.map(({ candidate }) => candidate.events.map((e) => trace.siteName(e)))
    const readWrite = races.filter((sites) => sites.some((site) => site.startsWith('r'))).map((sites) => sites.sort().join(' '))
    const found = await violationsBy(trace, RACE, { models: ['maximal'] })
    expect(found.map((text) => text.replace(/.*read@(\w+) write@(\w+)/, '$1 $2')).sort()).toEqual(readWrite.sort())
    expect(found.length).toBeGreaterThan(1)
  })
})

describe('atomicity violation, figures 4 and 5', () => {
  const ATOMICITY = `
    property AtomicityViolation(object o) {
      event begin before execution(m)
      event read  before get(Account.s) target(o)
      event write before set(Account.s) target(o)
      event end   after  execution(m)
      pattern: begin(t1,<r1) read(t1) write(t2) write(t1) end(t1,>r1)
    }`
  const m = (call: string, seen: number, acquire: string, release: string): string[] =>
    [
      acquire,
      'enter(m) @m',
      `r(Account#1.s)=${seen} @${call}.read`,
      `w(Account#1.s)=${seen + 1} @${call}.write`,
      'exit(m) @m',
      release,
    ].filter(Boolean)
  /** T1 calls m twice, T2 once in between. */
  const calls = (acquire = '', release = '') => {
    const far = ' '.repeat(40)
    return figure(
      [
        'T1'.padEnd(40) + 'T2',
        ...m('a', 0, acquire, release),
        ...m('b', 1, acquire, release).map((line) => far + line),
        ...m('c', 2, acquire, release),
      ].join('\n'),
    )
  }

  it('a write of the other task comes between read and write of one call', async () => {
    // From a serial run only sync finds it: what a call writes depends on what it read, and no two calls read the same.
    expect(await violationsBy(calls(), ATOMICITY, { models: ['sync'] })).toEqual([
      '(Account#1) begin@m read@a.read write@b.write write@a.write end@m',
      '(Account#1) begin@m read@b.read write@a.write write@b.write end@m',
      '(Account#1) begin@m read@b.read write@c.write write@b.write end@m',
      '(Account#1) begin@m read@c.read write@b.write write@c.write end@m',
    ])
  })

  it('once two calls have read the same, every model finds the other one broken as well', async () => {
    const trace = figure(`
      T1                      T2
      enter(m) @m1
      r(Account#1.s)=0 @r1
                              enter(m) @m2
                              r(Account#1.s)=0 @r2
      w(Account#1.s)=1 @w1
      exit(m) @m1
                              w(Account#1.s)=1 @w2
                              exit(m) @m2
    `)
    expect(await violationsBy(trace, ATOMICITY)).toEqual([
      '(Account#1) begin@m1 read@r1 write@w2 write@w1 end@m1',
      '(Account#1) begin@m2 read@r2 write@w1 write@w2 end@m2',
    ])
  })

  it('none when m is synchronized: a begin is not paired with the end of another call', async () => {
    expect(await violationsBy(calls('acq(l)', 'rel(l)'), ATOMICITY)).toEqual([])
  })
})

describe('deadlock', () => {
  const DEADLOCK = `
    property Deadlock(lock a, lock b) {
      event holdA after  acquire(*) target(a)
      event holdB after  acquire(*) target(b)
      event wantA before acquire(*) target(a)
      event wantB before acquire(*) target(b)
      event freeA after  release(*) target(a)
      event freeB after  release(*) target(b)
      pattern: (holdA(t1,<r1) & holdB(t2,<r2)) (wantB(t1) || wantA(t2)) freeA(t1,>r1) freeB(t2,>r2)
    }`
  const philosophers = (acquire = '', release = '') =>
    figure(`
      T1              T2
      ${acquire}
      acq(p) @1p
      acq(q) @1q
      rel(q)
      rel(p)
      ${release}
                      ${acquire}
                      acq(q) @2q
                      acq(p) @2p
                      rel(p)
                      rel(q)
                      ${release}
    `)

  it('the one that the predictor of deadlocks has', async () => {
    const trace = philosophers()
    const { predictions } = await predict(trace, { kinds: ['deadlock'], ungrouped: true })
    expect(predictions.map(({ candidate }) => candidate.next.map((e) => trace.siteName(e)).sort())).toEqual([['1q', '2p']])
    expect(await violationsBy(trace, DEADLOCK)).toEqual([
      '("p", "q") holdA@1p holdB@2q wantB@1q wantA@2p',
      '("q", "p") holdA@2q holdB@1p wantB@2p wantA@1q',
    ])
  })

  it('none behind a gate lock', async () => {
    const trace = philosophers('acq(g)', 'rel(g)')
    expect((await predict(trace, { kinds: ['deadlock'] })).predictions).toEqual([])
    expect(await violationsBy(trace, DEADLOCK)).toEqual([])
  })
})

/** Small traces whose answers are known by hand, one for each sentence of docs/model.md. Both the enumeration and Z3 must give them. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { FinishFacts } from '../../src/trace/builder.ts'
import { SMT_SETUP } from '../../src/predict/decide/encode-smt.ts'
import { Z3Decider } from '../../src/predict/decide/z3-decider.ts'
import { Z3 } from '../../src/solve/z3.ts'
import type { Model } from '../../src/trace/model.ts'
import { allRaces, explore } from './enumerate.ts'
import { litmus } from './litmus.ts'
import { demanding } from './random-demands.ts'

let z3: Z3
beforeAll(async () => {
  z3 = await Z3.open({ setup: SMT_SETUP })
})
afterAll(() => z3.close())

interface Asked {
  model?: Model
  next?: string
  before?: string
  include?: string
  without?: string
}

/** Labels separated by spaces; `before` is `a<b c<d`. */
function asker(text: string, facts: FinishFacts = {}): (asked: Asked) => Promise<boolean> {
  const { trace, at } = litmus(text, facts)
  const all = (labels: string | undefined): number[] => (labels ?? '').split(' ').filter(Boolean).map(at)
  return async ({ model = 'maximal', next, before, include, without }) => {
    const pairs = (before ?? '').split(' ').filter(Boolean)
    const demands = demanding({
      next: all(next),
      include: all(include),
      without: all(without),
      before: pairs.map((pair): [number, number] => [at(pair.split('<')[0]!), at(pair.split('<')[1]!)]),
    })
    const feasible = explore(trace, model).feasible(demands)
    expect((await new Z3Decider(z3, trace, model).decide(demands)).feasible, 'Z3 and the enumeration').toBe(feasible)
    return feasible
  }
}

const yes = async (answer: Promise<boolean>): Promise<void> => expect(await answer).toBe(true)
const no = async (answer: Promise<boolean>): Promise<void> => expect(await answer).toBe(false)

describe('waits', () => {
  const figure7 = (signals: string): string => `
    t1 acq(l)
    t1 rel(l) @x2
    t2 acq(l)
    t2 rel(l) @y2
    t3 acq(l)
    ${signals}
    t3 rel(l)
    t1 wake(g) @x3
    t1 acq(l)
    t1 rel(l) @x5
    t2 wake(g) @y3
    t2 acq(l)
    t2 rel(l)`

  it("GPredict's figure 7: one notify wakes one of two", async () => {
    const ask = asker(figure7('t3 notify(g) @n'), { order: 'task' })
    await yes(ask({ include: 'x3' }))
    await yes(ask({ include: 'y3' }))
    await yes(ask({ include: 'x5 y2' }))
    await no(ask({ include: 'x3 y3' }))
    await yes(ask({ include: 'x3', next: 'y3' }))
    await no(ask({ before: 'n<x2', include: 'x3' }))
  })

  it('two notifies, or one notifyAll, wake both', async () => {
    await yes(asker(figure7('t3 notify(g)\n t3 notify(g)'))({ include: 'x3 y3' }))
    await yes(asker(figure7('t3 notifyAll(g)'))({ include: 'x3 y3' }))
  })

  it('a notifyAll wakes only those who wait', async () => {
    const ask = asker(figure7('t3 notifyAll(g) @n'))
    await no(ask({ include: 'x3 y3', before: 'n<y2' }))
    await yes(ask({ include: 'x3', before: 'n<y2' }))
  })

  it('which notify serves which wake is free, but each needs its own', async () => {
    const ask = asker(`
      t3 notify(g) @n1
      t1 acq(l)
      t1 rel(l) @d
      t3 notify(g) @n2
      t2 wake(g) @bare
      t1 wake(g) @w`)
    await yes(ask({ include: 'w bare' }))
    await no(ask({ include: 'w bare', without: 'n2' }))
    await yes(ask({ include: 'w', without: 'n2' }))
    await yes(ask({ include: 'w bare', before: 'd<n1' }))
    // n1 comes too early for w, so it must be the one that serves the bare wake, and w must wait for n2.
    await yes(ask({ include: 'w bare', before: 'n1<d' }))
    await no(ask({ include: 'w bare', before: 'n1<d w<n2' }))
  })

  it('a notify before the release is lost', async () => {
    const ask = asker(`
      t1 notify(g)
      t1 fork(t2)
      t2 acq(l)
      t2 rel(l) @d
      t2 wake(g) @w`)
    await no(ask({ include: 'w' }))
    await yes(ask({ next: 'w' }))
  })

  it('a lost wake-up is a wake that is next while all notifies came before its release', async () => {
    const ask = asker(`
      t2 acq(l)
      t2 rel(l) @d
      t1 acq(l)
      t1 notify(g) @n
      t1 rel(l)
      t2 wake(g) @w
      t2 acq(l)`)
    await yes(ask({ next: 'w', before: 'n<d' }))
    await yes(ask({ include: 'w' }))
    await no(ask({ include: 'w', before: 'n<d' }))
  })

  it('a bare wake takes any earlier notify of its own', async () => {
    const ask = asker(`
      t1 notify(g) @n
      t1 fork(t2)
      t1 fork(t3)
      t2 r(x)
      t2 wake(g) @w2
      t3 wake(g) @w3`)
    await yes(ask({ include: 'w2' }))
    await yes(ask({ include: 'w3' }))
    await no(ask({ include: 'w2 w3' }))
    await no(ask({ before: 'w2<n' }))
  })

  it('a wait lets go of a re-entrant lock altogether', async () => {
    const ask = asker(`
      t1 acq(l)
      t1 acq(l)
      t1 rel(l)
      t1 rel(l) @d
      t2 acq(l) @a2
      t2 notify(g) @n
      t2 rel(l)
      t1 wake(g) @w
      t1 acq(l)
      t1 acq(l) @a1`)
    await yes(ask({ include: 'a1', before: 'd<a2' }))
    await no(ask({ include: 'w', before: 'n<d' }))
  })

  it('the release before a wake need not be of the lock that protects the signal', async () => {
    const ask = asker(`
      t1 notify(g) @n
      t2 acq(m)
      t2 rel(m) @d
      t2 wake(g) @w`)
    await no(ask({ before: 'n<d', include: 'w' }))
    await yes(ask({ before: 'd<n', include: 'w' }))
  })
})

describe('waits on a list of waiters', () => {
  // Atomics.wait looks at the value inside the shared section; Atomics.notify takes the list for itself.
  const waiter = `
    t1 acqS(l)
    t1 ra(x)=0 @r
    t1 relS(l) @d`
  const notifier = `
    t2 acq(l)
    t2 notifyAll(g) @n
    t2 rel(l)`

  it('a release of a shared lock begins a wait, too', async () => {
    const ask = asker(`${waiter}${notifier}
      t1 wake(g) @w`)
    await yes(ask({ include: 'w' }))
    await yes(ask({ include: 'w', before: 'd<n' }))
    await no(ask({ include: 'w', before: 'n<d' }))
    await no(ask({ include: 'w', before: 'n<r' }))
  })

  it('lost: the notify comes before the look, and the value is stored only later', async () => {
    const ask = asker(`${waiter}${notifier}
      t2 wa(x)=1
      t1 wake(g) @w`)
    for (const model of ['sync', 'data', 'maximal'] as const) await yes(ask({ model, next: 'w', before: 'n<d' }))
  })

  it('not lost: the value is stored before the notify, so a look that comes later sees it', async () => {
    const ask = asker(`${waiter}
      t2 wa(x)=1
      ${notifier}
      t1 wake(g) @w`)
    await no(ask({ next: 'w', before: 'n<d' }))
    await no(ask({ model: 'data', next: 'w', before: 'n<d' }))
    await yes(ask({ model: 'sync', next: 'w', before: 'n<d' }))
  })

  it('lost all the same, if the value is stored back before the look', async () => {
    const ask = asker(`${waiter}
      t2 wa(x)=1
      ${notifier}
      t2 wa(x)=0
      t1 wake(g) @w`)
    await yes(ask({ next: 'w', before: 'n<d' }))
    await no(ask({ model: 'data', next: 'w', before: 'n<d' }))
  })

  it('a wait that timed out needs no notify', async () => {
    const ask = asker(`${waiter}
      t1 w(y)=1 @after
      t2 wa(x)=1 @store
      ${notifier}`)
    await yes(ask({ include: 'after', without: 'n' }))
    await no(ask({ include: 'after', before: 'store<r' }))
  })
})

describe('updates', () => {
  const two = `
    t1 ra(x)=0 @r1
    t1 u(x)=1 @u1
    t2 ra(x)=1 @r2
    t2 u(x)=2 @u2`

  it('no write comes between the halves', async () => {
    const ask = asker(`${two}
      t3 wa(x)=7 @w
      t4 w(x)=8 @p`)
    for (const model of ['sync', 'data', 'maximal'] as const) {
      await no(ask({ model, before: 'r1<w w<u1' }))
      await no(ask({ model, before: 'r1<p p<u1' }))
      await no(ask({ model, before: 'r1<u2 u2<u1' }))
      await no(ask({ model, before: 'r1<u2 r2<u1' }))
      await yes(ask({ model, before: 'u1<w', include: 'u2' }))
    }
    await yes(ask({ model: 'sync', before: 'u2<r1' }))
    await yes(ask({ model: 'sync', before: 'w<r1', include: 'u1 u2' }))
  })

  it('reads may, and so may what touches another location', async () => {
    const ask = asker(`${two}
      t3 r(x)=2 @read
      t3 wa(y)=1 @y
      t4 ra(x)=2 @half
      t4 u(x)=3`)
    await yes(ask({ model: 'sync', before: 'r1<read y<u1', include: 'u1' }))
    await yes(ask({ before: 'r1<half half<u1', without: 'u2' }))
  })

  it('asks nothing where P ends between the halves', async () => {
    const ask = asker(`${two}
      t3 wa(x)=7 @w`)
    await yes(ask({ before: 'r1<w', without: 'u1' }))
    await yes(ask({ include: 'r1 w', next: 'u1' }))
    await yes(ask({ model: 'sync', before: 'r1<u2', without: 'u1' }))
  })

  it('a compare-and-exchange lock keeps tasks apart', async () => {
    const ask = asker(`
      t1 ra(l)=0 @take1
      t1 u(l)=1 @taken1
      t1 w(x)=1 @x1
      t1 wa(l)=0 @free1
      t2 ra(l)=0 @take2
      t2 u(l)=1 @taken2
      t2 w(x)=2 @x2
      t2 wa(l)=0 @free2`)
    await no(ask({ next: 'x1 x2' }))
    await no(ask({ before: 'taken1<taken2 x2<x1' }))
    await yes(ask({ before: 'free2<take1', include: 'x1' }))
    await yes(ask({ model: 'sync', next: 'x1 x2' }))
    await yes(ask({ next: 'x1 take2' }))
  })

  it('a load and a store are no update', async () => {
    const ask = asker(`
      t1 ra(x)=0 @r1
      t1 wa(x)=1 @w1
      t2 ra(x)=1 @r2
      t2 wa(x)=2 @w2`)
    await yes(ask({ model: 'sync', before: 'r1<w2 w2<w1' }))
    await yes(ask({ before: 'r1<r2', next: 'w1' }))
  })
})

describe('locks', () => {
  const sections = (first: string, second: string): string => `
    t1 acq${first}(l) @a1
    t1 w(x)=1 @w1
    t1 rel${first}(l) @r1
    t2 acq${second}(l) @a2
    t2 w(x)=2 @w2
    t2 rel${second}(l) @r2`

  it('no race inside exclusive sections, nor an exclusive and a shared one', async () => {
    await no(asker(sections('', ''))({ next: 'w1 w2' }))
    await no(asker(sections('', 'S'))({ next: 'w1 w2' }))
    await no(asker(sections('S', ''))({ next: 'w1 w2' }))
  })

  it('shared sections overlap', async () => {
    await yes(asker(sections('S', 'S'))({ next: 'w1 w2' }))
  })

  it('sections go either way round', async () => {
    await yes(asker(sections('', ''))({ before: 'r2<a1' }))
    await no(asker(sections('', ''))({ before: 'a1<a2 w2<r1' }))
  })

  it('a next acquire need not get its lock', async () => {
    await yes(asker(sections('', ''))({ next: 'a2', include: 'w1', without: 'r1' }))
    await no(asker(sections('', ''))({ include: 'a2 w1', without: 'r1', before: 'a1<a2' }))
  })

  it('inner pairs of a re-entrant lock do nothing', async () => {
    const ask = asker(`
      t1 acq(l)
      t1 acq(l)
      t1 rel(l)
      t1 w(x)=1 @w1
      t1 rel(l)
      t2 acq(l) @a2
      t2 w(x)=2 @w2
      t2 rel(l)`)
    await no(ask({ next: 'w1 w2' }))
    await yes(ask({ next: 'w1', before: 'a2<w2' }))
    await yes(ask({ next: 'w2', include: 'w1' }))
  })

  it('a section never released stays open', async () => {
    const ask = asker(`
      t2 acq(l) @a2
      t2 w(x)=2
      t2 rel(l) @r2
      t1 acq(l) @a1
      t1 w(x)=1 @w1`)
    await yes(ask({ before: 'r2<a1', include: 'w1' }))
    await no(ask({ before: 'a1<a2' }))
    await yes(ask({ include: 'w1', without: 'a2' }))
    await yes(ask({ include: 'w1', next: 'a2' }))
  })

  it('deadlock: both acquires are next; a common outer lock prevents it', async () => {
    const ask = asker(`
      t1 acq(a)
      t1 acq(b) @q1
      t1 rel(b)
      t1 rel(a)
      t2 acq(b)
      t2 acq(a) @q2
      t2 rel(a)
      t2 rel(b)`)
    await yes(ask({ next: 'q1 q2' }))
    const guarded = asker(`
      t1 acq(g)
      t1 acq(a)
      t1 acq(b) @q1
      t1 rel(b)
      t1 rel(a)
      t1 rel(g)
      t2 acq(g)
      t2 acq(b)
      t2 acq(a) @q2`)
    await no(guarded({ next: 'q1 q2' }))
  })

  it('sections need not nest', async () => {
    const ask = asker(`
      t1 acq(a)
      t1 acq(b)
      t1 rel(a)
      t1 w(x)=1 @w1
      t1 rel(b)
      t2 acq(a)
      t2 w(x)=2 @w2
      t2 rel(a)
      t2 acq(b)
      t2 w(x)=3 @w3`)
    await yes(ask({ next: 'w1 w2' }))
    await no(ask({ next: 'w1 w3' }))
  })
})

describe('forks and joins', () => {
  const text = `
    t1 w(x)=1 @before
    t1 fork(t2) @f
    t1 w(x)=2 @beside
    t2 w(x)=3 @child
    t2 r(x)=3 @last
    t1 join(t2) @j
    t1 w(x)=4 @after`

  it('a task that has not been forked has no next event', async () => {
    await no(asker(text)({ next: 'before child' }))
    await no(asker(text)({ next: 'f child' }))
    await yes(asker(text)({ next: 'beside child' }))
  })

  it('a join needs every event of the task', async () => {
    await no(asker(text)({ next: 'after child' }))
    await no(asker(text)({ include: 'j', without: 'last' }))
    await no(asker(text)({ next: 'after last' }))
    await yes(asker(text)({ next: 'j last' }))
  })

  it('a task that nobody forks is there from the start', async () => {
    await yes(asker('t1 w(x)=1 @a\n t2 w(x)=2 @b')({ next: 'a b' }))
  })

  it('the last read of a joined task binds: it may be the result', async () => {
    const ask = asker(`
      t1 fork(t2)
      t1 w(x)=1 @w
      t2 r(x)=1 @r
      t1 join(t2)
      t1 w(y)=1 @end`)
    await no(ask({ before: 'r<w', include: 'end' }))
    await yes(ask({ include: 'r', without: 'w' }))
  })
})

describe('reads', () => {
  const flag = `
    t1 w(x)=1 @wx
    t2 r(x)=1 @r
    t2 w(y)=1 @wy`

  it('is free when last or next, binds when something follows', async () => {
    for (const model of ['data', 'maximal'] as const) {
      await yes(asker(flag)({ model, next: 'wx r' }))
      await yes(asker(flag)({ model, include: 'r', without: 'wx' }))
      await no(asker(flag)({ model, include: 'wy', without: 'wx' }))
      await no(asker(flag)({ model, next: 'wy', without: 'wx' }))
      await no(asker(flag)({ model, before: 'r<wx', include: 'wy' }))
    }
    await yes(asker(flag)({ model: 'sync', next: 'wy', without: 'wx' }))
  })

  it('with branches, only what depends on it makes it bind', async () => {
    const text = `
      t1 w(x)=1 @wx
      t2 r(x)=1 @r
      t2 r(y)=0 @ry
      t2 acq(l) @a
      t2 branch(c) @c
      t2 w(z)=1 @wz`
    await yes(asker(text)({ next: 'a', without: 'wx' }))
    await yes(asker(text)({ include: 'a', without: 'wx' }))
    await no(asker(text)({ next: 'c', without: 'wx' }))
    await no(asker(text)({ include: 'c', without: 'wx' }))
    await no(asker(text)({ include: 'wz', without: 'wx' }))
    await no(asker(text, { branches: false })({ next: 'ry', without: 'wx' }))
  })

  const twice = `
    t1 w(x)=1 @w1
    t2 r(x)=1 @r
    t2 w(y)=1 @wy
    t3 w(x)=2 @w2
    t3 w(x)=1 @w3`

  it('data asks for the same write, maximal for the same value', async () => {
    await yes(asker(twice)({ model: 'maximal', before: 'w3<r', include: 'wy', without: 'w1' }))
    await no(asker(twice)({ model: 'data', include: 'wy', without: 'w1' }))
    await yes(asker(twice)({ model: 'data', before: 'w3<r', include: 'wy w1' }))
    await no(asker(twice)({ model: 'maximal', before: 'w1<w2 w2<r r<w3', include: 'wy' }))
  })

  it('a read without a value must see the same write', async () => {
    const ask = asker(twice.replace('r(x)=1', 'r(x)'))
    await no(ask({ include: 'wy', without: 'w1' }))
    await yes(ask({ include: 'wy w1' }))
  })

  it('its recorded write will always do, whatever is known of its value', async () => {
    const ask = asker(twice.replace('w(x)=1 @w1', 'w(x) @w1'))
    await yes(ask({ include: 'wy', without: 'w3' }))
    await yes(ask({ include: 'wy', without: 'w1', before: 'w3<r' }))
    await no(ask({ before: 'w2<r r<w3 w1<w2', include: 'wy' }))
  })

  it('the initial value counts when a read saw it', async () => {
    const known = `
      t2 r(x)=0 @first
      t1 w(x)=1 @w1
      t1 w(x)=0 @w0
      t2 r(x)=0 @r
      t2 w(y)=1 @wy`
    await yes(asker(known)({ include: 'wy', without: 'w1' }))
    await no(asker(known)({ include: 'wy', without: 'w1', model: 'data' }))
    await no(asker(known)({ before: 'w1<first', include: 'r', without: 'w0' }))
    const unknown = known.replace('t2 r(x)=0 @first', '')
    await no(asker(unknown)({ include: 'wy', without: 'w1' }))
    const unseen = known.replace('r(x)=0 @first', 'r(x) @first')
    await no(asker(unseen)({ include: 'wy', without: 'w1' }))
  })

  it('with only the order of tasks, a value that nobody writes is the initial one, and a read without a value is free', async () => {
    const text = `
      t1 w(x)=1 @w
      t2 r(x)=0 @r0
      t2 r(x)=1 @r1
      t2 r(x) @free
      t2 w(y)=1 @wy`
    await yes(asker(text, { order: 'task' })({ include: 'wy' }))
    await no(asker(text, { order: 'task' })({ include: 'r1', before: 'w<r0' }))
    await no(asker(text, { order: 'task' })({ include: 'free', without: 'w' }))
    const written = text.replace('w(x)=1 @w', 'w(x)=0')
    await no(asker(written, { order: 'task' })({ include: 'wy' }))
    expect(() => explore(litmus(text, { order: 'task' }).trace, 'data')).toThrow()
  })

  it('a write that a reordered read needs must itself be possible', async () => {
    // w(y) happens only because its task read x = 1, so the race on z needs w(x) first.
    const ask = asker(`
      t1 w(z)=1 @z1
      t1 w(x)=1 @wx
      t2 r(x)=1
      t2 w(y)=1
      t3 r(y)=1
      t3 w(z)=2 @z2`)
    await no(ask({ next: 'z1 z2' }))
    await yes(ask({ model: 'sync', next: 'z1 z2' }))
  })
})

describe('demands', () => {
  const text = `
    t1 r(x)=0 @a
    t1 w(x)=1 @b
    t2 w(x)=5 @c
    t2 w(x)=6 @d`

  it('atomicity: c between a and b', async () => {
    const ask = asker(text)
    await yes(ask({ next: 'b', before: 'a<c' }))
    await yes(ask({ next: 'b', before: 'c<a', model: 'sync' }))
    await no(ask({ next: 'b', before: 'c<a' }))
  })

  it('contradictions are not feasible', async () => {
    const ask = asker(text)
    await no(ask({ next: 'a b' }))
    await no(ask({ before: 'a<a' }))
    await no(ask({ before: 'b<a' }))
    await no(ask({ before: 'a<c c<a' }))
    await no(ask({ next: 'a', include: 'a' }))
    await no(ask({ next: 'a', include: 'b' }))
    await no(ask({ include: 'd', without: 'c' }))
    await yes(ask({}))
  })

  it('every race is found, not one per cause', () => {
    const { trace, at } = litmus(text)
    const pairs = (model: Model): string[] => allRaces(trace, model).map(([a, b]) => `${a}-${b}`)
    expect(pairs('maximal')).toEqual([`${at('a')}-${at('c')}`, `${at('a')}-${at('d')}`, `${at('b')}-${at('c')}`, `${at('b')}-${at('d')}`])
  })
})

/** Typestates (seed 001) on traces of threads: both scenarios of its Figure 4, with a witness over which the machine really breaks. */
import { describe, expect, it } from 'vitest'
import { predict } from '../../src/predict/predict.ts'
import { figure } from '../seeds/figures.ts'
import { properties, violationsBy } from './asked.ts'

const FILE = `
  typestate File(file f) {
    event open  before call(open)  target(f)
    event read  before call(read)  target(f)
    event close before call(close) target(f)
    CLOSED: open -> OPEN
    OPEN: read -> OPEN, close -> CLOSED
  }`

/** Figure 1: one task reads, another closes. */
const figure1 = (acquire = '', release = '', joins = '') =>
  figure(`
    T1                         T2
    call(open)=#File#1 @open
    fork(T2)
    ${acquire}
    call(read)=#File#1 @read
    ${release}
                               ${acquire}
                               call(close)=#File#1 @close
                               ${release}
    ${joins}
  `)

describe('file', () => {
  it('(a) the close before the read, which neither the predictor of races nor that of atomicity can report', async () => {
    const trace = figure1()
    expect(await violationsBy(trace, FILE)).toEqual(['(File#1) close@close read@read'])
    expect((await predict(trace)).predictions).toEqual([])
  })

  it('a lock around each does not help', async () => {
    expect(await violationsBy(figure1('acq(l)', 'rel(l)'), FILE)).toEqual(['(File#1) close@close read@read'])
  })

  it('(b) the read before the open', async () => {
    const trace = figure(`
      T1                         T2
                                 call(open)=#File#1 @open
      call(read)=#File#1 @read
                                 call(close)=#File#1 @close
    `)
    expect(await violationsBy(trace, FILE)).toEqual(['(File#1) close@close read@read', '(File#1) read@read open@open'])
  })

  it('none when the reader is waited for', async () => {
    const trace = figure(`
      T1                         T2
      call(open)=#File#1 @open
      fork(T2)
                                 call(read)=#File#1 @read
      join(T2)
      call(close)=#File#1 @close
    `)
    expect(await violationsBy(trace, FILE)).toEqual([])
  })

  it('says which state the object is in', async () => {
    const { predictions } = await predict(figure1(), { properties: properties(FILE) })
    expect(predictions.map(({ candidate }) => candidate.property)).toEqual([
      {
        name: 'File',
        binding: { f: '#File#1' },
        names: ['close', 'read'],
        says: 'File#1: read while it is in state CLOSED, which does not permit it.',
        state: 'CLOSED',
      },
    ])
  })

  it('a file that is opened again in between: the read is only wrong where the machine says so', async () => {
    const trace = figure(`
      T1                         T2
      call(open)=#File#1 @open
      fork(T2)
      call(read)=#File#1 @read
                                 call(close)=#File#1 @close
                                 call(open)=#File#1 @again
    `)
    expect(await violationsBy(trace, FILE)).toContain('(File#1) close@close read@read')
  })
})

describe('pointer', () => {
  const POINTER = `
    typestate Pointer(pointer p) {
      event make  before alloc(*) location(p)
      event read  before get(*)   location(p)
      event write before set(*)   location(p)
      event drop  before free(*)  location(p)
      FREED: make -> LIVE
      LIVE: read write -> LIVE, drop -> FREED
    }`

  it('used after free, though a lock is held at each', async () => {
    const trace = figure(`
      T1                 T2
      alloc(buffer) @alloc
      fork(T2)
      acq(l)
      w(buffer)=1 @use
      rel(l)
                         acq(l)
                         free(buffer) @free
                         rel(l)
    `)
    expect(await violationsBy(trace, POINTER)).toEqual(['("buffer") drop@free write@use'])
  })
})

describe('an operation that ends', () => {
  it('`after`: the operation must run in the wrong state', async () => {
    const trace = figure(`
      T1                         T2
      call(open)=#File#1 @open
      ret(open)=#File#1 @open
      fork(T2)
      call(read)=#File#1 @read
      ret(read)=#File#1 @read
                                 call(close)=#File#1 @close
                                 ret(close)=#File#1 @close
    `)
    const after = FILE.replaceAll('before', 'after')
    expect(await violationsBy(trace, after)).toEqual(['(File#1) close@close read@read'])
  })
})

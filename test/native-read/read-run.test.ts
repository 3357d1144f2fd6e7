/** From the files of native threads to one trace. Files are made from text: no compiler is needed. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { readNativeRun, type NativeRun } from '../../src/frontends/native/read-run.ts'
import { RawRun } from './raw-file.ts'

const FOLDER = mkdtempSync(join(tmpdir(), 'heddle-native-read-'))
afterAll(() => rmSync(FOLDER, { recursive: true, force: true }))

let runs = 0
const folder = (): string => join(FOLDER, String(runs++))

function read(text: string, options: Parameters<RawRun['write']>[1] = {}): NativeRun {
  return readNativeRun(new RawRun(text).write(folder(), options), { root: '/' })
}

/** All events in the recorded order: `thread 1: w(x)=1`. */
function events({ trace }: NativeRun): string[] {
  return Array.from(trace.recordedOrder(), (e) => `${trace.taskName(trace.taskOf(e))}: ${trace.eventText(e)}`)
}

const without = (list: readonly string[], ...ops: string[]): string[] =>
  list.filter((event) => !ops.some((op) => event.includes(`: ${op}`)))

/** Two threads that main made, and what they do. */
const two = (text: string): string => `main: create 1\nthread 1: begin\nmain: create 2\nthread 2: begin\n${text}`
const accesses = (run: NativeRun): string[] => without(events(run), 'fork', 'begin', 'end', 'join')

test('places that one thread has to itself, or that nobody writes, are left out; steps stay counted', () => {
  const run = read(
    two(`
      thread 1: write 0x1000:4 =1
      thread 1: write 0x2000:4 =7
      thread 1: read 0x3000:4 =3
      thread 2: read 0x3000:4 =3
      thread 2: read 0x1000:4 =1 +5
    `),
  )
  expect(accesses(run)).toEqual(['thread 1: w(memory 0x1000)=1', 'thread 2: r(memory 0x1000)=1'])
  expect([...run.steps.count]).toEqual([2, 4, 8])
  expect(Array.from(run.steps.stepOf.subarray(run.trace.taskStart[2], run.trace.taskStart[3]))).toEqual([1, 8])
  expect(run.counts).toMatchObject({ records: 9, dropped: 5, threads: 3 })
})

test('neighbouring bytes are locations of their own; what one access touches together is one, with values of whole accesses only', () => {
  const run = read(
    two(`
      thread 1: write 0x1000:1 =1
      thread 2: write 0x1000:1 =2
      thread 1: write 0x1001:1 =3
      thread 1: write 0x1008:4 =5
      thread 1: write 0x1008:8 =6
      thread 2: read 0x100c:4 =0
      thread 2: read 0x1008:8 =6
      thread 2: write 0x1014:8 =9
      thread 1: read 0x1018:4 =0
    `),
  )
  expect(accesses(run)).toEqual([
    'thread 1: w(memory 0x1000)=1',
    'thread 2: w(memory 0x1000)=2',
    'thread 1: w(memory 0x1008)',
    'thread 1: w(memory 0x1008)=6',
    'thread 2: r(memory 0x1008)',
    'thread 2: r(memory 0x1008)=6',
    'thread 2: w(memory 0x1018)',
    'thread 1: r(memory 0x1018)=0',
  ])
})

test('a heap block ends the life of its places; giving it back writes what another thread touches', () => {
  const run = read(
    two(`
      thread 1: alloc 0x9000 =32 @0x501
      thread 1: write 0x9008:8 =1
      thread 1: free 0x9000
      thread 2: alloc 0x9000 =16 @0x501
      thread 2: write 0x9008:8 =2
      thread 1: read 0x9008:8 =2
      thread 1: lock 0x9000
      thread 1: unlock 0x9000
      thread 2: free 0x9000
      thread 2: free 0xa000
    `),
  )
  expect(accesses(run)).toEqual([
    'thread 2: alloc(0x500#2)',
    'thread 2: w(0x500#2+8)=2',
    'thread 1: r(0x500#2+8)=2',
    'thread 1: call(pointer.use)=#0x500#2',
    'thread 1: acq(0x500#2+0)',
    'thread 1: call(pointer.use)=#0x500#2',
    'thread 1: rel(0x500#2+0)',
    'thread 2: w(0x500#2+8)',
    'thread 2: free(0x500#2)',
  ])
})

test('a block that nobody saw begin has its size from the record that gives it back', () => {
  const run = read(
    two(`
      thread 1: write 0x9008:8 =1
      thread 2: free 0x9000 =32
      thread 2: alloc 0x9000 =32 @0x501
      thread 2: write 0x9008:8 =2
      thread 2: end
      thread 1: read 0x9008:8 =2
    `),
  )
  expect(accesses(run)).toEqual([
    'thread 1: w(heap#1+8)=1',
    'thread 2: w(heap#1+8)',
    'thread 2: free(heap#1)',
    'thread 2: alloc(0x500#1)',
    'thread 2: w(0x500#1+8)=2',
    'thread 1: r(0x500#1+8)=2',
  ])
})

test('a lock in a block that another thread gives back is a use of the block', () => {
  const run = read(
    two(`
      main: alloc 0x9000 =64 @0x501
      main: lock_init 0x9010
      thread 1: lock 0x9010
      thread 1: unlock 0x9010
      main: lock_destroy 0x9010
      main: free 0x9000
      main: alloc 0x9000 =64 @0x501
      main: lock_init 0x9010
      thread 2: lock 0x9010
    `),
  )
  expect(accesses(run)).toEqual([
    'main: alloc(0x500#1)',
    'main: call(lock.init)="0x500#1+16"',
    'thread 1: call(pointer.use)=#0x500#1',
    'thread 1: acq(0x500#1+16)',
    'thread 1: call(pointer.use)=#0x500#1',
    'thread 1: rel(0x500#1+16)',
    'main: call(lock.destroy)="0x500#1+16"',
    'main: free(0x500#1)',
    'main: call(lock.init)="0x500#2+16"',
    'thread 2: acq(0x500#2+16)',
  ])
})

test('a stack that is used again is other memory', () => {
  const text = `
    main: create 1
    thread 1: begin 0x70000 =0x1000
    thread 1: write 0x70010:4 =1
    main: write 0x70020:4 =5
    thread 1: read 0x70020:4 =5
    thread 1: lock 0x70040
    thread 1: end
    main: create 2
    thread 2: begin 0x70000 =0x1000
    thread 2: lock 0x70040
    main: try_failed 0x70040
    thread 2: write 0x70010:4 =2
    thread 2: write 0x70020:4 =3
  `
  expect(accesses(read(text))).toEqual([
    "main: w(thread 1's stack -0xfe0)=5",
    "thread 1: r(thread 1's stack -0xfe0)=5",
    "thread 2: acq(thread 2's stack -0xfc0 (2nd))",
    "main: try(thread 2's stack -0xfc0 (2nd))",
  ])
})

test('copies touch the locations they go over, and what only copies touch is one place while its history is the same', () => {
  const run = read(
    two(`
      thread 1: range_write 0x8000 =256
      thread 2: read 0x8010:4 =0
      thread 2: read 0x8014:4 =0
      thread 2: range_read 0x8020 =100
    `),
  )
  expect(accesses(run)).toEqual([
    'thread 1: w(memory 0x8010)',
    'thread 1: w(memory 0x8014)',
    'thread 1: w(memory 0x8020)',
    'thread 1: w(memory 0x8080)',
    'thread 2: r(memory 0x8010)=0',
    'thread 2: r(memory 0x8014)=0',
    'thread 2: r(memory 0x8020)',
    'thread 2: r(memory 0x8080)',
  ])
})

test('values: small numbers with their sign, pointers, wide numbers, updates', () => {
  const run = read(
    two(`
      thread 1: write 0x1000:4 =-2
      thread 1: write 0x1008:8 =0x7f0012345678
      thread 1: write 0x1010:8 =-3
      thread 1: write 0x1018:8 =0x3ff0000000000000
      thread 1: write 0x1020:1 =255
      thread 1: atomic_update 0x1028:4 =1 >2
      thread 2: read 0x1000:4 =4294967294
      thread 2: read 0x1008:8 =0x7f0012345678
      thread 2: read 0x1010:8 =-3
      thread 2: read 0x1018:8 =0x3ff0000000000000
      thread 2: read 0x1020:1 =255
      thread 2: atomic_read 0x1028:4 =2
      thread 2: atomic_write 0x1028:4 =0
      thread 2: end
    `),
  )
  expect(accesses(run).slice(7)).toEqual([
    'thread 2: r(memory 0x1000)=-2',
    'thread 2: r(memory 0x1008)=#0x7f0012345678',
    'thread 2: r(memory 0x1010)=-3',
    'thread 2: r(memory 0x1018)=4607182418800017408n',
    'thread 2: r(memory 0x1020)=255',
    'thread 2: ra(memory 0x1028)=2',
    'thread 2: wa(memory 0x1028)=0',
  ])
  expect(accesses(run).slice(5, 7)).toEqual(['thread 1: ra(memory 0x1028)=1', 'thread 1: u(memory 0x1028)=2'])
})

test('a racing read goes where its value was, or loses it', () => {
  const before = read(two('thread 1: write 0x1000:4 =1\nthread 1: write 0x1000:4 =2\nthread 2: read 0x1000:4 =1\nthread 1: end'))
  expect(accesses(before)).toEqual(['thread 1: w(memory 0x1000)=1', 'thread 2: r(memory 0x1000)=1', 'thread 1: w(memory 0x1000)=2'])
  const after = read(
    two('thread 1: write 0x1000:4 =1\nthread 2: read 0x1000:4 =2\nthread 1: write 0x1000:4 =2\nthread 1: end\nthread 2: end'),
  )
  expect(accesses(after)).toEqual(['thread 1: w(memory 0x1000)=1', 'thread 1: w(memory 0x1000)=2', 'thread 2: r(memory 0x1000)=2'])
  expect(after.counts.moved).toBe(1)
  const lost = read(
    two(
      'thread 1: write 0x1000:4 =0\nthread 1: write 0x1000:4 =1\nthread 2: read 0x1000:4 =7\nthread 2: write 0x1000:4 =3\nthread 1: end\nthread 2: end',
    ),
  )
  expect(accesses(lost).slice(1)).toEqual(['thread 1: w(memory 0x1000)', 'thread 2: r(memory 0x1000)', 'thread 2: w(memory 0x1000)=3'])
  expect(lost.counts.takenBack).toBe(1)
})

test('of reads that wait for a flag the first and the last count', () => {
  const spin = 'thread 2: read 0x1000:4 =0 @0x500\nthread 2: yield\n'.repeat(50)
  const run = read(two(`${spin}thread 1: write 0x1000:4 =1\nthread 1: end\nthread 2: read 0x1000:4 =1 @0x500`))
  const zero = 'thread 2: r(memory 0x1000)=0'
  expect(accesses(run)).toEqual([zero, zero, 'thread 1: w(memory 0x1000)=1', 'thread 2: r(memory 0x1000)=1'])
  expect([1, 2].map((i) => run.steps.stepOf[run.trace.taskStart[2]! + i])).toEqual([2, 100])
  expect(run.pcAt?.('thread 2', 100)).toBe('0x500')
})

test('waits: signals, time-outs, wake-ups that nobody caused', () => {
  const run = read(
    two(`
      thread 1: lock 0x100
      thread 1: wait 0x200 =0x100
      thread 2: lock 0x100
      thread 2: signal 0x200
      thread 2: unlock 0x100
      thread 1: woken 0x200 =0x100
      thread 1: wait 0x200 =0x100
      thread 1: woken 0x200 =0x100
      thread 1: wait 0x200 =0x100
      thread 1: timed_out 0x200 =0x100
      thread 1: unlock 0x100
    `),
  )
  expect(without(accesses(run), 'begin').filter((e) => e.startsWith('thread 1'))).toEqual([
    'thread 1: acq(memory 0x100)',
    'thread 1: rel(memory 0x100)',
    'thread 1: wake(memory 0x200)',
    'thread 1: acq(memory 0x100)',
    'thread 1: rel(memory 0x100)',
    'thread 1: call(timed out)="memory 0x200"',
    'thread 1: acq(memory 0x100)',
    'thread 1: rel(memory 0x100)',
    'thread 1: call(timed out)="memory 0x200"',
    'thread 1: acq(memory 0x100)',
    'thread 1: rel(memory 0x100)',
  ])
  expect(run.notes).toEqual(['Once a thread continued after a wait, and no record says which thread woke it.'])
})

test('semaphores, barriers and pthread_once are read', () => {
  const run = read(
    two(`
      thread 1: sem_init 0x100 =1
      thread 2: lock 0x500
      thread 1: try_failed 0x500
      thread 2: unlock 0x500
      thread 2: sem_wait 0x100
      thread 2: sem_post 0x100
      thread 1: sem_failed 0x100
      thread 1: barrier_arrive 0x200 =2
      thread 2: barrier_arrive 0x200 =2
      thread 2: barrier_leave 0x200
      thread 1: barrier_leave 0x200
      thread 1: once_begin 0x300
      thread 1: once_end 0x300
      thread 2: once_seen 0x300
    `),
  )
  expect(accesses(run)).toEqual([
    'thread 1: call(semaphore.init)="semaphore memory 0x100"',
    'thread 1: notify(semaphore memory 0x100)',
    'thread 2: acq(memory 0x500)',
    'thread 1: try(memory 0x500)',
    'thread 2: rel(memory 0x500)',
    'thread 2: call(listen)',
    'thread 2: wake(semaphore memory 0x100)',
    'thread 2: notify(semaphore memory 0x100)',
    'thread 1: call(sem failed)="semaphore memory 0x100"',
    'thread 1: notifyAll(barrier memory 0x200 #1.1)',
    'thread 2: notifyAll(barrier memory 0x200 #1.2)',
    'thread 2: wake(barrier memory 0x200 #1.1)',
    'thread 1: wake(barrier memory 0x200 #1.2)',
    'thread 1: acq(once memory 0x300)',
    'thread 1: rel(once memory 0x300)',
    'thread 1: notifyAll(once memory 0x300)',
    'thread 2: wake(once memory 0x300)',
  ])
})

test('sections that cannot be are left out, and said', () => {
  const run = read(
    two(`
      thread 1: lock 0x100
      thread 2: unlock 0x100
      thread 2: lock 0x200
      thread 1: lock 0x200
      thread 1: unlock 0x200
      thread 2: unlock 0x200
      thread 1: lock_shared 0x300
      thread 2: lock_shared 0x300
      thread 2: unlock 0x300
      thread 1: unlock_shared 0x300
    `),
  )
  expect(accesses(run)).toEqual([
    'thread 1: call(listen)',
    'thread 2: acq(memory 0x200)',
    'thread 2: rel(memory 0x200)',
    'thread 1: acqS(memory 0x300)',
    'thread 2: acqS(memory 0x300)',
    'thread 2: relS(memory 0x300)',
    'thread 1: relS(memory 0x300)',
  ])
  expect(run.notes).toEqual(['2 times a lock was taken or given back in a way that was not recorded whole. Those sections are left out.'])
})

test('descriptors and streams that more than one thread uses', () => {
  const run = read(
    two(`
      main: open 5
      main: open 4294967295
      thread 1: fd_write 5
      main: close 5
      main: open 5
      thread 2: fd_read 5
      main: stream_open 0x700 @0x601
      thread 1: stream_write 0x700
      main: open 6
      main: close 6
    `),
  )
  expect(accesses(run)).toEqual([
    'main: call(descriptor.open)=#descriptor 5',
    'thread 1: call(descriptor.write)=#descriptor 5',
    'main: call(descriptor.close)=#descriptor 5',
    'main: call(descriptor.open)=#descriptor 5 (2nd)',
    'thread 2: call(descriptor.read)=#descriptor 5 (2nd)',
    'main: call(stream.open)=#stream 0x600#1',
    'thread 1: call(stream.write)=#stream 0x600#1',
  ])
})

test('what was read from a pipe was written before', () => {
  const run = read(`
    main: open 3 =2 @0x100
    main: open 4 =2 @0x100
    main: open 5 =3 @0x200
    main: create 1
    thread 1: begin
    main: create 2
    thread 2: begin
    thread 1: fd_write 4 =2
    main: fd_write 4 =1
    main: fd_write 5 =8
    thread 2: fd_read 3 =1
    thread 2: fd_read 3 =2
    thread 2: fd_read 5 =8
    main: close 4
    thread 2: fd_read 3 =0
  `)
  expect(without(accesses(run), 'call')).toEqual([
    'thread 1: notifyAll(pipe descriptor 3 #1)',
    'main: notifyAll(pipe descriptor 3 #2)',
    'main: notifyAll(pipe descriptor 5 #1)',
    'thread 2: wake(pipe descriptor 3 #1)',
    'thread 2: wake(pipe descriptor 3 #1)',
    'thread 2: wake(pipe descriptor 3 #2)',
    'thread 2: wake(pipe descriptor 5 #1)',
    'main: notifyAll(pipe descriptor 3 closed)',
    'thread 2: wake(pipe descriptor 3 closed)',
  ])
})

test('files that end early, threads that are missing', () => {
  const text = two(
    'thread 1: write 0x1000:4 =1\nthread 2: write 0x1000:4 =2\nthread 1: end\nmain: join 1\nmain: join 2\nthread 2: write 0x1000:4 =3',
  )
  const cut = read(text, { cut: { 'thread 2': 80, main: 32 } })
  expect(events(cut)).toEqual([
    'main: fork(thread 1)',
    'thread 1: begin',
    'thread 2: begin',
    'thread 1: w(memory 0x1000)=1',
    'thread 2: w(memory 0x1000)',
    'thread 1: end',
  ])
  expect(cut.notes).toEqual(['The record that a thread was started is missing. The thread counts as running from the start.'])
  const missing = read(text, { without: ['thread 2'] })
  expect(events(missing)).toEqual(['main: fork(thread 1)', 'thread 1: begin', 'thread 1: end', 'main: join(thread 1)'])
  // A thread that goes on after somebody joined it: that join is not believed.
  expect(events(read(text))).not.toContain('main: join(thread 2)')
})

test('a lock that was held where a record ends was given back later', () => {
  const run = read(
    two(`
      thread 1: lock 0x100
      thread 1: write 0x1000:4 =1
      main: join 1
      thread 2: lock 0x100
      thread 2: write 0x1000:4 =2
      thread 2: unlock 0x100
    `),
  )
  expect(accesses(run)).toEqual([
    'thread 1: acq(memory 0x100)',
    'thread 1: w(memory 0x1000)',
    'thread 1: rel(memory 0x100)',
    'thread 2: acq(memory 0x100)',
    'thread 2: w(memory 0x1000)=2',
    'thread 2: rel(memory 0x100)',
  ])
  expect(run.notes).toEqual([])
})

test('no files, and files that are something else', () => {
  expect(() => readNativeRun(folder(), { root: '/' })).toThrow('There are no records of a native run')
  const place = new RawRun('main: yield').write(folder())
  writeFileSync(join(place, 'threads', 'thread 1.raw'), 'something')
  expect(readNativeRun(place, { root: '/' }).notes).toEqual(['The record of a thread, "thread 1.raw", cannot be read.'])
})

test('tries say how the lock was asked for, and whether somebody held it', () => {
  const text = `
    main: create 1
    thread 1: begin
    main: lock 0x100
    thread 1: try_failed 0x100 =16
    thread 1: try_failed 0x100 =19
    main: try_failed 0x100 =16
    main: unlock 0x100
    thread 1: try_failed 0x100 =16
    thread 1: lock 0x100 =16
    thread 1: unlock 0x100
    main: lock 0x100 =32
    main: unlock 0x100
  `
  expect(accesses(read(text))).toEqual([
    'main: acq(memory 0x100)',
    'thread 1: try(memory 0x100)',
    'thread 1: tryS(memory 0x100)',
    // Its own, or nobody's.
    'main: call(try failed)="memory 0x100"',
    'main: rel(memory 0x100)',
    'thread 1: call(try failed)="memory 0x100"',
    'thread 1: call(try)',
    'thread 1: acq(memory 0x100)',
    'thread 1: rel(memory 0x100)',
    'main: call(timed)',
    'main: acq(memory 0x100)',
    'main: rel(memory 0x100)',
  ])
})

test('tries in a loop that ends with the lock are none: a free lock is taken by the first', () => {
  const text = `
    main: create 1
    thread 1: begin
    main: lock 0x100
    thread 1: try_failed 0x100 =16 @0x40
    thread 1: yield @0x44
    thread 1: try_failed 0x100 =16 @0x40
    main: unlock 0x100
    thread 1: lock 0x100 =16 @0x40
  `
  expect(accesses(read(text)).filter((e) => e.startsWith('thread 1'))).toEqual([
    'thread 1: call(try failed)="memory 0x100"',
    'thread 1: call(try failed)="memory 0x100"',
    'thread 1: call(try)',
    'thread 1: acq(memory 0x100)',
  ])
})

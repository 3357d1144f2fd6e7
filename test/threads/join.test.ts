/** From the files of threads to one trace. */
import type { Joined } from '../../src/trace/joined.ts'
import { existsSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { joinThreads } from '../../src/frontends/workers/threads.ts'
import { checkValues } from '../../src/trace/check-values.ts'
import { openTrace } from '../../src/trace/open.ts'
import { parseText } from '../../src/trace/text.ts'
import { drawn, eventsOf, folderOf, runFolder, threadTrace, writeThread, type Step } from './thread-files.ts'

const folders: string[] = []
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

function joined(threads: Readonly<Record<string, readonly Step[]>>): Joined {
  const folder = folderOf(threads)
  folders.push(folder)
  return joinThreads(folder)!
}

const stepsOf = ({ trace, steps }: Joined, task: string): number[] => {
  const t = trace.tables.tasks.find(task)
  return [...steps.stepOf.subarray(trace.taskStart[t], trace.taskStart[t + 1])]
}

describe('tasks and names', () => {
  test('main comes first, workers as people count', () => {
    const step: Step[] = [[5, 'w(main#1+0:4i)=1']]
    const { trace } = joined({
      'worker 10': step,
      'worker 2': [[6, 'w(main#1+0:4i)=1']],
      'worker 1.2': [[7, 'r(main#1+0:4i)=1']],
      main: [[1, 'r(main#1+0:4i)=0']],
    })
    expect([...trace.tables.tasks]).toEqual(['main', 'worker 1.2', 'worker 2', 'worker 10'])
  })

  test('a folder without threads gives nothing', () => {
    const folder = runFolder()
    folders.push(folder)
    expect(joinThreads(folder)).toBeUndefined()
    expect(joinThreads(join(folder, 'nowhere'))).toBeUndefined()
  })

  test('sites, messages and workers are merged by text', () => {
    const { trace } = joined({
      main: [
        [1, 'fork(worker 1)'],
        [2, 'w(main#1+0:4i)=7 @a.js:1'],
        [3, 'notify(message main:1)'],
        [9, 'join(worker 1)'],
        [10, 'r(main#1+0:4i)=8 @a.js:2'],
      ],
      'worker 1': [
        [2, 'begin'],
        [4, 'wake(message main:1)'],
        [5, 'r(main#1+0:4i)=7 @a.js:2'],
        [6, 'w(main#1+0:4i)=8 @a.js:1'],
        [7, 'end'],
      ],
    })
    expect(drawn(trace)).toEqual([
      'main  "worker 1"',
      'fork("worker 1")',
      'w(main#1[0])=7',
      'begin',
      'notify("message main:1")',
      'wake("message main:1")',
      'r(main#1[0])=7',
      'w(main#1[0])=8',
      'end',
      'join("worker 1")',
      'r(main#1[0])=8',
    ])
    expect([...trace.tables.sites]).toEqual(['a.js:1', 'a.js:2'])
  })

  test('a worker that left no file is there, and empty', () => {
    const { trace } = joined({
      main: [
        [1, 'fork(worker 1)'],
        [4, 'join(worker 1)'],
      ],
    })
    expect([...trace.tables.tasks]).toEqual(['main', 'worker 1'])
    expect(trace.taskStart).toEqual(Int32Array.of(0, 2, 2))
  })

  test('two files of one thread are refused', () => {
    const folder = folderOf({ main: [[1, 'fork(worker 1)']] })
    folders.push(folder)
    const path = writeThread(folder, threadTrace('worker 1', [[2, 'begin']]))
    writeFileSync(path.replace('worker 1', 'worker 1 again'), readFileSync(path))
    expect(() => joinThreads(folder)).toThrow('two files contain steps of "worker 1"')
  })
})

describe('cells', () => {
  const shared = (a: string, b: string): Joined => joined({ main: [[1, a]], 'worker 1': [[2, b]] })

  test('elements of one size have an index, others their bytes', () => {
    expect(eventsOf(shared('w(main#1+8:4i)=1', 'r(main#1+8:4i)=1').trace, 'main')).toEqual(['w(main#1[2])=1'])
    expect(eventsOf(shared('w(main#1+8:8f)=1', 'r(main#1+8:8f)=1').trace, 'main')).toEqual(['w(main#1[1])=1'])
    expect(eventsOf(shared('w(main#1+9:4i)=1', 'r(main#1+9:4i)=1').trace, 'main')).toEqual(['w(main#1+9:4)=1'])
    expect(eventsOf(shared('w(worker 1.2#3+4:2u)=1', 'r(worker 1.2#3+4:2u)=1').trace, 'main')).toEqual(['w(worker 1.2#3[2])=1'])
  })

  test('another size anywhere in the buffer takes the index away', () => {
    const { trace } = joined({
      main: [
        [1, 'w(main#1+8:4i)=1'],
        [2, 'w(main#1+12:1u)=1'],
      ],
      'worker 1': [[2, 'r(main#1+8:4i)=1']],
    })
    expect(eventsOf(trace, 'main')).toEqual(['w(main#1+8:4)=1'])
  })

  test.each([
    ['w(b+0:4i)=-1', 'r(b+0:4u)=4294967295', '4294967295'],
    ['w(b+0:1i)=-1', 'r(b+0:1u)=255', '255'],
    ['w(b+0:4f)=1', 'r(b+0:4i)=1065353216', '1065353216'],
    ['w(b+0:4f)=-0', 'r(b+0:4u)=2147483648', '2147483648'],
    ['w(b+0:8f)=1', 'r(b+0:8u)=4607182418800017408n', '4607182418800017408n'],
    ['w(b+0:8i)=-1n', 'r(b+0:8u)=18446744073709551615n', '18446744073709551615n'],
    ['w(b+0:8f)=0.1', 'r(b+0:8i)=4591870180066957722n', '4591870180066957722n'],
  ])('%s and %s are one value', (write, read, value) => {
    const { trace, notes } = shared(write, read)
    expect(eventsOf(trace, 'main')).toEqual([`w(b[0])=${value}`])
    expect(eventsOf(trace, 'worker 1')).toEqual([`r(b[0])=${value}`])
    expect(notes).toEqual([])
  })

  test('values of one view stay as they are', () => {
    for (const [write, value] of [
      ['w(b+0:4i)=-1', '-1'],
      ['w(b+0:8f)=NaN', 'NaN'],
      ['w(b+0:8f)=-0', '-0'],
      ['w(b+0:8f)=0.25', '0.25'],
      ['w(b+0:8i)=5n', '5n'],
    ] as const) {
      expect(eventsOf(shared(write, write.replace('w', 'r')).trace, 'worker 1')).toEqual([`r(b[0])=${value}`])
    }
  })

  test('the bits of a NaN are not known where another view could see them', () => {
    const { trace, notes } = shared('w(b+0:8f)=NaN', 'r(b+0:8u)=9221120237041090561n')
    expect(eventsOf(trace, 'main')).toEqual(['w(b[0])'])
    expect(notes).toEqual([])
  })

  test('overlapping sizes are cut at every border', () => {
    const { trace, steps } = joined({
      main: [
        [1, 'w(b+0:4i)=305419896'], // 0x12345678
        [4, 'ra(b+0:4i)=305450360', 'u(b+0:4i)=305450361'], // 0x1234cd78 → …79
      ],
      'worker 1': [
        [2, 'r(b+1:1u)=86'], // 0x56
        [3, 'w(b+1:1u)=205'], // 0xcd
        [5, 'r(b+0:2u)=52601'], // 0xcd79
      ],
    })
    expect(eventsOf(trace, 'main')).toEqual([
      'w(b+0:1)=120',
      'w(b+1:1)=86',
      'ra(b+0:1)=120',
      'u(b+0:1)=121',
      'ra(b+1:1)=205',
      'u(b+1:1)=205',
    ])
    expect(eventsOf(trace, 'worker 1')).toEqual(['r(b+1:1)=86', 'w(b+1:1)=205', 'r(b+0:1)=121', 'r(b+1:1)=205'])
    expect([...steps.stepOf]).toEqual([1, 1, 2, 2, 2, 2, 1, 2, 3, 3])
    expect(checkValues(trace)).toBeUndefined()
  })

  test('pieces may have three bytes, or seven', () => {
    const { trace, notes } = joined({
      main: [[1, 'w(b+0:8u)=72623859790382856n']], // 0x0102030405060708
      'worker 1': [
        [2, 'r(b+0:8u)=72623859790382856n'],
        [3, 'r(b+7:1u)=1'],
      ],
    })
    expect(eventsOf(trace, 'main')).toEqual(['w(b+0:7)=566265752454920n', 'w(b+7:1)=1']) // 0x02030405060708
    expect(notes).toEqual([])
    const three = joined({
      main: [
        [1, 'w(b+0:4u)=67305985'],
        [2, 'w(b+3:1u)=4'],
      ],
      'worker 1': [[3, 'r(b+0:4u)=67305985']],
    })
    expect(eventsOf(three.trace, 'main')).toEqual(['w(b+0:3)=197121', 'w(b+3:1)=4', 'w(b+3:1)=4'])
  })

  test('names that are no cells stay themselves', () => {
    expect(eventsOf(shared('w(x)=1', 'r(x)=1').trace, 'main')).toEqual(['w(x)=1'])
    expect(eventsOf(shared('w(a+b:c)=1', 'r(a+b:c)=1').trace, 'main')).toEqual(['w(a+b:c)=1'])
  })
})

describe('what only one task uses', () => {
  test('is left out, and steps count it all the same', () => {
    const result = joined({
      main: [
        [1, 'turn(main)', 'w(main#1+0:4i)=1'],
        [2, 'w(main#1+4:4i)=1'],
        [3, 'w(main#2+0:4i)=1'],
        [4, 'turnEnd(main)', 'turn(timer)', 'w(main#2+0:4i)=2'],
        [5, 'turnEnd(timer)', 'turn(message)', 'r(main#1+4:4i)=2'],
      ],
      'worker 1': [[3, 'w(main#1+4:4i)=2']],
    })
    expect(eventsOf(result.trace, 'main')).toEqual(['turn(main)', 'w(main#1[1])=1', 'turnEnd(main)', 'turn(message)', 'r(main#1[1])=2'])
    expect(stepsOf(result, 'main')).toEqual([1, 2, 4, 5, 5])
    expect([...result.steps.count]).toEqual([5, 1])
    expect([...result.trace.tables.locations]).toEqual(['main#1[1]'])
  })

  test('waits and messages to oneself are left out, with their time-outs', () => {
    const { trace } = joined({
      main: [
        [1, 'call(wait 10)', 'acqS(waiters of main#1+0:4i)', 'ra(main#1+0:4i)=0'],
        [2, 'relS(waiters of main#1+0:4i)'],
        [3, 'notify(message main:1)'],
        [4, 'wake(message main:1)'],
        [5, 'w(main#1+4:4i)=1'],
      ],
      'worker 1': [[6, 'r(main#1+4:4i)=1']],
    })
    expect(eventsOf(trace, 'main')).toEqual(['w(main#1[1])=1'])
  })

  test('a cell that one task waits for and another one notifies keeps its list of waiters', () => {
    const { trace } = joined({
      main: [
        [1, 'acqS(waiters of main#1+8:4i)', 'ra(main#1+8:4i)=0', 'relS(waiters of main#1+8:4i)'],
        [5, 'wake(main#1+8:4i)'],
      ],
      'worker 1': [[2, 'acq(waiters of main#1+8:4i)', 'notify(main#1+8:4i)', 'rel(waiters of main#1+8:4i)']],
    })
    expect(eventsOf(trace, 'main')).toEqual(['acqS(waiters of main#1[2])', 'relS(waiters of main#1[2])', 'wake(main#1[2])'])
    expect(eventsOf(trace, 'worker 1')).toEqual(['acq(waiters of main#1[2])', 'notify(main#1[2])', 'rel(waiters of main#1[2])'])
  })
})

describe('waits', () => {
  test('one list of waiters for the place where a cell begins, whatever its size', () => {
    const { trace } = joined({
      main: [
        [1, 'acqS(waiters of b+8:8i)', 'ra(b+8:8i)=0n', 'relS(waiters of b+8:8i)'],
        [5, 'wake(b+8:8i)'],
      ],
      'worker 1': [
        [2, 'acq(waiters of b+8:4i)', 'notify(b+8:4i)', 'rel(waiters of b+8:4i)'],
        [6, 'w(b+12:4i)=0'],
      ],
    })
    expect(eventsOf(trace, 'main')).toEqual(['acqS(waiters of b+8:4)', 'ra(b+12:4)=0', 'relS(waiters of b+8:4)', 'wake(b+8:4)'])
    expect(eventsOf(trace, 'worker 1').slice(0, 3)).toEqual(['acq(waiters of b+8:4)', 'notify(b+8:4)', 'rel(waiters of b+8:4)'])
  })

  test('a wait that times out while another one is notified lets go of the list at once', () => {
    const result = joined({
      main: [
        [5, 'acq(waiters of b+0:4i)', 'notify(b+0:4i)', 'rel(waiters of b+0:4i)'],
        [6, 'wa(b+0:4i)=1'],
      ],
      'worker 1': [
        [1, 'acqS(waiters of b+0:4i)', 'ra(b+0:4i)=0', 'relS(waiters of b+0:4i)'],
        [7, 'wake(b+0:4i)'],
      ],
      'worker 2': [
        [2, 'call(wait 50)', 'acqS(waiters of b+0:4i)', 'ra(b+0:4i)=0'],
        [8, 'relS(waiters of b+0:4i)'],
        [9, 'ra(b+0:4i)=1'],
      ],
      'worker 3': [
        [10, 'call(wait 50)', 'acqS(waiters of b+0:4i)', 'ra(b+0:4i)=1'],
        [11, 'relS(waiters of b+0:4i)'],
      ],
    })
    expect(eventsOf(result.trace, 'worker 2')).toEqual([
      'call(wait 50)',
      'acqS(waiters of b[0])',
      'ra(b[0])=0',
      'relS(waiters of b[0])',
      'ra(b[0])=1',
    ])
    expect(stepsOf(result, 'worker 2')).toEqual([1, 1, 1, 1, 3])
    expect(stepsOf(result, 'worker 3')).toEqual([1, 1, 1, 2])
  })

  test('a message right after a release is no wait', () => {
    const { trace } = joined({
      main: [
        [1, 'notify(message main:1)'],
        [4, 'w(b+0:4i)=1'],
      ],
      'worker 1': [
        [1, 'call(wait 5)', 'acqS(waiters of b+0:4i)', 'ra(b+0:4i)=0'],
        [2, 'relS(waiters of b+0:4i)'],
        [3, 'wake(message main:1)'],
      ],
      'worker 2': [[9, 'acq(waiters of b+0:4i)', 'notifyAll(b+0:4i)', 'rel(waiters of b+0:4i)']],
    })
    expect(eventsOf(trace, 'worker 1').slice(-3)).toEqual(['relS(waiters of b[0])', 'call(listen)', 'wake(message main:1)'])
  })

  test('nor is the end of an earlier waitAsync', () => {
    const { trace, notes } = joined({
      main: [[2, 'acq(waiters of b+0:4i)', 'notifyAll(b+0:4i)', 'rel(waiters of b+0:4i)']],
      'worker 1': [
        [1, 'acqS(waiters of b+0:4i)', 'ra(b+0:4i)=0', 'relS(waiters of b+0:4i)'],
        [3, 'acqS(waiters of b+0:4i)', 'ra(b+0:4i)=0', 'relS(waiters of b+0:4i)'],
        [4, 'wake(b+0:4i)'],
      ],
    })
    expect(eventsOf(trace, 'worker 1').slice(-2)).toEqual(['call(listen)', 'wake(b[0])'])
    expect(notes).toEqual([])
  })
})

describe('what is lost', () => {
  test('a thread without an end mark is read up to its last block', () => {
    const folder = folderOf({
      main: [
        [1, 'fork(worker 1)'],
        [3, 'w(b+0:4i)=1'],
      ],
      'worker 1': [
        [2, 'begin'],
        [4, 'r(b+0:4i)=1'],
      ],
    })
    folders.push(folder)
    const path = join(folder, 'threads', 'worker 1.heddle')
    truncateSync(path, statSync(path).size - 20) // the end mark
    const { trace, notes } = joinThreads(folder)!
    expect(notes).toEqual(['The record of worker 1 ends early: what was done after it is lost.'])
    expect(trace.facts.truncated).toBe('The record of worker 1 ends early: what was done after it is lost')
    expect(eventsOf(trace, 'worker 1')).toEqual(['begin', 'r(b[0])=1'])
  })

  test('a file without anything in it is told of', () => {
    const folder = folderOf({ main: [[1, 'fork(worker 1)']] })
    folders.push(folder)
    writeFileSync(join(folder, 'threads', 'worker 1.heddle'), '')
    expect(joinThreads(folder)!.notes).toEqual(['Nothing of worker 1 was recorded.'])
  })

  test('what nobody wrote is not looked at, nor what came after it', () => {
    const result = joined({
      main: [
        [1, 'w(b+0:4i)=1'],
        [5, 'r(b+0:4i)=2'],
        [6, 'w(b+0:4i)=3'],
      ],
      'worker 1': [
        [2, 'r(b+0:4i)=1'],
        [4, 'w(c+0:4i)=2'],
        [7, 'r(b+0:4i)=3'],
      ],
      'worker 2': [[5, 'r(c+0:4i)=2']],
    })
    expect(result.notes).toEqual([
      'main read 2 in b[0] at 5, but what main wrote at 1 is 1. The steps in between are lost, so events from 5 on are left out.',
    ])
    expect(drawn(result.trace)).toEqual(['main  "worker 1"  "worker 2"', 'w(b[0])=1', 'r(b[0])=1', 'w(c[0])=2'])
    expect(stepsOf(result, 'worker 1')).toEqual([1, 2])
    expect(result.trace.facts.order).toBe('global')
  })

  test('nor is a message that nobody sent', () => {
    const result = joined({
      main: [
        [1, 'w(b+0:4i)=1'],
        [9, 'wake(message worker 1:1)'],
        [10, 'r(b+0:4i)=1'],
      ],
      'worker 1': [[2, 'r(b+0:4i)=1']],
    })
    expect(result.notes.join()).toMatch('main was woken by message worker 1:1 at 9, but no file says what woke it')
    expect(eventsOf(result.trace, 'main')).toEqual(['w(b[0])=1'])
  })

  test('steps later than what the joiner knows of are left out', () => {
    const result = joined({
      main: [
        [1, 'fork(worker 1)'],
        [4, 'join(worker 1)'],
        [5, 'r(b+0:4i)=1'],
      ],
      'worker 1': [
        [2, 'begin'],
        [3, 'w(b+0:4i)=1'],
        [6, 'r(b+0:4i)=1'],
      ],
    })
    expect(result.notes).toEqual(['The last steps of worker 1 are later than its end. They are left out.'])
    expect(eventsOf(result.trace, 'worker 1')).toEqual(['begin', 'w(b[0])=1'])
  })

  test('the first contradiction is a sentence', () => {
    const trace = parseText(['T1      T2', 'w(x)=1', '        ra(x)=1', '        u(x)=2', 'r(x)=1'].join('\n'))
    expect(checkValues(trace)).toBe('T1 read 1 in x at 4, but what T2 wrote at 3 is 2')
    expect(checkValues(parseText(['T1', 'r(x)=1', 'r(x)=2'].join('\n')))).toBe(
      'T1 read 2 in x at 2, but what was there before any write is 1',
    )
    expect(checkValues(parseText(['T1', 'r(x)=1', 'w(x)', 'r(x)=2', 'r(x)'].join('\n')))).toBeUndefined()
  })
})

test('the joined trace is a file that can be opened', () => {
  const folder = folderOf({ main: [[1, 'ra(b+0:4i)=0', 'u(b+0:4i)=1']], 'worker 1': [[2, 'ra(b+0:4i)=1', 'u(b+0:4i)=2']] })
  folders.push(folder)
  const { trace } = joinThreads(folder)!
  const path = join(folder, 'threads.heddle')
  expect(existsSync(path)).toBe(true)
  expect(drawn(openTrace(path))).toEqual(drawn(trace))
})

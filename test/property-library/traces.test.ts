/** Properties of the library for traces of threads: found in a trace that allows it, silent in one that comes close. */
import { expect, test } from 'vitest'
import { predict } from '../../src/predict/predict.ts'
import { declarationsIn, libraryDeclarations } from '../../src/property/library.ts'
import { figure } from '../seeds/figures.ts'

async function found(name: string, drawn: string): Promise<(string | undefined)[]> {
  const properties = libraryDeclarations().filter((d) => d.name === name)
  const { predictions } = await predict(figure(drawn), { kinds: ['property', 'typestate'], properties })
  return predictions.map(({ candidate }) => candidate.property?.name)
}

const WRONG: readonly [string, string][] = [
  [
    'UsedAfterFree',
    `T1        T2
     alloc(p)
               w(p)
     free(p)`,
  ],
  [
    'FreedTwice',
    `T1        T2
     alloc(p)
     free(p)
     alloc(p)
               free(p)`,
  ],
  [
    'LockDestroyedWhileHeld',
    `T1        T2
               acq(l)
               rel(l)
     free(l)`,
  ],
]
const RIGHT: readonly [string, string][] = [
  [
    'UsedAfterFree',
    `T1        T2
     alloc(p)
     fork(T2)
               w(p)
     join(T2)
     free(p)
     alloc(p)
     w(p)`,
  ],
  [
    'FreedTwice',
    `T1        T2
     alloc(p)
     free(p)
     fork(T2)
               alloc(p)
               free(p)`,
  ],
  [
    'LockDestroyedWhileHeld',
    `T1        T2
     fork(T2)
               acq(l)
               rel(l)
     join(T2)
     free(l)`,
  ],
]

const LIST = 'ArrayList:AbstractList:List:AbstractCollection:Collection:Iterable'
const COW = 'CopyOnWriteArrayList:List:Collection:Iterable'
const HASH = 'HashMap:AbstractMap:Map'
const POOL = 'ThreadPoolExecutor:AbstractExecutorService:ExecutorService:Executor'
const LOCK = 'Handed:Lock'

/** Drawings of Java programs: calls of one thread, and of another one, each `name=receiver` with what follows it. */
const two = (first: string, second: string): string => {
  const lines = (text: string): string[] => text.trim().split(/\s*\n\s*/)
  const far = ' '.repeat(110)
  return ['T1'.padEnd(110) + 'T2', ...lines(first), ...lines(second).map((line) => far + line)].join('\n')
}
const afterwards = (first: string, second: string): string => two(`${first}\nfork(T2)`, second)

/** In order: found when the threads run free. Not when the second thread begins after the first is done. */
const JAVA: readonly [string, string, string][] = [
  [
    'IteratorOfChangedCollection',
    `ret(${LIST}.iterator)=#ArrayList#1\narg(returns)=#Itr#1\ncall(Itr:Iterator.next)=#Itr#1`,
    `ret(${LIST}.add)=#ArrayList#1\narg(1)=1`,
  ],
  [
    'IteratorOfChangedMap',
    `ret(${HASH}.values)=#HashMap#1\narg(returns)=#Values#1\nret(Values:Collection.iterator)=#Values#1\narg(returns)=#Itr#1\ncall(Itr:Iterator.next)=#Itr#1`,
    `ret(${HASH}.put)=#HashMap#1\narg(1)=1\narg(2)=2`,
  ],
  [
    'IteratorSharedByThreads',
    `ret(Itr:Iterator.hasNext)=#Itr#1\narg(returns)=true\ncall(Itr:Iterator.next)=#Itr#1`,
    `call(Itr:Iterator.next)=#Itr#1`,
  ],
  [
    'KeyCheckThenAct',
    `ret(${HASH}.containsKey)=#HashMap#1\narg(1)="k"\ncall(${HASH}.put)=#HashMap#1\narg(1)="k"`,
    `call(${HASH}.put)=#HashMap#1\narg(1)="k"`,
  ],
  [
    'ElementCheckThenAct',
    `ret(ArrayDeque:Deque:Queue:Collection.isEmpty)=#ArrayDeque#1\ncall(ArrayDeque:Deque:Queue:Collection.remove)=#ArrayDeque#1`,
    `call(ArrayDeque:Deque:Queue:Collection.poll)=#ArrayDeque#1`,
  ],
  ['InputUsedAfterClose', `call(FileInputStream:InputStream.read)=#F#1`, `ret(FileInputStream:InputStream.close)=#F#1`],
  ['OutputUsedAfterClose', `call(PrintWriter:Writer.println)=#W#1`, `ret(PrintWriter:Writer.close)=#W#1`],
  ['SubmittedAfterShutdown', `call(${POOL}.submit)=#P#1`, `ret(${POOL}.shutdown)=#P#1`],
  ['ScheduledAfterCancel', `call(Timer.schedule)=#Timer#1`, `ret(Timer.cancel)=#Timer#1`],
  ['DatabaseUsedAfterClose', `call(JdbcResultSet:ResultSet.next)=#R#1`, `ret(JdbcResultSet:ResultSet.close)=#R#1`],
  ['UnlockedBeforeLock', `ret(${LOCK}.lock)=#Handed#1`, `call(${LOCK}.unlock)=#Handed#1`],
]

test.each(JAVA)('%s is found, and silent where one thread waits for the other', async (name, first, second) => {
  expect(await found(name, two(first, second))).toContain(name)
  expect(await found(name, afterwards(first, second))).toEqual([])
})

const ASKS: typeof JAVA = [
  [
    'IteratorSharedByThreads',
    `ret(Itr:Iterator.hasNext)=#Itr#1\narg(returns)=true\ncall(Itr:Iterator.next)=#Itr#1`,
    `ret(Itr:Iterator.hasNext)=#Itr#1\narg(returns)=false`,
  ],
  [
    'KeyCheckThenAct',
    `ret(${HASH}.containsKey)=#HashMap#1\narg(1)="k"\ncall(${HASH}.put)=#HashMap#1\narg(1)="k"`,
    `ret(${HASH}.containsKey)=#HashMap#1\narg(1)="k"`,
  ],
  [
    'ElementCheckThenAct',
    `ret(ArrayDeque:Deque:Queue:Collection.isEmpty)=#ArrayDeque#1\ncall(ArrayDeque:Deque:Queue:Collection.remove)=#ArrayDeque#1`,
    `ret(ArrayDeque:Deque:Queue:Collection.isEmpty)=#ArrayDeque#1`,
  ],
]

test.each(ASKS)('%s is looked for where the second thread only asked, in the recorded run', async (name, first, second) => {
  expect(await found(name, two(first, second))).toContain(name)
  expect(await found(name, afterwards(first, second))).toEqual([])
})

test('iterators of java.util.concurrent may see changes', async () => {
  const [name, first, second] = JAVA[0]!
  expect(await found(name, two(first.replaceAll(LIST, COW), second.replaceAll(LIST, COW)))).toEqual([])
})

test('every property for Java programs has a drawing', () => {
  expect(JAVA.map(([name]) => name).sort()).toEqual(
    declarationsIn('java.prop')
      .map((d) => d.name)
      .sort(),
  )
})

test.each(WRONG)('%s is found', async (name, drawn) => {
  expect(await found(name, drawn)).toContain(name)
})

test.each(RIGHT)('%s is silent', async (name, drawn) => {
  expect(await found(name, drawn)).toEqual([])
})

/** The properties that seed 003 prints, as they stand there, on small runs of Java programs: what is found is what their counterparts in the language find. */
import { expect, test } from 'vitest'
import { predict } from '../../src/predict/predict.ts'
import type { Trace } from '../../src/trace/trace.ts'
import { PRINTED } from '../property/printed.ts'
import { figure } from '../seeds/figures.ts'
import { described, different, properties } from './asked.ts'

const ITERATOR = 'ListItr:Itr:Iterator'
const LIST = 'ArrayList:AbstractList:List:AbstractCollection:Collection:Iterable'
const MAP = 'ConcurrentHashMap:AbstractMap:ConcurrentMap:Map'

/** By figure: a hand-written counterpart without what the signatures say beside names, a run, and what can be found in it. */
const CASES: readonly { readonly figure: number; readonly own: string; readonly drawn: string; readonly found: readonly string[] }[] = [
  {
    figure: 3,
    own: `property UnsafeIterator(collection c, iterator i) {
      event create after  call(Collection+.iterator) target(c) returns(i)
      event update after  call(Collection+.remove* | Collection+.add*) target(c)
      event next   before call(Iterator+.next) target(i)
      pattern: create next* update+ next
    }`,
    drawn: `
      T1                                      T2
      fork(T2) @2
      ret(${LIST}.iterator)=#ArrayList#1 @3
      arg(returns)=#ListItr#1 @3
      call(${ITERATOR}.next)=#ListItr#1 @4
                                              ret(${LIST}.addAll)=#ArrayList#1 @5
                                              arg(1)=#ArrayList#2 @5
                                              ret(${LIST}.add)=#ArrayList#3 @6
                                              call(${ITERATOR}.next)=#ListItr#2 @7
                                              ret(Listeners.add)=#ArrayList#1 @8
    `,
    found: ['(ArrayList#1, ListItr#1) create@3 update@5 next@4'],
  },
  {
    figure: 4,
    own: `property AtomicityViolation(object o) {
      event begin before execution(m)
      event read  before get(*.s) target(o)
      event write before set(*.s) target(o)
      event end   after  execution(m)
      pattern: begin(t1,<r1) read(t1) write(t2) write(t1) end(t1,>r1)
    }`,
    drawn: `
      T1                      T2
      enter(Account.m) @m1
      r(Account#1.s)=0 @r1
                              enter(Account.m) @m2
                              r(Account#1.s)=0 @r2
      w(Account#1.s)=1 @w1
      exit(Account.m) @m1
                              w(Account#1.s)=1 @w2
                              exit(Account.m) @m2
    `,
    found: ['(Account#1) begin@m1 read@r1 write@w2 write@w1 end@m1', '(Account#1) begin@m2 read@r2 write@w1 write@w2 end@m2'],
  },
  {
    figure: 6,
    own: `property DataRace(object o) {
      event read  before get(*.s) target(o)
      event write before set(*.s) target(o)
      pattern: read(t1) || write(t2)
    }`,
    drawn: `
      T1                      T2
      r(Account#1.s)=0 @r1
      acq(l)
      r(Account#2.s)=0 @r2
      rel(l)
                              w(Account#1.s)=1 @w1
                              acq(l)
                              w(Account#2.s)=1 @w2
                              rel(l)
    `,
    found: ['(Account#1) read@r1 write@w1'],
  },
  {
    figure: 10,
    own: `property NullPointerDereference(object o) {
      event deRef   before get(TableDescriptor.referenceColumnMap) target(o)
      event setNull before set(TableDescriptor.referenceColumnMap) target(o) value(v) if(v == null)
      pattern: deRef(t1) || setNull(t2)
    }`,
    drawn: `
      T1                                                        T2
      r(TableDescriptor#1.referenceColumnMap)=#BitSet#1 @use
                                                                w(TableDescriptor#2.referenceColumnMap)=null @other
                                                                w(TableDescriptor#1.referenceColumnMap)=#BitSet#2 @set
                                                                w(TableDescriptor#1.referenceColumnMap)=null @null
    `,
    found: ['(TableDescriptor#1) deRef@use setNull@null'],
  },
  {
    figure: 11,
    own: `property UnsafeDatabaseAccess(connection conn, string table) {
      event open   after  call(DriverManager.getConnection) returns(conn)
      event close  before call(Connection+.close) target(conn)
      event create before call(*.createTable) args(conn, table)
      event delete before call(*.deleteTable) args(conn, table)
      event update before call(Statement+.execute) args(sql) if(sql contains table)
      pattern: !(open create update delete close)
    }`,
    drawn: `
      T1                                            T2
      ret(DriverManager.getConnection) @open
      arg(1)="jdbc:h2:mem"
      arg(returns)=#JdbcConnection#1
      call(Client.createTable) @create
      arg(1)=#JdbcConnection#1
      arg(2)="orders"
      fork(T2)
                                                    call(JdbcStatement:Statement.execute)=#JdbcStatement#1 @update
                                                    arg(1)="insert into orders"
      call(Client.deleteTable) @delete
      arg(1)=#JdbcConnection#1
      arg(2)="orders"
      join(T2)
      call(JdbcConnection:Connection.close)=#JdbcConnection#1 @close
    `,
    found: ['(JdbcConnection#1, "orders") open@open create@create delete@delete update@update close@close'],
  },
  {
    figure: 12,
    own: `property CheckThenAct(map m, key k) {
      event check after  call(Map+.get) target(m) args(k)
      event act   before call(Map+.remove) target(m) args(k, ..)
      pattern: check(t1) act(t2)+ act(t1)
    }`,
    drawn: `
      T1                                            T2
      ret(${MAP}.get)=#ConcurrentHashMap#1 @c1
      arg(1)="k"
      call(${MAP}.remove)=#ConcurrentHashMap#1 @a1
      arg(1)="k"
                                                    call(${MAP}.remove)=#ConcurrentHashMap#1 @a2
                                                    arg(1)="k"
                                                    arg(2)=5
                                                    call(${MAP}.remove)=#ConcurrentHashMap#1 @other
                                                    arg(1)="another key"
    `,
    found: ['(ConcurrentHashMap#1, "k") check@c1 act@a2 act@a1'],
  },
]

async function foundIn(trace: Trace, text: string): Promise<string[]> {
  const { predictions } = await predict(trace, { ungrouped: true, kinds: ['property'], properties: properties(text) })
  return different(predictions.map((prediction) => described(trace, prediction)))
}

test('every figure has a run', () => expect(CASES.map((one) => one.figure)).toEqual(PRINTED.map((one) => one.figure)))

test.each(CASES)('figure $figure', async ({ figure: number, own, drawn, found }) => {
  const trace = figure(drawn)
  const { printed, text } = PRINTED.find((one) => one.figure === number)!
  expect(await foundIn(trace, own)).toEqual(found)
  expect(await foundIn(trace, printed)).toEqual(found)
  expect(await foundIn(trace, text)).toEqual(found)
})

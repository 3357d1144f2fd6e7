/** The properties that seed 003 prints, letter by letter, and what each is in the language. */
export interface Printed {
  readonly figure: number
  readonly printed: string
  /** In its one layout. */
  readonly text: string
}

export const PRINTED: readonly Printed[] = [
  {
    figure: 3,
    printed: `UnsafeIterator (Collection c, Iterator i) {
    event create after(Collection c) returning(Iterator i) :
              call(Iterator Collection+.iterator()) && target(c);
    event update after(Collection c) :
              (call(* Collection+.remove*(..))
              || call(* Collection+.add*(..)) ) && target(c);
    event next before(Iterator i) :
              call(* Iterator.next()) && target(i);
    pattern: create next* update+ next
}`,
    text: `property UnsafeIterator(Collection c, Iterator i) {
  event create after  call(Collection+.iterator) target(c) args() returns(i)
  event update after  call(Collection+.remove* | Collection+.add*) target(c)
  event next   before call(Iterator+.next) target(i) args()
  pattern: create next* update+ next
}
`,
  },
  {
    figure: 4,
    printed: `AtomicityViolation (Object o){
    event begin before(Object o): execution(m());
    event read before(Object o): get(* s) && target(o);
    event write before(Object o): set(* s) && target(o);
    event end after(Object o): execution(m());
    pattern: begin(t1,<r1) read(t1) write(t2) write(t1) end(t1,>r1)
}`,
    text: `property AtomicityViolation(Object o) {
  event begin before execution(m)
  event read  before get(*.s) target(o)
  event write before set(*.s) target(o)
  event end   after  execution(m)
  pattern: begin(t1,<r1) read(t1) write(t2) write(t1) end(t1,>r1)
}
`,
  },
  {
    figure: 6,
    printed: `DataRace (Object o) {
    event read before(Object o): get(* s) && target(o);
    event write before(Object o): set(* s) && target(o);
    pattern: read(t1) || write(t2)
}`,
    text: `property DataRace(Object o) {
  event read  before get(*.s) target(o)
  event write before set(*.s) target(o)
  pattern: read(t1) || write(t2)
}
`,
  },
  {
    figure: 10,
    printed: `NullPointerDereference (Object o) {
    event deRef before(Object o):
             get(TableDescriptor.referenceColumnMap)&&target(o);
    event setNull before(Object o, Object value):
             set(* TableDescriptor.referenceColumnMap)
                && target(o)&&args(value)&&if(value==null);
    pattern: deRef(t1) || setNull(t2)
}`,
    text: `property NullPointerDereference(Object o) {
  event deRef   before get(TableDescriptor.referenceColumnMap) target(o)
  event setNull before set(TableDescriptor.referenceColumnMap) target(o) value(value) if(value == null)
  pattern: deRef(t1) || setNull(t2)
}
`,
  },
  {
    figure: 11,
    printed: `UnsafeDatabaseAccess(Connection conn, String table) {
    event open after() returning(Connection conn):
        call(Connection DriverManager.getConnection(String));
    event close before(Connection conn):
        call(void Connection.close())&&target(conn);
    event create before(Connection conn, String table):
        call(* createTable(Connection conn, String table))&&args(conn,table);
    event delete before(Connection conn, String table):
        call(* deleteTable(Connection conn, String table))&&args(conn,table);
    event update before(String table, String sql):
        call(boolean Statement.execute(String))
        &&args(sql)&&if(sql.contains(table));
    pattern : !(open create update delete close)
}`,
    text: `property UnsafeDatabaseAccess(Connection conn, String table) {
  event open   after  call(DriverManager+.getConnection) args(*) returns(conn)
  event close  before call(Connection+.close) target(conn) args()
  event create before call(*.createTable) args(conn, table)
  event delete before call(*.deleteTable) args(conn, table)
  event update before call(Statement+.execute) args(sql) if(sql contains table)
  pattern: !(open create update delete close)
}
`,
  },
  {
    figure: 12,
    printed: `CheckThenAct (Map m, Object key) {
    event check after(Map m, Object key):
             call(* Map+.get(Object))&&target(m)&&args(key);
    event act before(Map m, Object key) :
             call(* Map+.remove(Object,..))&&target(m)&&args(key,..);
    pattern: check(t1) act(t2)+ act(t1)
}`,
    text: `property CheckThenAct(Map m, Object key) {
  event check after  call(Map+.get) target(m) args(key)
  event act   before call(Map+.remove) target(m) args(key, ..)
  pattern: check(t1) act(t2)+ act(t1)
}
`,
  },
]

/** The properties of the papers, as they are written here; each is in its one layout. */
export interface Sample {
  readonly name: string
  readonly text: string
}

const FILE = String.raw`property UnsafeIterator(collection c, iterator i) {
  says "{c} is changed while it is iterated"
  event create after  call(*.iterator) target(c) returns(i)
  event update after  call(*.add* | *.remove*) target(c)
  event next   before call(*.next) target(i)
  pattern: create next* update+ next
}
property NullDereference(object o) {
  event deRef   before get(TableDescriptor.referencedColumnMap) target(o)
  event setNull before set(TableDescriptor.referencedColumnMap) target(o) value(v) if(v == null)
  pattern: deRef(t1) || setNull(t2)
}
property UnsafeDatabaseAccess(connection conn, string table) {
  event open   after  call(DriverManager.getConnection) returns(conn)
  event close  before call(Connection.close) target(conn)
  event create before call(createTable) args(conn, table)
  event delete before call(deleteTable) args(conn, table)
  event update before call(Statement.execute) args(sql, ..) if(sql contains table)
  pattern: !(open create update delete close)
}
property CheckThenAct(map m, key k) {
  event check after  call(Map+.get) target(m) args(k)
  event act   before call(Map+.remove) target(m) args(k, ..)
  pattern: check(t1) act(t2)+ act(t1)
  shown: check(t1) act(t2) act(t1)
  confirm: failure
  default: off
}
property Atomicity(object o) {
  event begin before execution(m)
  event read  before get(*.s) target(o)
  event write before set(*.s) target(o)
  event end   after  execution(m)
  pattern: begin(t1,<r1) read(t1) write(t2) write(t1) end(t1,>r1)
}
typestate File(fd f) {
  event open  after  call(fs.openSync) returns(f)
  event read  before call(fs.readSync | fs.read) args(f, ..)
  event close before call(fs.close*) args(f, ..)
  CLOSED: open -> OPEN
  OPEN:   read write seek -> OPEN, close -> CLOSED
}`

export const SAMPLES: readonly Sample[] = FILE.split(/\n(?=property|typestate)/).map((text) => ({
  name: /\w+ (\w+)/.exec(text)![1]!,
  text: `${text}\n`,
}))

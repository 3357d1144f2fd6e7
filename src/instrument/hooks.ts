/**
 * What instrumented code calls. Each instrumented module starts with
 *
 *     var $hd = globalThis[Symbol.for("heddle")]("lib/queue.js", "…encoded sites…")
 *
 * and gets one object with the functions below (`$hd` is another name where the source uses that one). The hooks only record: loads, stores
 * and calls stay in the program's own code, so that inline caches, `this`, getters and sloppy or strict failures are what they were. So a
 * hook must return the argument said here, must not throw, and must not run code of the program: no getters, no toString of keys, no traps
 * of proxies. Bases may be anything, null and primitives too: the program's own operation after the hook throws when it has to.
 *
 * Sites are numbers from 0, in each module. `decodeSites` (sites.ts) turns the encoded table into line, column and function.
 * Keys are what the program computed: a string, a number, a symbol, or (rarely) an object. Private names are strings that start with '#'.
 */

/** Hooks may be methods: they are called as `$hd.r(…)`, and not by themselves. */
export interface ModuleHooks {
  /** A property is read right after: `$hd.r(a,"b",7).b`. Also for `k in a`, and for the properties a destructuring names. Returns the base. */
  r<T>(base: T, key: unknown, site: number): T
  /** A property is written right after, with this value: `a.b=$hd.w(a,"b",7,value)`. The base does not have the value yet. Returns the value. */
  w<V>(base: unknown, key: unknown, site: number, value: V): V
  /**
   * A property was read and written, with nothing between: `$hd.u(a,"b",7,a.b++,1)`. The value written is `result + add` (a number, or a bigint
   * where the result is one). Returns the result.
   */
  u<V>(base: unknown, key: unknown, site: number, result: V, add: number): V
  /** A property was written a moment ago; the value is not known: targets of destructuring and of for loops. */
  y(base: unknown, key: unknown, site: number): void
  /** A property is deleted right after: `delete $hd.d(a,"b",7).b`. Returns the base. */
  d<T>(base: T, key: unknown, site: number): T

  /**
   * A method whose name some collection has (COLLECTION_METHODS) is called right after, without arguments: `$hd.m(a,"pop",7).pop()`. The base is
   * anything; if it is no collection this is a read of the property `name`. Returns the base.
   */
  m<T>(base: T, name: string, site: number): T
  /**
   * The same with arguments. The hook stands at the last argument, so that it runs when all are evaluated: `a.get($hd.g(a,"get",7,key))`,
   * `a.push(x,$hd.g(a,"push",7,y))`, `a.push(...$hd.g(a,"push",7,list))`. Returns the last argument: with a single argument, that is the key.
   */
  g<L>(base: unknown, name: string, site: number, last: L): L
  /** The same where there are more arguments and the first one is a key: `a.set(key,$hd.h(a,"set",7,key,value))`. Returns the last argument. */
  h<L>(base: unknown, name: string, site: number, key: unknown, last: L): L

  /** Iterated right after, from begin to end: for-of, spread, array patterns, yield*. Returns it. */
  i<T>(iterable: T, site: number): T
  /** The keys of an object, and perhaps its values, are read right after: for-in, object spread, rest in object patterns, Object.keys. Returns it. */
  o<T>(object: T, site: number): T
  /** Everything below a value is read right after: JSON.stringify. Returns it. */
  j<T>(value: T, site: number): T
  /** `Object.assign($t=target,$hd.f($t,7,source))`: the enumerable own properties of `source` are read and written to `target`. Returns the source. */
  f<T>(target: unknown, site: number, source: T): T
  /** The clock is read right after: `$hd.t(Date,7).now()`, `new ($hd.t(Date,7))`. Returns the base. */
  t<T>(base: T, site: number): T

  /**
   * A scope begins (a function was called, a block was entered; once for the module) that holds `count` variables which closures share and
   * somebody writes. Variable i is described by site `first + i`: line and column of its declaration, and its name in place of the function's.
   */
  s(first: number, count: number): object
  /** Variable number `index` of a scope was read and had this value: `$hd.vr($s,0,7,x)`. Returns the value. */
  vr<V>(scope: object, index: number, site: number, value: V): V
  /** It is written right after or was written right before, with this value: `x=$hd.vw($s,0,7,value)`. Returns the value. */
  vw<V>(scope: object, index: number, site: number, value: V): V
  /** It was read and written, as for `u`: `$hd.vu($s,0,7,x++,1)`. Returns the result. */
  vu<V>(scope: object, index: number, site: number, result: V, add: number): V

  /**
   * Elements, `a[i]`: the base may be a typed array over shared memory, where the runtime itself reads and writes, so that what it records is
   * what the program gets. `$hd.er(a,i,7)[i]`: as `r`, but what it returns may be something else that has the value under this key.
   */
  er<T>(base: T, key: unknown, site: number): T
  /**
   * The target of an assignment: `$hd.et(a)[i]=$hd.ew(a,i,7,value)`. Returns the base, or something that swallows the store `ew` has made. In a
   * pattern there is no `ew`, and it makes the store itself: `[$hd.et(a)[i]]=list`.
   */
  et<T>(base: T): T
  /** As `w`; where `et` returned something else, this stores. */
  ew<V>(base: unknown, key: unknown, site: number, value: V): V
  /** `$hd.p($hd.en(a,i)?$hd.eu(a,i,7,1,0):$hd.u(a,i,7,a[i]++,1))`: is it an element of shared memory? */
  en(base: unknown, key: unknown): boolean
  /** Then this adds and stores. Returns the new value if `prefix`, else the old one. */
  eu(base: unknown, key: unknown, site: number, add: number, prefix: 0 | 1): unknown
  /** Returns its argument: so that an expression can begin with a name. */
  p<V>(value: V): V
  /** A function of Atomics is called next: `$hd.at(Atomics,7).add(a,i,1)`. Returns it, or something like it that knows the site. */
  at<T>(base: T, site: number): T

  /**
   * A method whose name is watched (watched.ts) is called next: `$hd.k(a,"query",0).query(x)`; `nth`: which watched call of the module it is. Returns the base, or something that has a method of
   * this name and calls that of the base. In the form `($hd.k(a,"query",0),a.query(x))` nobody looks at what it returns.
   */
  k<T>(base: T, name: string, nth: number): T
  /** A function whose name is watched is called right after: `$hd.kf("lock",lock,0)(x)`. Returns it, or something that calls it without a `this`. */
  kf<T>(name: string, callee: T, nth: number): T

  /**
   * Something is awaited next, in code that is no package's: `await $hd.z($hd.q(7),store.get(k))`. The line is that of whatever is asked for meanwhile, up to the wait itself. Returns what
   * `z` is given.
   */
  q(site: number): number
  /** It is about to wait for the value. Returns it. */
  z<V>(before: number, value: V): V

  /** With the option `stubs`, at the begin of every async function that is no generator: is this call to be treated as an answer from outside? */
  a(site: number): boolean
  /** What such a function returns; `waits`: what `a` said. Returns it. */
  ar<T>(waits: boolean, value: T): T
  /** Awaited at its end when `a` said yes. */
  l(site: number): Promise<void>

  /** With the option `detail`, and for functions that are watched. A function begins. */
  e(site: number): void
  /** It ends, in whatever way. */
  x(site: number): void
  /** A condition (if, loops, ?:, the left side of && || ??, the value of a switch) has this value. Returns it. */
  b<V>(site: number, value: V): V
  /** A call is evaluated next: callee, arguments, then the call. `name` is the last name in the callee, or ''. */
  c(site: number, name: string): void
}

/** Those of elements and of Atomics. */
export type ElementHooks = Pick<ModuleHooks, 'er' | 'et' | 'ew' | 'en' | 'eu' | 'p' | 'at'>
/** Those of watched calls. */
export type CallHooks = Pick<ModuleHooks, 'k' | 'kf'>
export type MemoryHooks = Omit<ModuleHooks, keyof ElementHooks | keyof CallHooks>

/** What `globalThis[Symbol.for(RUNTIME)]` is. */
export type MakeHooks = (file: string, encodedSites: string) => ModuleHooks

export const RUNTIME = 'heddle'

/** The variable that holds them in a module, if its source does not have that name. */
export const HOOKS = '$hd'

/**
 * Calls of methods with these names go through m, g and h; everything else is a read of a property and then a call. Names that only strings
 * have in common with arrays are here too: the runtime looks at the base first.
 */
export const COLLECTION_METHODS: ReadonlySet<string> = new Set(
  (
    'get set has delete add clear push pop shift unshift splice sort reverse fill copyWithin forEach map filter find findIndex findLast ' +
    'findLastIndex indexOf lastIndexOf includes some every reduce reduceRight slice concat join flat flatMap keys values entries at with ' +
    'toSorted toReversed toSpliced subarray getOrInsert getOrInsertComputed union intersection difference symmetricDifference isSubsetOf ' +
    'isSupersetOf isDisjointFrom'
  ).split(' '),
)

/** Those of them whose first argument is a key when there are two or more arguments: called through `h`. */
export const KEYED_METHODS: ReadonlySet<string> = new Set(['set', 'getOrInsert', 'getOrInsertComputed'])

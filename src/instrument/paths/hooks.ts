/**
 * What code instrumented with the option `branches` calls. Beside values it moves **tags**: numbers of expressions (rows of the paths file,
 * docs/branches.md, each plus one), 0 for what no schedule can change. The tag of the value an expression gave last is in the register `T.t`; local variables
 * have theirs in a variable beside them. The rewriter knows many tags without looking (literals: 0) and passes those.
 *
 * Here the hooks carry out what the program asks for, unlike those of ../hooks.ts: they throw what the program's own operation would throw, run
 * getters, valueOf and the callee where the operation would, and leave the tag of the result in the register. Whatever is not written with one
 * of them is put into `O`: nobody knows what it depended on.
 *
 * Sites are numbers from 0 in each module, as in ../hooks.ts. `strict`: 1 in strict code, 0 in sloppy code.
 */

/** The register; one for all modules of a thread. */
export interface Register {
  t: number
}

/** What a call hands to the function it calls, and gets back. Opaque to instrumented code. */
export type Frame = object | undefined

export interface PathHooks {
  readonly T: Register

  /** Returns its first argument: `$hd.p(x=VALUE,$hd_x=TAG)`. Does not touch the register. */
  p<V>(value: V, ...others: unknown[]): V
  /** A constant or a value with a known tag as a whole expression: `$hd.c(x,$hd_x)`. Puts the tag into the register. Returns the value. */
  c<V>(value: V, tag: number): V
  /** Not followed: any value. */
  O<V>(value: V): V

  /** `a + b` and all other binary operators but `in`, `&&`, `||`, `??`; the operator as written. */
  B(operator: string, a: unknown, ta: number, b: unknown, tb: number): unknown
  /** `! - + ~ typeof`; `typeof` of a name that may not be declared is left to `O`. */
  N(operator: string, a: unknown, ta: number): unknown
  /** ToNumeric(a) plus 1 or minus 1: for ++ and -- of variables. */
  I(a: unknown, ta: number, add: 1 | -1): unknown
  /** ToNumeric(a). */
  J(a: unknown, ta: number): unknown
  /** `${a}-${b}`: cooked strings, then value, tag, value, tag. */
  H(strings: readonly string[], ...values: unknown[]): string

  /** A decision on this value. Kinds: docs/branches.md. Returns the value; leaves its tag. `$hd.b(7,"if",VALUE,TAG)`. */
  b<V>(site: number, kind: string, value: V, tag: number): V
  /** `case C:` of `switch (V)`: written as `switch(true){case $hd.S(7,V,tv,C,tc):`. Is V === C? */
  S(site: number, value: unknown, tv: number, c: unknown, tc: number): boolean

  /** `base[key]`, also as base of a chain after a `?.` was written out. */
  G(base: unknown, tb: number, key: unknown, tk: number, site: number): unknown
  /** `base[key] = value`. */
  P<V>(base: unknown, tb: number, key: unknown, tk: number, value: V, tv: number, site: number, strict: 0 | 1): V
  /** `base[key]++` and the other three. */
  U(base: unknown, tb: number, key: unknown, tk: number, add: 1 | -1, prefix: 0 | 1, site: number, strict: 0 | 1): unknown
  /** `delete base[key]`. */
  D(base: unknown, tb: number, key: unknown, tk: number, site: number, strict: 0 | 1): boolean
  /** `key in base`. */
  K(key: unknown, tk: number, base: unknown, tb: number, site: number): boolean
  /** Private names: was read, had this value: `$hd.Gp(a,ta,"#x",7,a.#x)`; is written right after: `a.#x=$hd.Pp(a,ta,"#x",7,v,tv)` (also public fields of classes, key "x"). */
  Gp<V>(base: unknown, tb: number, key: string, site: number, value: V): V
  Pp<V>(base: unknown, tb: number, key: string, site: number, value: V, tv: number): V

  /**
   * `f(x, y)`. `text` is the callee as messages quote it ("f is not a function"). `tags` has one for each argument; undefined where arguments
   * are spread: `$hd.C(7,"f",f,tf,[x,...$hd.Q(list,tl,8)],undefined)`.
   */
  C(site: number, text: string, callee: unknown, tc: number, args: unknown[], tags: number[] | undefined): unknown
  /** `base[key](x, y)`, where evaluating the arguments does nothing the program could notice: the method is read after them. */
  M(site: number, text: string, base: unknown, tb: number, key: unknown, tk: number, args: unknown[], tags: number[] | undefined): unknown
  /** The same for other arguments: the language reads the method before them. `$hd.Mf(7,"a.f",$hd.F(a,ta,"f",0,7),[g()],[$hdT.t])`. Does what `G` does; returns what only Mf looks at. */
  F(base: unknown, tb: number, key: unknown, tk: number, site: number): object
  /** The same where the program has read the method already (`a.#f(x)`, `super.f(x)`, `a.f?.(x)`): `base` is `this` of the call. Does not touch the register. */
  Fv(base: unknown, tb: number, callee: unknown): object
  /** The call of what F or Fv returned. */
  Mf(site: number, text: string, method: object, args: unknown[], tags: number[] | undefined): unknown
  /** `new f(x, y)`. */
  W(site: number, text: string, callee: unknown, tc: number, args: unknown[], tags: number[] | undefined): unknown
  /** Is iterated right after, from begin to end (spread, for-of, array patterns, yield*). Returns it. */
  Q<V>(iterable: V, tag: number, site: number): V
  /** The keys and values of an object are read right after (for-in, object spread, rest in patterns). Returns it. */
  Qo<V>(object: V, tag: number, site: number): V

  /** At the begin of every function: what it was called with. `isAsync`: in async functions, 1. */
  E(site: number, isAsync?: 1): Frame
  /** The tag of parameter number `index`, which has this value. */
  A(frame: Frame, index: number, value: unknown): number
  /** The tag of what a pattern as parameter number `index` bound to `value` under this key; of an array pattern the index, which says something only if an array was passed. */
  Ap(frame: Frame, index: number, key: string, value: unknown, site: number): number
  /** `return value`. Returns the value. Functions without a return statement on their way have no R. */
  R<V>(frame: Frame, value: V, tag: number): V
  /** `await x` as `($t1=X,$t2=TAG,$hd.Z($t1,$t2,await $t1))`: what the wait was for, its tag, and what came. Returns the last. */
  Z<V>(awaited: unknown, tag: number, value: V): V

  /** The tag of `value`, which a pattern took from `base` under this key a moment ago: `const {a}=$t1=X,$hd_a=$hd.X($t1,tag,"a",a,7)`. A default may have been taken instead. */
  X(base: unknown, tb: number, key: string, value: unknown, site: number): number
  /** The tag of `value`, which an iteration gave as number `index`: elements of array patterns, variables of for-of. `tq`: what Q left in the register. Of an array this is its element; of anything else it depends on tq. */
  Xi(iterable: unknown, tq: number, index: number, value: unknown, site: number): number
  /**
   * A literal with its keys (or indexes) and their tags, those that are 0 left out: `$hd.L({a:x,b:1},7,"a",$hd_x)`. Returns it. Where something is spread
   * the tag that Q or Qo left is there under the key "..." (0 too); what is not named after it (0 too) may come from what was spread. Behind a spread elements are counted from the end: -1 is the last.
   */
  L<V extends object>(object: V, site: number, ...keysAndTags: (string | number)[]): V

  /** Scopes and captured variables that somebody writes, as in ../hooks.ts: scope object; was read; is written (assignments and initialisers). */
  s(first: number, count: number): object
  vr<V>(scope: object, index: number, site: number, value: V): V
  vw<V>(scope: object, index: number, site: number, value: V, tag: number): V

  /** As in ../hooks.ts: the clock is read right after; stubs of async functions; watched calls (their base or callee is wrapped before G, M or C gets it). */
  t<V>(base: V, site: number): V
  a(site: number): boolean
  ar<V>(waits: boolean, value: V): V
  l(site: number): Promise<void>
  k<V>(base: V, name: string, nth: number): V
  kf<V>(name: string, callee: V, nth: number): V
  e(site: number): void
  x(site: number): void
}

/** What `globalThis[Symbol.for(PATHS_RUNTIME)]` is. */
export type MakePathHooks = (file: string, encodedSites: string) => PathHooks

export const PATHS_RUNTIME = 'heddle-paths'

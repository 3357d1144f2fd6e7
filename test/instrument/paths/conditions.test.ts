/**
 * What conditions are made of, one form after the other: the programs read `S.x` and so on, which nobody has written, and the reference hooks tell
 * what each decision was on.
 */
import { describe, expect, test } from 'vitest'
import { instrumentPaths } from '../../../src/instrument/paths/instrument.ts'
import { PATHS_RUNTIME } from '../../../src/instrument/paths/hooks.ts'
import { referenceHooks } from './reference.ts'

const globals = globalThis as unknown as Record<symbol, unknown>

async function branchesOf(source: string): Promise<string[]> {
  const result = instrumentPaths(source, { file: 'a.js', kind: 'commonjs', stubs: false, detail: false })
  if ('skipped' in result) throw new Error(result.skipped)
  const S = { x: 5, y: 2, n: null, s: 'text', list: [1, 2], o: { p: 7 }, f: (v: unknown) => v, t: true }
  const reference = referenceHooks((key) => Object.hasOwn(S, key))
  globals[Symbol.for(PATHS_RUNTIME)] = reference.make
  // oxlint-disable-next-line typescript/no-implied-eval
  const run = new Function('S', result.code) as (s: unknown) => unknown
  await run(S)
  return reference.branches
}

const FORMS: readonly (readonly [what: string, source: string, ...expected: string[]])[] = [
  ['if', 'if (S.x > 3) ;', 'if (.x > 3): true'],
  ['constant conditions are not told', 'let a = 1; if (a > 3) ; while (a > 9) ;'],
  ['local variable', 'const a = S.x; let b = a + 1; b *= 2; if (b === 12) ;', 'if (((.x + 1) * 2) === 12): true'],
  ['assignment as value', 'let a, b; a = b = S.x; if (a) ; if (b) ;', 'if .x: true', 'if .x: true'],
  ['assignment in a condition', 'let a; while ((a = S.y) > 5) ; if (a) ;', 'loop (.y > 5): false', 'if .y: true'],
  ['overwritten', 'let a = S.x; a = 1; if (a) ; a = S.y; if (a) ;', 'if .y: true'],
  [
    'increments',
    'let a = S.x; a++; if (a) ; if (a++ > 6) ; if (--a) ; if (a-- > 0) ;',
    'if (.x + 1): true',
    'if ((.x + 1) > 6): false',
    'if (((.x + 1) + 1) - 1): true',
    'if ((((.x + 1) + 1) - 1) > 0): true',
  ],
  [
    'unary',
    'if (!S.x) ; if (-S.x < 0) ; if (typeof S.s === "string") ;',
    'if !.x: false',
    'if (-.x < 0): true',
    'if (typeof .s === "string"): true',
  ],
  ['template', 'if (`a${S.x}b${1}` === "a5b1") ;', 'if (`a${.x}b${1}` === "a5b1"): true'],
  ['&& and ||', 'if (S.x && S.n || S.y) ;', '&& .x: true', '|| .n: false', 'if .y: true'],
  [
    '?? and its value',
    'const a = S.n ?? S.y; if (a) ; const b = S.x ?? 1; if (b) ;',
    '?? .n: true',
    'if .y: true',
    '?? .x: false',
    'if .x: true',
  ],
  ['?:', 'const a = S.x > 1 ? S.y : 0; if (a) ;', '?: (.x > 1): true', 'if .y: true'],
  ['?: of constants', 'const a = S.x ? 1 : 0; if (a) ;', '?: .x: true'],
  ['for', 'for (let i = S.y; i > 0; i--) ;', 'loop (.y > 0): true', 'loop ((.y - 1) > 0): true', 'loop (((.y - 1) - 1) > 0): false'],
  ['do while', 'let i = S.y; do i -= 2; while (i > 0)', 'loop ((.y - 2) > 0): false'],
  ['switch', 'switch (S.y) { case 1: break; case S.y: break; default: }', 'switch .y === 1: false', 'switch .y === .y: true'],
  [
    'switch on true',
    'switch (true) { case S.x > 9: break; case S.x > 1: if (S.y) ; }',
    'switch true === (.x > 9): false',
    'switch true === (.x > 1): true',
    'if .y: true',
  ],
  ['optional chain', 'const a = S.n?.b.c; if (a) ; if (S.o?.p) ;', '?. .n: true', 'if .n: false', '?. .o: false', 'if .o.p: true'],
  ['optional call', 'if (S.f?.(S.x)) ; S.nope?.(1)', '?. .f: false', 'if f(.x): true'],
  [
    'logical assignment',
    'let a = S.n; a ??= S.x; if (a) ; const o = { b: S.x }; o.b &&= S.y; if (o.b) ;',
    '?? .n: true',
    'if .x: true',
    '&& .x: true',
    'if .y: true',
  ],
  ['parameters and results', 'function f(a, b) { return a + b } if (f(S.x, S.y) > 1) ;', 'if ((.x + .y) > 1): true'],
  ['arrow functions', 'const f = (a) => a * 2; if (f(S.x)) ; if ([S.y].length) ;', 'if (.x * 2): true'],
  ['default values', 'function f(a, b = a) { if (a) ; if (b) ; } f(S.x); f(S.x, S.y)', 'if .x: true', 'if .x: true', 'if .y: true'],
  ['methods', 'class A { m(a) { this.v = a; return this } get g() { return this.v } } const a = new A().m(S.x); if (a.v) ;', 'if .x: true'],
  ['constructor', 'class A { constructor(v) { this.v = v } } if (new A(S.x).v) ;', 'if .x: true'],
  [
    'private names',
    'class A { #v = S.x; up() { this.#v += 1; this.#v++; return this.#v } #m(a) { return a } go() { return this.#m(S.y) } } const a = new A(); if (a.up()) ; if (a.go()) ;',
    'if ((.x + 1) + 1): true',
    'if .y: true',
  ],
  ['fields', 'class A { v = S.x } if (new A().v) ;', 'if .x: true'],
  ['closures', 'const a = S.x; const f = () => { if (a) ; }; f()', 'if .x: true'],
  ['closures that write', 'let a = 0; const set = (v) => { a = v }; set(S.x); if (a) ; a++; if (a) ;', 'if .x: true', 'if (.x + 1): true'],
  ['parameters that closures write', 'function f(a) { const g = () => { a += 1 }; g(); if (a) ; } f(S.x)', 'if (.x + 1): true'],
  ['object literal', 'const o = { a: S.x, b: 1, ["c"]: S.y }; if (o.a) ; if (o.b) ; if (o.c) ;', 'if .x: true', 'if .y: true'],
  ['shorthand', 'const a = S.x; const o = { a }; if (o.a) ;', 'if .x: true'],
  ['array literal', 'const a = [S.x, 1, S.y + 1]; if (a[0]) ; if (a[1]) ; if (a[2]) ;', 'if .x: true', 'if (.y + 1): true'],
  ['array literal with a spread', 'const b = [1]; const a = [S.x, ...b, S.y]; if (a[0]) ; if (a[2]) ;', 'if .x: true', 'if .y: true'],
  [
    'property writes',
    'const o = {}; o.a = S.x; o.a += 1; if (o.a) ; o["b"] = S.y; o.b++; if (o.b) ;',
    'if (.x + 1): true',
    'if (.y + 1): true',
  ],
  [
    'object pattern',
    'const { x, y: z, q = 1, o: { p } } = S; if (x) ; if (z) ; if (q) ; if (p) ;',
    'if .x: true',
    'if .y: true',
    'if ?: true',
  ],
  ['array pattern', 'const [a, b] = [S.x, 2]; if (a) ; if (b) ;', 'if .x: true'],
  ['pattern assignment', 'let a, b; ({ x: a, y: b } = S); if (a > b) ; [a, b] = [b, a]; if (a) ;', 'if (.x > .y): true', 'if .y: true'],
  [
    'pattern assignment to properties',
    'const o = {}; [o.a] = [S.x]; ({ x: o["b"] } = S); if (o.a) ; if (o.b) ;',
    'if ?: true',
    'if ?: true',
  ],
  ['pattern parameter', 'function f({ x, list: [z] = [] }, [w]) { if (x) ; if (w) ; } f(S, [S.y])', 'if .x: true', 'if .y: true'],
  ['patterns of closures', 'let { x } = S; const f = () => { x++ }; f(); if (x) ;', 'if (.x + 1): true'],
  ['computed keys', 'const k = S.y; if ([1, 2, 3][k]) ; const o = { [k]: 1 }', 'if .[.y]: true', 'index .y: 2'],
  ['comma', 'let a; if ((a = S.x, S.y)) ; if (a) ;', 'if .y: true', 'if .x: true'],
  ['void and delete', 'if (void S.x) ; if (delete S.q) ;'],
  ['in', 'if (S.s in S) ;', 'if (.s in object): false'],
  ['native functions', 'if (Math.max(S.x, 1) > 4) ; if (Number(S.s)) ;', 'if (max(.x, 1) > 4): true', 'if Number(.s): false'],
  [
    'tags of arguments',
    'function f(a, b, c) { if (a) ; if (b) ; if (c) ; } let v = S.x; f(v, S.y, v = S.s); f(v, v = 1, S.t)',
    'if .x: true',
    'if .y: true',
    'if .s: true',
    'if .s: true',
    'if .t: true',
  ],
  ['loops over collections', 'for (const v of [S.x]) if (v) ; for (const k in { a: S.x }) if (k) ;', 'if .x: true', 'if ?: true'],
  [
    'patterns in loops',
    'for (const { x: a, y } of [S]) if (a > y) ; for (const [k, v] of [[S.x, 1], [2, S.y]]) if (k > v) ;',
    'if (.x > .y): true',
    'if (.x > 1): true',
    'if (2 > .y): false',
  ],
  [
    'loops of variables that are there',
    'let v; for (v of [S.x, 2]) if (v) ; for (var w of [S.y]) ; if (w) ; let u; const g = () => u; for (u of [S.x]) if (g()) ;',
    'if .x: true',
    'if .y: true',
    'if .x: true',
  ],
  [
    'loops over other things',
    'for (const v of new Set([S.x])) if (v) ; for (const [k] of new Map([[1, 2]])) if (k) ;',
    'if ?: true',
    'if ?.0: true',
  ],
  [
    'arguments',
    'function f(a) { arguments[0] = 3; if (a) ; } f(S.x); function g(a) { "use strict"; arguments[0] = 3; if (a) ; } g(S.x)',
    'if ?: true',
    'if .x: true',
  ],
  ['what is caught', 'try { throw S.x } catch (e) { if (e) ; }', 'if ?: true'],
  ['generators', 'function* g(a) { const b = yield a; if (b) ; } const i = g(S.x); i.next(); i.next(1)', 'if ?: true'],
  [
    'await',
    'return (async () => { const a = await S.x; if (a) ; const b = (await S.y) + 1; if (b) ; })()',
    'if .x: true',
    'if (.y + 1): true',
  ],
  [
    'names of the same name',
    'const a = S.x; { const a = S.y; if (a) ; } if (a) ; function f(a) { if (a) ; } f(S.s)',
    'if .y: true',
    'if .x: true',
    'if .s: true',
  ],
  ['var', 'if (v) ; var v = S.x; { var v = S.y } if (v) ;', 'if .y: true'],
  ['bigint', 'let a = BigInt(S.x); a++; if (a > 5n) ;', 'if ((BigInt(.x) + 1) > 5): true'],
]

describe('conditions', () => {
  test.each(FORMS)('%s', async (_what, source, ...expected) => {
    expect(await branchesOf(source)).toEqual(expected)
  })
})

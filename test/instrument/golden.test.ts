/** What instrumented code looks like, one form after the other. The line with the hooks is left out. */
import { describe, expect, test } from 'vitest'
import { instrument, type InstrumentOptions } from '../../src/instrument/instrument.ts'

function rewrite(source: string, options: Partial<InstrumentOptions> = {}): string {
  const result = instrument(source, { file: 'a.js', kind: 'commonjs', stubs: false, detail: false, ...options })
  if ('skipped' in result) throw new Error(result.skipped)
  return result.code.replace(/var \$hd=.*?(?:"\)|\bs\(\d+,\d+\))(?:,\$hd\w+)*;/, '')
}

const FORMS: readonly (readonly [what: string, source: string, expected: string])[] = [
  ['read', 'x = a.b.c', 'x = $hd.r($hd.r(a,"b",1).b,"c",0).c'],
  ['read of a private name', 'class A { #x; f() { return this.#x } }', 'class A { #x; f() { return $hd.r(this,"#x",0).#x } }'],
  ['read with a key', 'a[k]; a[0]; a[f()]', '$hd.er(a,k,0)[k]; $hd.er(a,0,1)[0]; $hd.er(a,$hdk=f(),2)[$hdk]'],
  ['optional read', 'a?.b; a.b?.[k]', '$hd.r(a,"b",0)?.b; $hd.er($hd.r(a,"b",2).b,k,1)?.[k]'],
  ['chain that goes on', 'x = a?.b.c', 'x = (($hdt1=a)==null?void 0:$hd.r($hd.r($hdt1,"b",1).b,"c",0).c)'],
  ['method', 'x = a.f(x); x = a[k](x)', 'x = ($hd.r(a,"f",0),a.f(x)); x = ($hd.r(a,k,1),a[k](x))'],
  ['method of what is no name', 'a.b.f(x)', '$hd.r($hd.r(a,"b",1).b,"f",0).f(x)'],
  [
    'constructor',
    'x = new a.b(x); new C(x); new a.b.c',
    'x = ($hd.r(a,"b",0),new a.b(x)); new C(x); new ($hd.r($hd.r(a,"b",2).b,"c",1).c)',
  ],
  [
    'call of a variable',
    'let g; f = () => { g = x }; y = g(1)',
    'let g; f = () => { g =$hd.vw($hds0,0,1, x) }; y = ($hd.vr($hds0,0,2,g),g(1))',
  ],
  ['write', 'a.b = v; this.b = 1', 'a.b =$hd.w(a,"b",0, v); this.b =$hd.w(this,"b",1, 1)'],
  ['write to a base that is no name', 'f().b = v', ';($hdt1=f()).b =$hd.w($hdt1,"b",0, v)'],
  ['write with a key', 'a[f()] = v; a["b"] = v', '$hd.et($hdt1=a)[$hdt2=(f())] =$hd.ew($hdt1,$hdt2,0, v); a["b"] =$hd.w(a,"b",1, v)'],
  ['compound write with a key', 'a[i] += v', '$hd.et(a)[i] =$hd.ew(a,i,1,$hd.er(a,i,0)[i]+( v))'],
  ['update with a key', 'x = a[i]++', 'x = $hd.p($hd.en(a,i)?$hd.eu(a,i,0,1,0):$hd.u(a,i,0,a[i]++,1))'],
  [
    'update with a key that is no name',
    '--a[f()]',
    '$hd.p($hd.en($hdt1=a,$hdt2=(f()))?$hd.eu($hdt1,$hdt2,0,-1,1):$hd.u($hdt1,$hdt2,0,--$hdt1[$hdt2],0))',
  ],
  ['Atomics', 'Atomics.add(a, i, 1)', '$hd.at(Atomics,0).add(a, i, 1)'],
  ['compound write', 'a.b += v', 'a.b =$hd.w(a,"b",1,$hd.r(a,"b",0).b+( v))'],
  ['logical write', 'this.b ??= v', ';($hd.r(this,"b",0).b ??(this.b=$hd.w(this,"b",1, v)))'],
  ['update', 'a.b++; --a.b', '$hd.u(a,"b",0,a.b++,1); $hd.u(a,"b",1,--a.b,0)'],
  ['deletion', 'delete a.b; delete a[f()]', 'delete $hd.d(a,"b",0).b; delete $hd.d(a,$hdk=f(),1)[$hdk]'],
  ['in', '"x" in a', '"x" in $hd.r( a,"x",0)'],
  ['collection', 'a.pop(); a.get(k); a.push(x, y)', '$hd.m(a,"pop",0).pop(); a.get($hd.g(a,"get",1,k)); a.push(x, $hd.g(a,"push",2,y))'],
  ['collection with a key', 'm.set(k, v)', 'm.set(k, $hd.h(m,"set",0,k,v))'],
  ['collection that is no name', 'o.m.get(k)', ';($hdt1=$hd.r(o,"m",1).m).get($hd.g($hdt1,"get",0,k))'],
  ['spread', 'f(...xs); x = { ...o }', 'f(...$hd.i(xs,0)); x = { ...$hd.o(o,1) }'],
  ['loops', 'for (const x of xs); for (const k in o);', 'for (const x of $hd.i(xs,0)); for (const k in $hd.o(o,1));'],
  ['patterns', 'const { b, ...c } = a, [d] = e', 'const { b, ...c } = $hd.r($hd.o(a,1),"b",0), [d] = $hd.i(e,2)'],
  ['pattern with targets', '[this.a, this.b] = v', '[this.a, this.b] = $hd.i(v,0),$hd.y(this,"a",1),$hd.y(this,"b",2)'],
  ['clock', 'Date.now(); new Date(); new Date(5)', '$hd.t(Date,0).now(); new ($hd.t(Date,1))(); new Date(5)'],
  ['whole objects', 'Object.keys(o); Object.assign(a, b)', 'Object.keys($hd.o(o,0)); Object.assign(a, $hd.f(a,1,b))'],
  ['globals are left alone', 'Math.max(1); JSON.parse(x); console.log(x)', 'Math.max(1); JSON.parse(x); console.log(x)'],
  ['fresh values are left alone', '[1].map(f); "x".length; /x/.test(y)', '[1].map(f); "x".length; /x/.test(y)'],
  [
    'variables',
    'let n = 0; f = () => { n++; n = 2; n += 3; return n }',
    'let n = $hd.vw($hds0,0,1,0); f = () => { $hd.vu($hds0,0,2,n++,1); n =$hd.vw($hds0,0,3, 2); n =$hd.vw($hds0,0,5,$hd.vr($hds0,0,4,n)+( 3)); return $hd.vr($hds0,0,6,n) }',
  ],
  ['variables that name functions', 'let g; f = () => { g = () => 1 }', 'let g; f = () => { $hd.vw($hds0,0,1,g = () => 1) }'],
  ['variables nobody else writes', 'let n = 0; const f = () => n; let m = 0; m++', 'let n = 0; const f = () => n; let m = 0; m++'],
  [
    'variables of functions and blocks',
    'function f(a) { g(() => a++); { let b = 1; g(() => b--) } }',
    'function f(a) {var $hds0=$hd.s(0,1); g(() => $hd.vu($hds0,0,1,a++,1)); {let $hds1=$hd.s(2,1); let b = $hd.vw($hds1,0,3,1); g(() => $hd.vu($hds1,0,4,b--,-1)) } }',
  ],
]

test.each(FORMS)('%s', (_what, source, expected) => {
  expect(rewrite(source)).toBe(expected)
})

describe('options', () => {
  test('stubs', () => {
    expect(rewrite('async function f() { g() }\nh = async x => x', { stubs: true })).toBe(
      'async function f() {var $hdq=$hd.a(0);try{ g() }finally{if($hdq)await $hd.l(0)}}\nh = async x =>{var $hdq=$hd.a(1);try{return($hd.ar($hdq, x))}finally{if($hdq)await $hd.l(1)}}',
    )
  })
  test('stubs are inserted without accesses', () => {
    expect(rewrite('async function f() { return a.b }', { stubs: true, accesses: false })).toBe(
      'async function f() {var $hdq=$hd.a(0);try{ return $hd.ar($hdq,a.b) }finally{if($hdq)await $hd.l(0)}}',
    )
  })
  test('with detail, functions, conditions and calls are announced', () => {
    expect(rewrite('function f(x) { if (x) return g(x) || 1 }', { detail: true })).toBe(
      'function f(x) {$hd.e(0);try{ if ($hd.b(1,x)) return $hd.b(2,($hd.c(3,"g"),g(x))) || 1 }finally{$hd.x(0)}}',
    )
  })
  test.each([
    ['a method', 'a.query(x)', ';($hd.k(a,"query",0),a.query(x))'],
    ['of what is no name', 'f().query(x)', '$hd.k(f(),"query",0).query(x)'],
    ['optional', 'a?.query(x); a.b?.query?.()', '$hd.k(a,"query",0)?.query(x); $hd.k(a.b,"query",1)?.query?.()'],
    ['after a question mark', 'a?.b.query(x)', ';(($hdt1=a)==null?void 0:$hd.k($hdt1.b,"query",0).query(x))'],
    ['recorded in place', 'm.get(k)', '$hd.k(m,"get",0).get(k)'],
    ['a function', 'lock(x); lock?.()', '$hd.kf("lock",lock,0)(x); $hd.kf("lock",lock,1)?.()'],
    ['a function that runs', 'function run() { g() }', 'function run() {$hd.e(0);try{ g() }finally{$hd.x(0)}}'],
    [
      'left alone',
      'class A extends B { #query; query() { super.query(); this.#query(); this["query"](); a.query`x`; new a.query() } }',
      'class A extends B { #query; query() { super.query(); this.#query(); this["query"](); a.query`x`; new a.query() } }',
    ],
  ])('watched calls: %s', (_what, source, expected) => {
    const calls = { methods: ['que*', 'get'], inPlace: ['get'], functions: ['lock', 'eval'], executions: ['run'] }
    expect(rewrite(source, { accesses: false, calls })).toBe(expected)
  })
  test('watched calls and accesses are both announced', () => {
    const calls = { methods: ['*'], inPlace: ['get', 'pop', 'then'], functions: ['g'], executions: [] }
    const both = (source: string): string => rewrite(source, { calls })
    expect(both('x = a.query(y)')).toBe('x = ($hd.k(a,"query",0),($hd.r(a,"query",0),a.query(y)))')
    expect(both('a.b.query(y)')).toBe('$hd.k($hd.r($hd.r(a,"b",1).b,"query",0),"query",0).query(y)')
    expect(both('x = m.get(k); m.pop()')).toBe('x = $hd.k(m,"get",0).get($hd.g(m,"get",0,k)); $hd.k($hd.m(m,"pop",1),"pop",1).pop()')
    expect(both('o.m.get(k)')).toBe('$hd.k($hdt1=$hd.r(o,"m",1).m,"get",0).get($hd.g($hdt1,"get",0,k))')
    expect(both('x = p.then(f)')).toBe('x = $hd.k($hd.r(p,"then",0),"then",0).then(f)')
  })
  test('watched calls of a namespace', () => {
    const calls = { methods: ['close'], inPlace: [], functions: [], executions: [] }
    expect(rewrite('import * as ns from "./b.js"; ns.close()', { kind: 'module', accesses: false, calls })).toContain(
      '$hd.k(ns,"close",0).close()',
    )
  })
  test('the name of the hooks is one the source does not use', () => {
    expect(rewrite('const $hd = 1; a.b')).toContain('$hd0.r(a,"b",0).b')
  })
})

describe('the first line', () => {
  const code = (source: string, kind: 'module' | 'commonjs' = 'commonjs'): string => {
    const result = instrument(source, { file: 'dir/a "b".js', kind, stubs: false, detail: false })
    return 'skipped' in result ? result.skipped : result.code
  }
  test('comes before everything', () => {
    expect(code('a.b\n')).toMatch(
      /^var \$hd=globalThis\[globalThis\.Symbol\.for\("heddle"\)\]\("dir\/a \\"b\\"\.js","\\nCGA"\);\$hd\.r\(a,"b",0\)\.b\n$/,
    )
  })
  test('comes after directives', () => {
    expect(code("/* x */ 'use strict' // y\na.b")).toMatch(/^\/\* x \*\/ 'use strict';var \$hd=.*; \/\/ y\n\$hd\.r/)
  })
  test('comes after a hashbang', () => {
    expect(code('#!/usr/bin/env node\na.b')).toMatch(/^#!\/usr\/bin\/env node\nvar \$hd=/)
  })
  test('is not there when there is nothing to record', () => {
    expect(code('module.x;\n'.replace('module.x', 'f()'))).toBe('f();\n')
  })
  test('works where the module declares Symbol and globalThis itself', () => {
    expect(code('var Symbol = 1, globalThis = 2; a.b')).toMatch(/^var \$hd=global\[global\.Symbol\.for/)
  })
  test('can be reached by functions that a circle of imports calls early', () => {
    expect(code('import "./b.js"\nexport function f(x = a.b) { return x.y }', 'module')).toMatch(
      /^var \$hd;function \$hdi\(\)\{\$hd=.*\}\$hd\|\|\$hdi\(\);import "\.\/b\.js"\nexport function f\(x = a\.b\) \{\$hd\|\|\$hdi\(\); return \$hd\.r\(x,"y",0\)\.y \}$/,
    )
  })
})

describe('left alone', () => {
  test('a file that cannot be parsed, with the reason', () => {
    expect(instrument('let x = ;', { file: 'a.js', kind: 'commonjs', stubs: false, detail: false })).toEqual({
      skipped: 'cannot be parsed: Unexpected token (1:8)',
    })
  })
  test('a function with a direct eval, but not the functions in it', () => {
    expect(rewrite('function f() { a.b; eval(s); return () => a.c }')).toBe('function f() { a.b; eval(s); return () => $hd.r(a,"c",0).c }')
  })
  test('the body of a with', () => {
    expect(rewrite('with (a.b) { c.d }')).toBe('with ($hd.r(a,"b",0).b) { c.d }')
  })
  test('exports that importers of CommonJS find by their text', () => {
    const source = 'Object.defineProperty(exports, "x", { enumerable: true, get: function () { return m.x } })'
    expect(rewrite(source)).toBe(source)
    expect(rewrite('exports.x = m.x')).toBe('exports.x =$hd.w(exports,"x",0, $hd.r(m,"x",1).x)')
  })
})

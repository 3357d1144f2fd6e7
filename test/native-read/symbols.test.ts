/** Places in the source and names of variables. What the tools say is given as text; with a compiler at hand they are asked. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { parse, qualifiedName } from '../../src/frontends/native/addr2line.ts'
import { Modules } from '../../src/frontends/native/modules.ts'
import { Symbols } from '../../src/frontends/native/symbols.ts'

const FOLDER = mkdtempSync(join(tmpdir(), 'heddle-symbols-'))
process.env['XDG_CACHE_HOME'] = FOLDER
afterAll(() => rmSync(FOLDER, { recursive: true, force: true }))

test('sites are those that addr2line gives', () => {
  const said = `0x00000000000010ba
get
/src/a.c:4 (discriminator 2)
main
/src/a.c:10
0x0000000000002000
??
??:0
0x0000000000003000
strlen
??:?
0x0000000000004000
f
a.c:?
`
  expect([...parse(said)]).toEqual([
    [
      0x10ba,
      [
        { name: 'get', file: '/src/a.c', line: 4 },
        { name: 'main', file: '/src/a.c', line: 10 },
      ],
    ],
    [0x2000, []],
    [0x3000, [{ name: 'strlen', file: '', line: 0 }]],
    [0x4000, [{ name: 'f', file: '', line: 0 }]],
  ])
})

test('an inlined C++ function has no name where addr2line gives that of the outer one', () => {
  const said = '0x1\nQueue<int>::run(int)\n/q.cpp:3\npush\n/q.cpp:9\nrun\n/q.cpp:20\n'
  expect(
    parse(said)
      .get(1)!
      .map(({ name }) => name),
  ).toEqual(['', 'push', 'run'])
})

test('modules: a program without a base comes last; addresses without a file', () => {
  const modules = new Modules('7f00 7fff /lib/c.so\n0 9000 /bin/a program\nsomething else\n')
  expect(modules.relative(0x7f10)).toBe('/lib/c.so+0x10')
  expect(modules.relative(0x1234)).toBe('/bin/a program+0x1234')
  expect(modules.short(0x1234)).toBe('a program+0x1234')
  expect(modules.relative(0xa000)).toBe('0xa000')
  const symbols = new Symbols(modules, '/')
  expect(symbols.site(0xa001)).toBe('0xa000')
  expect(symbols.site(0x7f11)).toBe('c.so+0x10')
  expect(symbols.data(0x7f11)).toBeUndefined()
})

test('a place in a library stands for the line that called it', () => {
  const modules = new Modules('1000 2000 /usr/lib/c.so\n8000 9000 /bin/a\n')
  const symbols = new Symbols(modules, '/', new Map(), new Map([[2 ** 47 + 1, [0x8100, 0x8200]]]))
  expect(symbols.relative(2 ** 47 + 1)).toBe('/bin/a+0x100@200')
  expect(symbols.relative(0x8100)).toBe('/bin/a+0x100')
  expect(symbols.site(2 ** 47 + 1)).toBe('a+0xff')
})

test('names without what they return and what they are templates of', () => {
  expect(qualifiedName('void std::__invoke_impl<void, void (*)()>(std::__invoke_other, void (*&&)())')).toBe('std::__invoke_impl')
  expect(qualifiedName('std::vector<int> make<int>(std::map<int, int>&)')).toBe('make')
})

const SOURCE = `namespace box { struct Pair { int a, b; }; Pair pair; }
static int table[4];
static void put(int i) { static int calls; table[i] = calls++; }
int main() {
  put(1);
  return 0;
}
`

const compiler = spawnSync('g++', ['--version']).status === 0 && spawnSync('addr2line', ['--version']).status === 0

test.skipIf(!compiler)('a real program: lines, functions, variables (skipped where g++ or addr2line is missing)', () => {
  const source = join(FOLDER, 'a.cpp')
  const program = join(FOLDER, 'a')
  writeFileSync(source, SOURCE)
  expect(spawnSync('g++', ['-g', '-O0', '-no-pie', '-o', program, source]).status).toBe(0)
  const symbols = new Symbols(new Modules(`0 ffffffff ${program}`), FOLDER)
  const nm = spawnSync('nm', ['-C', program], { encoding: 'utf8' }).stdout
  const addressOf = (name: string): number =>
    Number.parseInt(
      nm.split('\n').find((line) => line.endsWith(` ${name}`))!,
      16,
    )
  expect(symbols.site(addressOf('main') + 1)).toBe('a.cpp:4 main')
  // The address of a signal is exact, that of a call is behind it.
  expect(symbols.site(addressOf('main'), true)).toBe('a.cpp:4 main')
  expect(symbols.site(addressOf('main') + 1)).toBe(symbols.site(addressOf('main'), true))
  expect(symbols.data(addressOf('table') + 8)).toEqual({ name: 'table', offset: 8 })
  expect(symbols.data(addressOf('box::pair') + 4)).toEqual({ name: 'box::pair', offset: 4 })
  expect(symbols.data(addressOf('put(int)::calls'))?.name).toBe('put(int)::calls')
  expect(symbols.data(addressOf('main'))).toBeUndefined()
})

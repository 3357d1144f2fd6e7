/** What a `java` command line says about where classes are. */
import { expect, test } from 'vitest'
import { classPathOf } from '../../src/frontends/java/launch.ts'

const of = (line: string): readonly string[] => classPathOf('java', line.split(' '))

test('the class path of classes, jars and modules', () => {
  expect(of('-ea -cp a:b Main -cp c')).toEqual(['a', 'b'])
  expect(of('--class-path=a --add-opens java.base/java.lang=ALL-UNNAMED Main')).toEqual(['a'])
  expect(of('-jar lib/app.jar')).toEqual(['lib'])
  expect(of('-cp a -p target/classes:mods -m m/p.Main -p x')).toEqual(['target/classes', 'mods', 'a'])
  expect(of('-cp a --module-path=mods --module=m/p.Main')).toEqual(['mods', 'a'])
})

test('a command that runs nothing is refused', () => {
  for (const line of ['-version', '-cp a', '--add-modules m']) expect(() => of(line)).toThrow('is given no class, jar or source file')
})

/** Problems around a Java program: each gives a sentence and an exit code. */
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { ROOT } from '../node-bugs/install.ts'
import { node } from '../node-bugs/run.ts'
import { noJava, place } from './java.ts'

describe.skipIf(noJava !== '')(`bad days${noJava}`, () => {
  const here = place()
  const ends = (...words: string[]): string[] => ['java', '-Xmx64m', '-cp', 'classes', 'Ends', ...words]

  test.each([
    ['System.exit(3)', ['exit', '3'], /The recorded run failed: exit code 3\./],
    ['Runtime.halt(4)', ['halt', '4'], /The recorded run failed: exit code 4\./],
    ['OutOfMemoryError', ['memory'], /failed: exit code 1 \(java\.lang\.OutOfMemoryError: Java heap space \(in main\)\)/],
    ['StackOverflowError', ['stack'], /failed: exit code 1 \(java\.lang\.StackOverflowError \(in main\)\)/],
    ['an exception in a thread', ['uncaught'], /a thread ended by an uncaught exception \(java\.lang\.IllegalStateException: in a thread/],
  ])('%s', async (_, words, sentence) => {
    const { code, out, err } = await here.check(['--replays', '0'], ends(...words))
    expect(err).toMatch(sentence)
    expect(out).toMatch(/^2$/m)
    expect(code).toBe(2)
  })

  test('threads that wait for each other while they are recorded: FAILED as recorded', async () => {
    const { code, out, err } = await here.check(['--replays', '1'], ends('deadlock'))
    expect(out.replaceAll(/\s+/g, ' '), err).toMatch(
      /FAILED .* recorded run .* main waits for the lock of class Object .*, which thread \d+ holds/,
    )
    expect(out).toMatch(/Replay it: heddle replay \w+/)
    expect(code).toBe(1)
  })

  test('a wait that nobody ends: said, and exit code 2', async () => {
    const { code, out } = await here.check(['--record-time', '5'], ends('wait'))
    expect(out.replaceAll(/\s+/g, ' ')).toMatch(/does not end by itself\. When it was stopped: main waits at .*Ends\.java:\d+/)
    expect(out).not.toContain('No failure was found')
    expect(code).toBe(2)
  })

  test('kill -9: what was recorded can be opened', async () => {
    const { code, err } = await here.check(['--replays', '0'], ends('kill'))
    expect(err).toContain('The recorded run failed: it was ended by SIGKILL')
    expect(code).toBe(2)
    const file = /heddle show (\S+threads\.heddle)/.exec(err)?.[1]
    const shown = await node([join(ROOT, 'bin/heddle.js'), 'show', file!], here.dir)
    expect(shown.out).toMatch(/join\("thread 2"\) @"Ends\.java:\d+ Ends\.main"/)
    expect(shown.code).toBe(0)
  })

  test('no such class, broken class files', async () => {
    const none = await here.check(['--replays', '0'], ['java', '-cp', 'classes', 'NoSuch'])
    expect(none.err).toMatch(/Could not find or load main class NoSuch[^]*The recorded run failed: exit code 1\. /)
    expect(none.code).toBe(2)
    mkdirSync(join(here.dir, 'broken'))
    writeFileSync(join(here.dir, 'broken/Wrong.class'), 'no class')
    const broken = await here.check(['--replays', '0'], ['java', '-cp', 'broken', 'Wrong'])
    expect(broken.err).toMatch(/ClassFormatError[^]*The recorded run failed: exit code 1\. /)
    expect(broken.code).toBe(2)
  })

  test('no java on PATH, nothing to run', async () => {
    const none = join(here.dir, 'none')
    mkdirSync(none)
    symlinkSync(process.execPath, join(none, 'node'))
    const missing = await here.check([], ['java', '-cp', 'classes', 'Wrong'], { PATH: none })
    expect(missing.err).toBe('heddle: There is no program "java". Check the name, or install the package that has it\n')
    expect(missing.code).toBe(2)
    const nothing = await here.check([], ['java', '-cp', 'classes'])
    expect(nothing.err).toMatch(/^heddle: "java" is given no class, jar or source file to run\./)
    expect(nothing.code).toBe(2)
  })

  test('without a built agent a check ends with an error', async () => {
    const copy = join(here.dir, 'without-agent')
    const left = join(ROOT, 'dist/java')
    cpSync(join(ROOT, 'dist'), join(copy, 'dist'), { recursive: true, filter: (path) => path !== left && !path.endsWith('.map') })
    for (const name of ['bin', 'library', 'package.json']) cpSync(join(ROOT, name), join(copy, name), { recursive: true })
    symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'))
    const { code, err } = await node([join(copy, 'bin/heddle.js'), 'check', '--', 'java', '-cp', 'classes', 'Wrong'], here.dir)
    expect(err).toMatch(/^heddle: The agent for Java programs is not built\. Install a JDK and Maven/)
    expect(code).toBe(2)
  })
})

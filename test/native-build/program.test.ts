/** What Heddle sees in a native program, and why it refuses one: every sentence once, on real files. */
import { chmodSync, copyFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { HeddleError } from '../../src/errors.ts'
import { readElf } from '../../src/frontends/native/elf.ts'
import { recognised } from './recognised.ts'
import { compile, noClang, noGcc, scratch } from './compile.ts'

const dir = scratch()

function refusal(word: string): string {
  try {
    recognised([word], dir)
  } catch (error) {
    if (error instanceof HeddleError) return `${error.code}: ${error.message}`
    throw error
  }
  return 'not refused'
}

/** A copy with some bytes of its head changed. */
function changed(from: string, name: string, bytes: Readonly<Record<number, number>>): string {
  const data = readFileSync(from)
  for (const [at, byte] of Object.entries(bytes)) data[Number(at)] = byte
  writeFileSync(join(dir, name), data, { mode: 0o755 })
  return `./${name}`
}

describe.skipIf(noGcc !== '')(`programs of gcc ${noGcc}`, () => {
  test('with and without the calls of the sanitizer, position independent or not', () => {
    compile(dir, 'plain', 'gcc')
    compile(dir, 'tsan', 'gcc', '-g', '-fsanitize=thread')
    compile(dir, 'fixed', 'gcc', '-g', '-fsanitize=thread', '-no-pie')
    const plain = recognised(['./plain', '-x', 'a b'], dir)
    expect(plain.launch).toMatchObject({ file: join(dir, 'plain'), args: ['-x', 'a b'] })
    expect(plain.binary).toMatchObject({ instrumented: false, pie: true, debug: false })
    expect(plain.launch.notes.join('\n')).toMatch(/not built with `heddle cc`.*\n.*no debug information/)
    expect(recognised(['./tsan'], dir)).toMatchObject({
      binary: { instrumented: true, pie: true, debug: true, notes: [] },
      launch: { notes: [] },
    })
    expect(recognised(['./fixed'], dir)).toMatchObject({ binary: { instrumented: true, pie: false } })
    expect(readElf(join(dir, 'tsan'))!.needed).toContain('libtsan.so.2')
  })

  test('a script of package.json and a name on the PATH lead to native programs, too', () => {
    const plain = compile(dir, 'plain', 'gcc')
    writeFileSync(join(dir, 'package.json'), JSON.stringify({ scripts: { start: 'MODE=fast ./plain 1' } }))
    expect(recognised(['npm', 'start'], dir).launch).toMatchObject({ file: plain, args: ['1'], env: { MODE: 'fast' }, cwd: dir })
    const path = process.env['PATH']
    process.env['PATH'] = `${dir}:${path}`
    expect(recognised(['plain'], '/').binary.path).toBe(plain)
    process.env['PATH'] = path
  })

  test('refused: not for this, or with something else inside', () => {
    const plain = compile(dir, 'plain', 'gcc')
    compile(dir, 'static', 'gcc', '-static')
    compile(dir, 'static-pie', 'gcc', '-static-pie')
    compile(dir, 'library.so', 'gcc', '-shared', '-fPIC')
    compile(dir, 'object.o', 'gcc', '-c')
    chmodSync(join(dir, 'object.o'), 0o755)
    compile(dir, 'address', 'gcc', '-fsanitize=address')
    copyFileSync(plain, join(dir, 'set-uid'))
    chmodSync(join(dir, 'set-uid'), 0o4755)
    copyFileSync(plain, join(dir, 'locked'))
    chmodSync(join(dir, 'locked'), 0o644)
    writeFileSync(join(dir, 'cut'), readFileSync(plain).subarray(0, 3000), { mode: 0o755 })
    expect(refusal('./static')).toMatch(/^static-program: .*statically linked.*Link it without -static/)
    expect(refusal('./static-pie')).toMatch(/^static-program:/)
    expect(refusal('./library.so')).toMatch(/^not-a-program: .*a shared library/)
    expect(refusal('./object.o')).toMatch(/^not-a-program: .*an object file/)
    expect(refusal('./address')).toMatch(/^other-sanitizer: .*-fsanitize=address.*CC="heddle cc" make/)
    expect(refusal('./set-uid')).toMatch(/^set-uid-program: .*another user/)
    expect(refusal('./locked')).toMatch(/^program-not-allowed:/)
    expect(refusal('./cut')).toMatch(/^broken-program: .*cannot be read/)
    expect(refusal(changed(plain, 'x86', { 4: 1, 18: 3 }))).toMatch(/^other-machine: .*32-bit x86\. /)
    expect(refusal(changed(plain, 'x32', { 4: 1 }))).toMatch(/^other-machine: .*x32/)
    expect(refusal(changed(plain, 'big', { 5: 2, 18: 0, 19: 22 }))).toMatch(/^other-machine: .*IBM Z/)
    expect(refusal(changed(plain, 'odd', { 18: 0xee, 19: 0xee }))).toMatch(/^other-machine: .*machine 61166/)
  })

  test('a program of an older gcc asks for a sanitizer of another name', () => {
    const data = readFileSync(compile(dir, 'tsan', 'gcc', '-fsanitize=thread'))
    data.write('libtsan.so.0', data.indexOf('libtsan.so.2'))
    writeFileSync(join(dir, 'old'), data, { mode: 0o755 })
    expect(refusal('./old')).toMatch(/^old-sanitizer: .*libtsan\.so\.0/)
  })

  test('bytes that lie are no reason to fall over', () => {
    const whole = readFileSync(compile(dir, 'plain', 'gcc'))
    for (let at = 16; at < 900; at += 7) {
      const data = Buffer.from(whole)
      data[at] = (data[at]! + 97) & 255
      data[at + 1] = 255
      writeFileSync(join(dir, 'bent'), data, { mode: 0o755 })
      expect(refusal('./bent')).toMatch(/^not refused|^[a-z-]+: ".\/bent" /)
    }
  })
})

test.skipIf(noClang !== '' || noGcc !== '')(`clang's own sanitizer cannot be replaced ${noClang}`, (context) => {
  try {
    compile(dir, 'clang-tsan', 'clang', '-fsanitize=thread')
  } catch {
    context.skip('clang has no sanitizer runtime here')
  }
  expect(refusal('./clang-tsan')).toMatch(/^static-sanitizer: .*HEDDLE_CC=clang/)
})

test('scripts and programs that start others', () => {
  writeFileSync(join(dir, 'run.sh'), '#!/bin/sh\n./plain\n', { mode: 0o755 })
  writeFileSync(join(dir, 'run.py'), '#!/usr/bin/env python3\n', { mode: 0o755 })
  writeFileSync(join(dir, 'wrapped'), '#! /bin/bash\n\n# wrapped - temporary wrapper script for .libs/wrapped\n# Generated by libtool\n', {
    mode: 0o755,
  })
  expect(refusal('./run.sh')).toMatch(/^other-script: .*a script for "sh"/)
  expect(refusal('./run.py')).toMatch(/^other-script: .*a script for "python3"/)
  expect(refusal('./wrapped')).toMatch(/^libtool-script: .*libtool --mode=execute heddle check -- \.\/wrapped/)
  if (process.platform !== 'linux') return
  expect(refusal('/bin/sh')).toMatch(/^starts-others: .*Give the program itself/)
  expect(refusal('env')).toMatch(/^starts-others: .*NAME=value heddle check/)
  // A program of one's own may be called so.
  copyFileSync('/bin/true', join(dir, 'time'))
  expect(refusal('./time')).toBe('not refused')
})

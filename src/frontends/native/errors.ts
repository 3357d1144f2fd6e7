/** Every error that building the native runtime, the compiler behind `heddle cc` and the user's binary can cause, one function each. */
import { HeddleError, quote } from '../../errors.ts'

const BUILD = 'Build it with `CC="heddle cc" make` (docs/native.md)'

export const notOnLinux = (platform: string): HeddleError =>
  new HeddleError(
    'native-not-linux',
    `C and C++ programs can be checked on Linux only, and this is ${quote(platform)}`,
    'Use a Linux machine or container',
  )

export const noPrivateFolder = (folder: string): HeddleError =>
  new HeddleError(
    'no-private-folder',
    `The runtime for native programs needs a folder that only you can write to. Others can write to ${quote(folder)}, or its name has blanks or colons`,
    'Name one in XDG_CACHE_HOME',
  )

export const noCompiler = (language: 'C' | 'C++'): HeddleError =>
  new HeddleError(
    'no-compiler',
    `There is no ${language} compiler here, which Heddle needs for native programs`,
    language === 'C'
      ? 'Install one, as with `apt install gcc libc6-dev`, or name it in HEDDLE_CC'
      : 'Install one, as with `apt install g++`, or name it in HEDDLE_CXX',
  )

export const compilerNotFound = (variable: string, word: string): HeddleError =>
  new HeddleError('compiler-not-found', `${variable} names ${quote(word)}, and there is no such program`, `Check it, or unset ${variable}`)

export const runtimeNotBuilt = (compiler: string, words: string): HeddleError =>
  new HeddleError(
    'native-runtime-not-built',
    `The runtime for native programs could not be built with ${quote(compiler)}: ${words}`,
    'Check that the compiler works and libc6-dev is installed, or name another in HEDDLE_CC',
  )

export const nativeSourcesMissing = (folder: string): HeddleError =>
  new HeddleError('native-sources-missing', `This copy of Heddle has no ${quote(folder)}`, 'Install it again')

export const staticProgram = (word: string): HeddleError =>
  new HeddleError('static-program', `${quote(word)} is statically linked: the runtime cannot be put into it`, 'Link it without -static')

export const staticSanitizer = (word: string): HeddleError =>
  new HeddleError(
    'static-sanitizer',
    `${quote(word)} has clang's own thread sanitizer inside, which cannot be replaced`,
    'Build it with `heddle cc` instead of -fsanitize=thread; HEDDLE_CC=clang makes that use clang',
  )

export const oldSanitizer = (word: string, library: string): HeddleError =>
  new HeddleError('old-sanitizer', `${quote(word)} was built for ${quote(library)}, the sanitizer of an older gcc`, BUILD)

export const otherSanitizer = (word: string, name: string): HeddleError =>
  new HeddleError(
    'other-sanitizer',
    `${quote(word)} was built with ${name}, which replaces the same functions as Heddle`,
    'Build it without that, with `CC="heddle cc" make` (docs/native.md)',
  )

export const otherMachine = (word: string, machine: string): HeddleError =>
  new HeddleError(
    'other-machine',
    `${quote(word)} is a program for ${machine}`,
    'Heddle runs 64-bit programs of the machine it is on. Build it for that',
  )

export const notAProgram = (word: string, what: string): HeddleError =>
  new HeddleError('not-a-program', `${quote(word)} is ${what}, not a program`, 'Give the program that it is linked into')

export const setUidProgram = (word: string): HeddleError =>
  new HeddleError('set-uid-program', `${quote(word)} runs with the rights of another user (set-uid)`, 'Check a copy of it without that bit')

export const brokenProgram = (word: string): HeddleError =>
  new HeddleError('broken-program', `${quote(word)} begins like a program, but the rest of it cannot be read`, BUILD)

/** What libtool leaves where a program is expected. */
export const libtoolScript = (word: string): HeddleError =>
  new HeddleError(
    'libtool-script',
    `${quote(word)} is a script of libtool that starts the program`,
    `Write \`libtool --mode=execute heddle check -- ${word}\``,
  )

export const startsOthers = (word: string): HeddleError =>
  new HeddleError(
    'starts-others',
    `${quote(word)} starts other programs, and only the given program is observed`,
    word === 'env'
      ? 'Write the variables before heddle, as in `NAME=value heddle check -- ./program`'
      : 'Give the program itself, as in `heddle check -- ./program`',
  )

import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { format, formatText } from '../../src/property/format.ts'
import { libraryDeclarations, libraryFiles } from '../../src/property/library.ts'
import { parseProperties } from '../../src/property/parse.ts'
import { SAMPLES } from './samples.ts'

test.each(SAMPLES)('$name is in its layout', ({ text }) => {
  expect(format(parseProperties(text))).toBe(text)
  expect(formatText(text)).toBe(text)
})

describe('the library', () => {
  test.each(libraryFiles())('$name is in its layout', ({ name }) => {
    const text = readFileSync(`library/${name}`, 'utf8')
    expect(formatText(text, name)).toBe(text)
  })

  test('no two have one name, and each says what it means', () => {
    const names = libraryDeclarations().map((d) => d.name)
    expect(names).toEqual([...new Set(names)])
    expect(libraryDeclarations().filter((d) => d.says === undefined)).toEqual([])
  })
})

test('columns, order of lines, blanks, quotes', () => {
  const text = `typestate   T ( fd f,g ) { default :off
    A : open->B, close  x -> A   B:
    event open after call( fs.open|"fs.openSync" ) returns( f ) args(g,..)
    event x before get("a b"|"a") target(f) location( g ) if ( !(f==1)&&(g!="\\u0041"||(f<2)) )
    says   "{f}"  confirm:violation
    event close answered call(A.close) throws("*") args(f,g,-1.50,true) }
    property Q() { event a before call(f) pattern:((a)|(a a))(a)*!(a) a }`
  expect(formatText(text)).toBe(`typestate T(fd f, g) {
  says "{f}"
  event open  after    call(fs.open | fs.openSync) args(g, ..) returns(f)
  event x     before   get("a b" | a) target(f) location(g) if(!(f == 1) && (g != "A" || f < 2))
  event close answered call(A.close) args(f, g, -1.5, true) throws
  A: open -> B, close x -> A
  B:
  default: off
}

property Q() {
  event a before call(f)
  pattern: (a | a a) a* !a a
}
`)
})

describe('comments', () => {
  test('stay with what they stand above or behind', () => {
    const text = `// First.

/* About P:
     indented
   and not. */
property P() { // head
      // the pattern
  pattern: a // what must not be
  confirm: violation // as always

  // one

  // two
  event a before call(f) /* f */ // and more
  // last
} // end
// after

// all`
    const formatted = `// First.

/* About P:
     indented
   and not. */
property P() { // head
  // one

  // two
  event a before call(f) /* f */ // and more
  // the pattern
  pattern: a // what must not be
  confirm: violation // as always
  // last
} // end

// after

// all
`
    expect(formatText(text)).toBe(formatted)
    expect(formatText(formatted)).toBe(formatted)
  })

  test.each([
    'property P() {\n  event a before /* now */ call(f)\n  pattern: a\n}',
    'property P() {\n  event a before call(f)\n  pattern: a // one\n    a // two\n}',
    'property P(\n  // nothing\n) {\n  event a before call(f)\n  pattern: a\n}',
    'property P() {\n  event a before call(f) /* and */ pattern: a\n}',
  ])('a place inside a line is refused: %j', (text) => {
    expect(() => formatText(text, 'f.prop')).toThrow(
      /f\.prop:\d+:\d+: Formatting would lose this comment\. Put it on a line of its own above/,
    )
  })
})

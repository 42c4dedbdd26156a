import { fc, test } from '@fast-check/vitest'
import { describe, expect, it } from 'vitest'
import { markdownText } from './github.ts'
import { plainLine, plainText, relativePath } from './check-results.ts'

const anyText = fc.string({ unit: 'binary' })

describe('given text of a process for a file', () => {
  it('then escape sequences are gone as a whole, and line ends are line feeds', () => {
    expect(plainText('\u001B[31mred\u001B[0m\r\nnext\rlast\u0000')).toBe('red\nnext\nlast')
    expect(plainText('one\u2028two\u2029three')).toBe('one\ntwo\nthree')
    expect(plainText('half \ud800 and \u202Eturned')).toBe('half \ufffd and turned')
    expect(plainText('tab\tünï 🙂')).toBe('tab\tünï 🙂')
  })

  test.prop([anyText])('then XML may hold every character of it', (text) => {
    // eslint-disable-next-line no-control-regex -- the characters of XML 1.0
    expect(plainText(text)).toMatch(/^[\u0009\u000A\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]*$/u)
  })

  test.prop([anyText, fc.integer({ min: 1, max: 30 })])(
    'then one line is one, and as short',
    (text, length) => {
      expect(plainLine(text, length)).not.toMatch(/[\r\n\u2028\u2029]/)
      expect(plainLine(text, length).length).toBeLessThanOrEqual(length)
    },
  )
})

describe('given a path of somebody else', () => {
  it.each([
    ['src/a.ts', 'src/a.ts'],
    ['./src//a.ts', 'src/a.ts'],
    ['src\\a.ts', 'src/a.ts'],
    ['a b/ü.ts', 'a b/ü.ts'],
    ['..a/b..', '..a/b..'],
  ])('then %j lies below the folder', (path, relative) => {
    expect(relativePath(path)).toBe(relative)
  })

  it.each([
    '/etc/passwd',
    '\\\\host\\share',
    'C:\\a',
    'file:///a',
    'a/../../b',
    '..',
    '.',
    '',
    'a\nb',
    'http://a/b',
  ])('then nobody is sent to %j', (path) => {
    expect(relativePath(path)).toBeUndefined()
  })

  test.prop([anyText])('then it never leads out', (path) => {
    const relative = relativePath(path) ?? 'a'
    expect(relative.startsWith('/') || relative.split('/').includes('..')).toBe(false)
  })
})

describe('given a line as markdown', () => {
  it('then markup is shown, not meant', () => {
    expect(markdownText('a | <b> `c`')).toBe('a &#124; &#60;b&#62; &#96;c&#96;')
    expect(markdownText('www.a.b - 1.')).toBe('www&#46;a.b - 1.')
  })

  test.prop([anyText])('then it can be read back, and no character of markup is left', (text) => {
    const line = plainLine(text, 500)
    const markdown = markdownText(line)
    const readBack = markdown.replace(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)))
    expect(readBack).toBe(line.replace(/\s/g, ' '))
    expect(markdown.replace(/&#\d+;/g, '')).not.toMatch(/[&<>"'\\`*_{}[\]()#+!|~@:$^=\n]/)
  })
})

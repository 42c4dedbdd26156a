import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { depthChange, lexisOf, pythonLexis, tokensOf } from './tokens.ts'

function tokens(path: string, text: string) {
  const lexis = path.endsWith('.py') ? pythonLexis : lexisOf(path)
  if (lexis === undefined) throw new Error(`no language of ${path}`)
  return tokensOf(text, lexis)
}

const spelled = (path: string, text: string) =>
  tokens(path, text)
    .filter(({ kind }) => kind !== 'comment' && kind !== 'newline')
    .map((token) => token.text)
    .join(' ')

describe('given sources of many languages', () => {
  it.each([
    ['a.py', "x = 'a'  # why", 'x = "a"'],
    ['a.py', 'x = """a\n# b"""\ny', 'x = """a\n# b""" y'],
    ['a.py', String.raw`x = """a\"""" // 2`, String.raw`x = """a\"""" // 2`],
    ['a.py', 'if (n := f()) is not None:', 'if ( n := f ( ) ) is not None :'],
    ['a.go', 's := `a // b` // c', 's := `a // b`'],
    ['a.rs', 'let c = \'"\'; // "', "let c = '\"' ;"],
    ['a.rs', 'r#"a " b"# /* c */ 0..n', 'r#"a " b"# 0 .. n'],
    ['a.rs', "fn f<'a>(x: &'a str)", "fn f < ' a > ( x : & ' a str )"],
    ['A.cs', '$@"a ""b" + c', '$@"a ""b" + c'],
    ['A.java', 'f(a, /* b */ "c",)', 'f ( a , "c" , )'],
    ['a.kt', 'a->b != 1.5', 'a -> b != 1.5'],
  ])('reads %s: %j', (path, text, expected) => expect(spelled(path, text)).toBe(expected))

  it('knows which of them mean something by newlines', () => {
    expect(tokens('a.go', 'a\nb').map(({ kind }) => kind)).toEqual(['word', 'newline', 'word'])
    expect(tokens('A.java', 'a\nb').map(({ line }) => line)).toEqual([1, 2])
    expect(lexisOf('a.txt')).toBeUndefined()
  })

  it('leaves out nothing but space, whatever the text is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.constantFrom('a.py', 'a.rs', 'a.cs'), (text, path) => {
        let end = 0
        for (const token of tokens(path, text)) {
          expect(text.slice(end, token.start).trim().replaceAll('\\', '')).toBe('')
          expect(token.end).toBeGreaterThan(token.start)
          end = token.end
        }
      }),
    )
  })
})

it('counts the brackets that the caller asks for', () => {
  const code = tokens('a.py', 'f(a, [b, c], {d: e})')
  const depth = (opening?: string) => code.map((token) => depthChange(token, opening)).join(' ')
  expect(depth().match(/-1/gu)).toHaveLength(3)
  expect(depth('([').match(/-1/gu)).toHaveLength(2)
})

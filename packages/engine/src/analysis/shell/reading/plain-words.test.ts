import fc from 'fast-check'
import { parse } from 'unbash'
import { describe, expect, it } from 'vitest'
import { plainWords } from '../decompose.ts'

const words = fc.oneof(
  fc.constantFrom(
    ...'if then elif else fi for select while until do done case esac in function time coproc'.split(' '),
    ...'end foreach repeat nocorrect noglob builtin command exec export local declare typeset readonly let'.split(
      ' ',
    ),
    ...'npm run build --if-present a=b -a=b --x=1=2 2 - -- . .. ./a ../b @ + % , : a:b x@y 100% a,b +x PATH=1'.split(
      ' ',
    ),
    ...'eval set unset test [ ] [[ ]] { } ! # ~ * ? a[0]=b -e=a= =a $x `x` \\ & | ; < > ( ) "a" \'a\' \n \t \r'.split(
      ' ',
    ),
  ),
  fc.stringMatching(/^[\w./:@%+,=-]{1,8}$/),
)
const line = fc
  .tuple(fc.array(words, { minLength: 1, maxLength: 5 }), fc.constantFrom(' ', ' ', ' ', '  ', '\n', '\t'))
  .map(([list, between]) => list.join(between))

/** With what the parser only makes when it is asked for. */
function inFull(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(inFull)
  if (typeof node !== 'object' || node === null) return node
  const lazy = ['parts', 'args', 'redirects', 'value'].flatMap((name) =>
    name in node ? [[name, inFull(Reflect.get(node, name))] as const] : [],
  )
  return {
    ...Object.fromEntries(Object.entries(node).map(([name, value]) => [name, inFull(value)])),
    ...Object.fromEntries(lazy),
  }
}

describe('given a line of nothing but words', () => {
  it.each([
    'npm run build',
    'ls',
    'git commit -m x',
    'npx vitest run --reporter=dot src/a.test.ts',
    'make -j4 all',
  ])('%s needs no parser', (script) => {
    expect(plainWords(script)).toBeDefined()
    expect(inFull(plainWords(script))).toEqual(inFull(parse(script)))
  })

  it.each([
    '',
    ' ls',
    'ls ',
    'a=b ls',
    'ls a=b',
    'if x',
    'time ls',
    'ls *',
    'ls; ls',
    'ls\n',
    'é',
    'a\rb',
    'ls ~',
    'a  b',
  ])('%j is left to the parser', (script) => expect(plainWords(script)).toBeUndefined())
})

describe('given any line', () => {
  it('what needs no parser is what the parser makes of it', () => {
    let plain = 0
    fc.assert(
      fc.property(line, (script) => {
        const found = plainWords(script)
        if (found === undefined) return
        plain += 1
        expect(inFull(found)).toEqual(inFull(parse(script)))
      }),
      { numRuns: 5_000 },
    )
    expect(plain).toBeGreaterThan(500)
  })
})

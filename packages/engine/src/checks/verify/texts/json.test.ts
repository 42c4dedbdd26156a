import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { jsonIn } from './json.ts'

const fenced = (content: string, language = 'json', fence = '```') =>
  `${fence}${language}\n${content}\n${fence}`

describe('given an answer with JSON in it', () => {
  it.each([
    ['bare', '{"a": 1}', { a: 1 }],
    ['bare, in white space', '\n [1] \n', [1]],
    ['a bare text', '"done"', 'done'],
    ['fenced', `Here it is:\n\n${fenced('{"a": 1}')}\nThat is all.`, { a: 1 }],
    ['fenced without a mark', fenced('[1, 2]', ''), [1, 2]],
    ['fenced with tildes', fenced('1', 'json', '~~~'), 1],
    ['fenced with capitals', fenced('1', 'JSON'), 1],
    ['fenced with more words', fenced('1', 'json title="x"'), 1],
    ['fenced with Windows line ends', '```json\r\n{"a": 1}\r\n```\r\n', { a: 1 }],
    ['beside code of another kind', `${fenced('let a = 1', 'js')}\n${fenced('2')}`, 2],
    ['marked, beside a block without a mark', `${fenced('ls', '')}\n${fenced('2')}`, 2],
    ['with a fence within a text', fenced('"```"'), '```'],
    ['in a longer fence', fenced('{"a": "```"}', 'json', '````'), { a: '```' }],
  ])('finds it: %s', (_, text, value) => {
    expect(jsonIn(text)).toEqual({ kind: 'json', value })
  })

  it('finds any JSON, bare and fenced', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = JSON.stringify(value, undefined, 2)
        const expected: unknown = JSON.parse(text)
        expect(jsonIn(text)).toEqual({ kind: 'json', value: expected })
        expect(jsonIn(`So:\n${fenced(text)}\nDone.`)).toEqual({ kind: 'json', value: expected })
      }),
    )
  })
})

describe('given an answer without one JSON', () => {
  it.each([
    ['nothing', '', /empty/],
    ['words', 'It is done.', /not JSON/],
    ['JSON in a sentence', 'It is {"a": 1}.', /not JSON/],
    ['two blocks', `${fenced('1')}\n${fenced('2')}`, /2 blocks/],
    ['two equal blocks', `${fenced('1')}\n${fenced('1')}`, /2 blocks/],
    ['a block that is broken', fenced('{"a": }'), /in the fenced block, it is not JSON/],
    ['an empty block', fenced(''), /empty/],
    ['a block that is not closed', '```json\n{"a": 1}', /not closed/],
    ['code of another kind', fenced('{"a": 1}', 'js'), /not JSON/],
    ['a fence in a line', '```json {"a": 1}```', /not JSON/],
  ])('says why: %s', (_, text, problem) => {
    expect(jsonIn(text)).toMatchObject({ kind: 'no-json' })
    expect(JSON.stringify(jsonIn(text))).toMatch(problem)
  })
})

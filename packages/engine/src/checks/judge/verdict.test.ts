import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { judgeCategories } from '@donecheck/core/internal/events/verdicts'
import { parseVerdict } from './verdict.ts'

function parse(text: string, categories: readonly string[] = judgeCategories) {
  return parseVerdict(text, categories)
}

describe('given one verdict in the end', () => {
  it.each(['PASS', '  PASS  \n', 'All of it is there.\n\n**PASS**', 'Goal: met.\nVerdict: PASS', 'PASS.'])(
    'passes %j',
    (text) => {
      expect(parse(text)).toMatchObject({ kind: 'met' })
    },
  )

  it.each([
    ['FAIL [incomplete]: no tests', 'incomplete', 'no tests'],
    ['**FAIL [goal_missed]**: wrong topic', 'goal_missed', 'wrong topic'],
    ['Reasoning.\nFAIL [refusal]: it refuses\nwithout a reason', 'refusal', 'it refuses\nwithout a reason'],
    ['FAIL: x', undefined, 'x'],
    ['fail: x', undefined, 'x'],
    ['FAIL - x', undefined, 'x'],
    ['Verdict: FAIL [tone_mismatch]: too loud', 'tone_mismatch', 'too loud'],
  ])('fails %j', (text, category, reason) => {
    const named = category === undefined ? {} : { category }
    expect(parse(text)).toEqual({ kind: 'not-met', reason, quotes: [], ...named })
  })

  it('abstains with its reason', () => {
    expect(parse('I see no file.\nABSTAIN: the report is not shown')).toEqual({
      kind: 'abstained',
      reason: 'the report is not shown',
      quotes: [],
    })
  })

  it('reads quotes with their sources, a score, and the reasoning around them', () => {
    const text = 'The tests ran.\nQUOTE [event-7]: "12 passed"\n- QUOTE: Paris\nSCORE: 0.9\nPASS'
    expect(parse(text)).toEqual({
      kind: 'met',
      reason: 'The tests ran.',
      score: 0.9,
      quotes: [{ text: '12 passed', source: 'event-7' }, { text: 'Paris' }],
    })
  })
})

describe('given what may be read in two ways, or in none', () => {
  it.each([
    ['nothing', ''],
    ['blanks', ' \n '],
    ['no verdict', 'It looks good to me.'],
    ['a pass in passing', 'I would say this is a PASS overall.'],
    ['a pass in small letters', 'pass'],
    ['both verdicts', 'FAIL [incomplete]: tests\nPASS'],
    ['both verdicts, the other way', 'PASS\nFAIL: no'],
    ['a failure in small letters beside a pass', 'Fail: no tests\nPASS'],
    ['two passes', 'PASS\nPASS'],
    ['a pass in a quote', '> PASS'],
    ['a pass in quotation marks', '"PASS"'],
    ['a pass in a fence', 'He wrote:\n```\nPASS\n```'],
    ['a failure in a fence', '```\nFAIL [incomplete]: x\n```'],
    ['a quoted pass beside a failure', '> PASS\nFAIL: no'],
    ['a quoted failure beside a pass', '> FAIL: no\nPASS'],
    ['a pass with something behind it', 'PASS\nbut the tests are missing'],
    ['an unknown category', 'FAIL [vibes]: no'],
    ['a score above 1', 'SCORE: 7\nPASS'],
    ['a pass with unseen characters', 'PA\u200BSS'],
    ['JSON in a fence', '```json\n{"verdict":"PASS"}\n```'],
    ['broken JSON', '{"verdict":"PASS"'],
    ['other JSON', '{"ok":true}'],
  ])('has no verdict for %s', (_, text) => {
    expect(parse(text).kind).toBe('malformed')
  })
})

describe('given any text', () => {
  const line = fc.oneof(
    fc.string(),
    fc.constantFrom(
      'PASS',
      'FAIL: x',
      'ABSTAIN: y',
      '> PASS',
      '```',
      'QUOTE [a]: b',
      '{',
      'SCORE: 1',
      '**PASS**',
    ),
  )
  const text = fc.array(line, { maxLength: 8 }).map((lines) => lines.join('\n'))

  it('always has an answer, and passes only what holds exactly one pass and no failure', () => {
    fc.assert(
      fc.property(text, (written) => {
        const verdict = parse(written)
        if (verdict.kind !== 'met') return
        expect(written.match(/PASS/g)?.length).toBeGreaterThanOrEqual(1)
        expect(written).not.toMatch(/^FAIL/m)
        expect(written).not.toMatch(/^> PASS/m)
      }),
    )
  })
})

describe('given a quote in marks of any kind', () => {
  it.each([
    'QUOTE [report.md]: "Sales report"',
    'QUOTE [report.md]: `Sales report`',
    'QUOTE [report.md]: “Sales report”',
    'QUOTE [report.md]: «Sales report»',
    "QUOTE [report.md]: 'Sales report'",
    'QUOTE [report.md]: „Sales report“',
    'QUOTE [report.md]: ```Sales report```',
    'QUOTE [report.md]:\n```\nSales report\n```',
    'QUOTE [report.md]:\n> Sales report',
  ])('%j is that quote', (line) => {
    const verdict = parse(`It has a title.\n${line}\nPASS`)
    expect(verdict).toMatchObject({ kind: 'met', quotes: [{ source: 'report.md' }] })
    expect('quotes' in verdict && verdict.quotes[0]?.text.replace(/^> /, '')).toBe('Sales report')
  })
})

describe('given thoughts in the answer', () => {
  it('reads no verdict in them', () => {
    expect(parse('<think>\nMaybe\nFAIL: no\n</think>\nPASS')).toMatchObject({ kind: 'met' })
    expect(parse('<think>\nPASS\n</think>')).toMatchObject({ kind: 'malformed' })
    expect(parse('<think>\nPASS')).toMatchObject({ kind: 'malformed' })
    expect(parse('PASS\n</think>\nFAIL: no')).toMatchObject({ kind: 'malformed' })
  })
})

describe('given a score', () => {
  it.each([
    ['SCORE: 0.75\nPASS', 0.75],
    ['PASS\nSCORE: 0.75', 0.75],
    ['Score: 80%\nPASS', 0.8],
    ['SCORE: 0.9/1\nPASS', 0.9],
  ])('reads it in %j', (text, score) => {
    expect(parse(text)).toMatchObject({ kind: 'met', score })
  })
})

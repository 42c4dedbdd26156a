import { test } from '@fast-check/vitest'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { answerIn, questionText } from './human-file.ts'

const id = '0123456789abcdef'

describe('the text of a question', () => {
  test.prop([fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' })])(
    'keeps the details apart, whatever is in them',
    (details, question) => {
      const text = questionText({ runId: 'r', check: 'c', question, details }, id, 'c.answer')
      const others = text.split('\n').filter((line) => !line.startsWith('>'))
      expect(others.slice(1)).toEqual(
        questionText({ runId: 'r', check: 'c', question: '', details: '' }, id, 'c.answer')
          .split('\n')
          .filter((line) => !line.startsWith('>'))
          .slice(1),
      )
    },
  )
})

describe('the text of an answer', () => {
  it.each([
    [`approve\nquestion: ${id}`, { kind: 'approved', by: 'file', reason: '' }],
    [
      `  Deny \r\nquestion:${id}\r\nby: Ada\r\nreason: no title`,
      { kind: 'denied', by: 'Ada', reason: 'no title' },
    ],
    [`approve\nreason: two\nlines\nquestion: ${id}`, undefined],
    [`approve\nquestion: ${id}\nreason: two\nlines`, { kind: 'approved', by: 'file', reason: 'two\nlines' }],
    ['approve', undefined],
    [`approve\nquestion: other`, undefined],
    [`yes\nquestion: ${id}`, undefined],
    [`do not approve\nquestion: ${id}`, undefined],
    [`approve or deny\nquestion: ${id}`, undefined],
    ['', undefined],
  ])('%j', (text, answer) => {
    expect(answerIn(text, id, 'c.answer')).toMatchObject(answer ?? { kind: 'unanswered' })
  })

  test.prop([fc.string({ unit: 'binary' })])('is never an approval without the id', (text) => {
    expect(answerIn(text, id, 'c.answer').kind).toBe('unanswered')
  })
})

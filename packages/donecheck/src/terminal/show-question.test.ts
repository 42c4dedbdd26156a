import fc from 'fast-check'
import picocolors from 'picocolors'
import { test } from '@fast-check/vitest'
import { describe, expect, it } from 'vitest'
import { approvalQuestion } from '@donecheck/engine/internal/testing/contracts'
import { questionLines, showQuestion } from './terminal.ts'

const plain = picocolors.createColors(false)

describe('given a question for a person', () => {
  it('shows what would be done, by what, why it is asked and the diff', () => {
    const question = approvalQuestion({ preview: '--- a/a.txt\n+++ b/a.txt\n@@ -1,1 +1,1 @@\n-old\n+new\n' })
    expect(questionLines(question)).toMatchObject({
      text: 'allow: write a.txt (new, 1 line)',
      why: 'write_file changes files (write_file: changes files)',
    })
    expect(showQuestion(question, plain)).toBe(
      ['', '--- a/a.txt', '+++ b/a.txt', '@@ -1,1 +1,1 @@', '-old', '+new', ''].join('\n'),
    )
  })

  it('shows the arguments where there is no preview: a summary may leave something out', () => {
    expect(showQuestion(approvalQuestion(), plain)).toContain('"content": "text"')
  })

  it('shows a command once, and in full if its line does not have all of it', () => {
    const action = { kind: 'command' as const, script: 'npm test', folder: '/work' }
    const whole = approvalQuestion({
      summary: 'run npm test',
      args: { command: 'npm test' },
      action,
      reason: '`npm test` requires approval: approval is "all"',
    })
    expect(showQuestion(whole, plain)).toBe('')
    expect(questionLines(whole)).toEqual({
      text: 'allow: npm test',
      textInFull: 'npm test',
      why: 'approval is "all"',
    })
    const cut = { ...whole, action: { ...action, script: 'npm test\nrm x' }, preview: 'npm test\nrm x' }
    expect(questionLines(cut).details).toEqual(['npm test', 'rm x'])
  })

  it('colours the lines of a diff', () => {
    const shown = showQuestion(approvalQuestion({ preview: '-old\n+new' }), picocolors.createColors(true))
    expect(shown).toContain('\u001b[31m-old\u001b[39m')
    expect(shown).toContain('\u001b[32m+new\u001b[39m')
  })

  const hostile = fc.string({ unit: 'binary' })
  test.prop([hostile, hostile, hostile, fc.option(hostile, { nil: undefined })])(
    'prints no control character of the model',
    (tool, summary, reason, preview) => {
      const question = approvalQuestion({ tool, summary, reason, args: summary })
      const asked = preview === undefined ? question : { ...question, preview }
      const { text, textInFull, details = [], why } = questionLines(asked)
      expect([text, textInFull, why, ...details].join('')).not.toMatch(/\p{Cc}|\p{Cf}|\p{Cs}/u)
      expect(showQuestion(asked, plain)).not.toMatch(/[^\P{Cc}\n\t]|\p{Cf}|\p{Cs}/u)
    },
  )

  it('a line feed in the summary cannot fake another line', () => {
    const { text } = questionLines(approvalQuestion({ summary: 'read a\n? allow: read b › yes' }))
    expect(text).toBe('allow: read a\\n? allow: read b › yes')
  })
})

import { test } from '@fast-check/vitest'
import fc from 'fast-check'
import picocolors from 'picocolors'
import { describe, expect, it } from 'vitest'
import { approvalQuestion } from '@donecheck/engine/testing/contracts'
import { showQuestion } from './show-question.ts'

const plain = picocolors.createColors(false)

describe('given a question for a person', () => {
  it('shows what would be done, by what, why it is asked and the diff', () => {
    const question = approvalQuestion({ preview: '--- a/a.txt\n+++ b/a.txt\n@@ -1,1 +1,1 @@\n-old\n+new\n' })
    expect(showQuestion(question, plain)).toBe(
      [
        '',
        'write a.txt (new, 1 line) (write_file: changes files)',
        'write_file changes files',
        '--- a/a.txt',
        '+++ b/a.txt',
        '@@ -1,1 +1,1 @@',
        '-old',
        '+new',
        '',
      ].join('\n'),
    )
  })

  it('shows the arguments where there is no preview: a summary may leave something out', () => {
    expect(showQuestion(approvalQuestion(), plain)).toContain('"content": "text"')
  })

  it('shows a command once, where its summary has all of it', () => {
    const args = { command: 'npm test' }
    const action = { kind: 'command' as const, script: 'npm test', folder: '/work' }
    const whole = approvalQuestion({ summary: 'run npm test', args, action })
    expect(showQuestion(whole, plain)).not.toContain('"command"')
    const cut = { ...whole, action: { ...action, script: 'npm test && rm x' } }
    expect(showQuestion(cut, plain)).toContain('"command"')
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
      const shown = showQuestion(preview === undefined ? question : { ...question, preview }, plain)
      expect(shown).not.toMatch(/[^\P{Cc}\n\t]|\p{Cf}|\p{Cs}/u)
    },
  )

  it('a line feed in the summary cannot fake another line', () => {
    const shown = showQuestion(approvalQuestion({ summary: 'read a\nAllow it? yes' }), plain)
    expect(shown).toContain('read a\\nAllow it? yes')
  })
})

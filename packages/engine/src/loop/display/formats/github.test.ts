import { test } from '@fast-check/vitest'
import { describe, expect, it } from 'vitest'
import { failedVerdict } from '@donecheck/core/testing'
import { hostileReport, report } from '../fixtures/verdicts.ts'
import { githubReport } from './github.ts'

/** How the GitHub runner parses a line. */
const shape = /^::(error|warning|notice) ((?:[a-z]+=[^,:]*)(?:,[a-z]+=[^,:]*)*)::(.*)$/u

function read(line: string) {
  const [, severity, properties = '', message = ''] = shape.exec(line) ?? []
  const values = properties.split(',').map((pair) => pair.split('='))
  const unescaped = (text: string) =>
    text.replace(/%(0D|0A|3A|2C|25)/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
  return {
    severity,
    message: unescaped(message),
    ...Object.fromEntries(values.map(([key = '', ...value]) => [key, unescaped(value.join('='))])),
  }
}

describe('given verdicts as workflow commands', () => {
  const commands = githubReport(report).commands.map(read)

  it('begins with what decides, then findings, then tests', () => {
    expect(commands.map(({ severity, message }) => [severity, message.split('\n')[0]])).toEqual([
      ['error', '1 finding'],
      ['error', 'npm test failed'],
      ['error', 'types timed out'],
      ['error', 'review waits for a person'],
      ['notice', 'style failed'],
      ['notice', 'new rule failed'],
      ['error', 'the test "later" is skipped'],
      ['notice', 'the test "later" is skipped'],
      ['error', 'expected 2'],
    ])
  })

  it('has file, line and title, and says how to let a finding pass', () => {
    const finding = commands.find((one) => 'file' in one && one.severity === 'error')
    expect(finding).toMatchObject({ file: 'test/later.test.ts', line: '7', title: 'tests.newly-skipped' })
    expect(finding?.message).toContain(
      'a skipped test cannot fail\nTo let it pass until a day: waive: [{ rule:',
    )
  })

  it('escapes as the runner expects', () => {
    const verdict = failedVerdict('a, b: 100%', { reason: '50%\nmore: and, more' })
    expect(githubReport({ verdicts: [verdict], version: '1' }).commands).toEqual([
      '::error title=a%2C b%3A 100%25%3A failed::50%25%0Amore: and, more',
    ])
  })

  test.prop([hostileReport])('every line is one command of ours and no other', (hostile) => {
    for (const line of githubReport(hostile).commands) {
      expect(line).toMatch(shape)
      expect(line).not.toMatch(/[\r\n]/)
      const { file } = { file: 'a', ...read(line) }
      expect(file.startsWith('/') || file.split('/').includes('..')).toBe(false)
    }
  })
})

describe('given verdicts as a summary of the step', () => {
  test.prop([hostileReport])('every line of a table is a row of as many cells', (hostile) => {
    const { summary } = githubReport(hostile)
    const rows = summary.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
    for (const row of rows) {
      expect(row).toMatch(/^\| .* \|$/u)
      expect(row.split('|')).toHaveLength(7)
      expect(row).not.toMatch(/[<>[\]`\\]/)
    }
  })
})

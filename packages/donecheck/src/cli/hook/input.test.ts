import { describe, expect, it } from 'vitest'
import { answerToPerson } from './input.ts'

describe('given the command of hooks, typed by a person', () => {
  it('then it says what it is, and nobody is waited for', () => {
    const answer = answerToPerson(['claude-code', 'Stop'], () => true)
    expect(answer).toMatchObject({ exitCode: 1, stdout: '' })
    expect(answer?.stderr).toContain('donecheck install AGENT')
  })

  it('then help is no mistake', () => {
    expect(answerToPerson(['--help'], () => false)).toMatchObject({ exitCode: 0, stderr: '' })
  })
})

it('an agent, which speaks through a pipe, is answered as ever', () => {
  expect(answerToPerson(['claude-code', 'Stop'], () => false)).toBeUndefined()
})

import { describe, expect, it } from 'vitest'
import { excerptOf, type ProcessEnd, type ProcessResult } from '../../../system/process/index.ts'
import { answerOf } from '../command-agent.ts'

const agent = { command: 'my-agent --go', timeoutMs: 2000 }

function result(
  end: ProcessEnd,
  printed: { stdout?: string; stderr?: string; isUtf8?: boolean } = {},
): ProcessResult {
  const { stdout = '', stderr = '', isUtf8 = true } = printed
  return {
    end,
    output: excerptOf(stdout + stderr, 100, 3000),
    stdout: excerptOf(stdout, 100, 100),
    stdoutIsUtf8: isUtf8,
    durationMs: 1,
  }
}

const exited = (exitCode: number): ProcessEnd => ({ kind: 'exited', exitCode })

describe('given an agent that did its turn', () => {
  it('answers with what it printed, trimmed', () => {
    expect(answerOf(result(exited(0), { stdout: '\nIt is done.\n', stderr: 'log' }), agent, true)).toEqual({
      kind: 'replied',
      text: 'It is done.',
      toolCalls: [],
      finish: 'stop',
      usage: null,
    })
  })
})

describe('given an agent that did its turn badly', () => {
  it.each([
    [
      'crashes',
      exited(3),
      { stdout: 'half', stderr: ' no key' },
      'exit code 3. The end of its output: half no key',
    ],
    ['crashes in silence', exited(1), {}, 'exit code 1'],
    ['is killed', { kind: 'signalled', signal: 'SIGSEGV' }, {}, 'killed by SIGSEGV'],
    ['hangs', { kind: 'timed-out' }, {}, 'did not end within 2 s'],
    ['says nothing', exited(0), { stderr: 'see log' }, 'printed no answer. The end of its output: see log'],
    [
      'floods',
      exited(0),
      { stdout: 'x'.repeat(1000) },
      'printed 1000 bytes; 800 in the middle were left out',
    ],
    ['prints other bytes', exited(0), { stdout: 'a\uFFFD', isUtf8: false }, 'not UTF-8'],
  ] as const)('counts the turn when it %s, and tells the problem', (_, end, printed, problem) => {
    const answer = answerOf(result(end, printed), agent, true)
    expect(answer.kind).toBe('replied')
    expect(answer.kind === 'replied' && answer.problem).toContain(problem)
  })
})

describe('given an agent that cannot be run', () => {
  it.each([
    [exited(127), 'not found'],
    [exited(126), 'not be executed'],
    [{ kind: 'not-started', problem: 'the folder /x does not exist' }, '/x does not exist'],
  ] as const)('fails for good on %j and names the command', (end, problem) => {
    const answer = answerOf(result(end), agent, true)
    expect(answer).toMatchObject({ kind: 'failed', failure: { kind: 'configuration', retryable: false } })
    const message = answer.kind === 'failed' ? answer.failure.message : ''
    expect(message).toContain('"my-agent --go"')
    expect(message).toContain(problem)
    expect(message).toContain('PATH')
  })
})

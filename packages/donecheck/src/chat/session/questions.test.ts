import { describe, expect, it } from 'vitest'
import type { ApprovalQuestion } from '@donecheck/engine/internal/ports/gate'
import { Questions } from './questions.ts'

const never = new AbortController().signal
const command: ApprovalQuestion = {
  runId: 'run-1',
  callId: 'c',
  tool: 'run_shell',
  effect: 'execute',
  args: {},
  summary: 'run npm publish',
  reason: 'r',
  action: { kind: 'command', script: 'npm publish', folder: '/w' },
}
const change: ApprovalQuestion = { ...command, tool: 'write_file', action: { kind: 'change', files: [] } }
const questions = () => new Questions({ asked: () => undefined, settled: () => undefined })

describe('given a call that a person is asked about', () => {
  it('then yes is for this once, a command may be remembered, and a no brings its reason', async () => {
    const person = questions()
    const answers = [
      { kind: 'yes', words: '' },
      { kind: 'session', words: '' },
      { kind: 'no', words: 'not today' },
      { kind: 'edit', words: 'npm publish --dry-run' },
    ] as const
    const asked = answers.map(() => person.ask(command, never))
    for (const answer of answers) person.answer(answer)
    expect(await Promise.all(asked)).toMatchObject([
      { approved: true },
      { approved: true, scope: 'session' },
      { approved: false, reason: 'not today' },
      { approved: false, reason: 'not as proposed; run this instead: npm publish --dry-run' },
    ])
  })

  it('then yes to changes in this session asks for no further change, and for every command', async () => {
    const person = questions()
    const first = person.ask(change, never)
    person.answer({ kind: 'session', words: '' })
    expect((await first).approved).toBe(true)
    expect((await person.ask(change, never)).approved).toBe(true)
    void person.ask(command, never)
    expect(person.summaries).toEqual(['run npm publish'])
  })

  it('then what cannot be answered so is said, and still waits', () => {
    const person = questions()
    const { runId, callId, tool, effect, args, summary, reason } = command
    void person.ask({ runId, callId, tool, effect, args, summary, reason }, never)
    expect(() => person.answer({ kind: 'session', words: '' })).toThrow('only once')
    expect(() => person.answer({ kind: 'always', words: '' })).toThrow('no rule')
    expect(person.summaries).toHaveLength(1)
  })

  it('when the run is interrupted, then nobody is waited for, and it is a no', async () => {
    const person = questions()
    const stop = new AbortController()
    const asked = person.ask(command, stop.signal)
    stop.abort('Ctrl-C')
    expect(await asked).toMatchObject({ approved: false })
    expect(person.summaries).toEqual([])
  })
})

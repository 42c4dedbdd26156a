import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { UsageError } from '@donecheck/engine/internal/base'
import { createAgentLoop } from '@donecheck/engine/internal/loop/compose'
import { scriptedAgent } from '@donecheck/engine/internal/loop/agents'
import { memoryStore } from '@donecheck/engine/store'
import type { Verifier } from '@donecheck/engine/internal/ports/checks'
import { verifierOf } from '@donecheck/engine/verify'
import { readSkill } from '../../../config/index.ts'
import { draftSkill } from '../../commands/run/skill.ts'

/** A run whose check passes with the answer "right", and that reports this command. */
async function runOf(task: string, command: string, answers: readonly string[]) {
  const store = memoryStore()
  const check: Verifier = {
    ...verifierOf('the check', () => false, { reads: 'answer' }),
    verify: async ({ finalText }) => ({
      status: finalText === 'right' ? 'passed' : 'failed',
      reason: `expected right, got ${finalText}`,
      canRetry: true,
      qualifiers: [],
      evidence: [
        {
          kind: 'command',
          command,
          folder: '/',
          exitCode: 0,
          signal: null,
          timedOut: false,
          output: { head: '', tail: '', omittedBytes: 0, totalBytes: 0, digest: '' },
          environmentDigest: '',
        },
      ],
    }),
  }
  const hidden = verifierOf('hidden', ({ finalText }) => finalText === 'right', {
    role: 'held-out',
    reads: 'answer',
  })
  const loop = createAgentLoop({
    agent: scriptedAgent(answers, { repeatLast: true }),
    store,
    hardVerifiers: [check, hidden],
    hardCap: { iterations: 3 },
  })
  const { runId } = await loop.run(task)
  return store.read(runId)
}

describe('given a verified run', () => {
  it('drafts a skill with its task, what failed first and its checks, but none that were hidden', async () => {
    const draft = draftSkill(
      await runOf('Mend the Login!\n\n## Verification\nAll of it.', 'npm test', ['wrong', 'right']),
    )
    const { name, description, conditions } = await readSkill(draft, 'S.md')
    expect({ name, description }).toEqual({
      name: 'mend-the-login',
      description: 'Use this for tasks such as: Mend the Login!',
    })
    expect(conditions).toEqual([expect.objectContaining({ kind: 'command', command: 'npm test' })])
    expect(draft).toContain('> ## Verification\n> All of it.')
    expect(draft).toMatch(/## Pitfalls\n\n- check "the check" failed: expected right, got wrong/)
    expect(draft).toContain('ended verified (task_complete) after 2 turns')
    expect(draft).not.toContain('hidden')
  })

  it.each(['grep "`x`" a', 'cd web\nnpm test'])('keeps a command such as %j in a block', async (command) => {
    const draft = draftSkill(await runOf('Do it.', command, ['wrong', 'right']))
    const commands = (await readSkill(draft, 'S.md')).conditions.flatMap((one) =>
      'command' in one ? [one.command] : [],
    )
    expect(commands.map((one) => one.replace('set -e\n', ''))).toEqual([command])
  })

  it('whatever the task says, the draft can be read, and its checks are those of the run', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary', minLength: 1, maxLength: 80 }), async (task) => {
        fc.pre(task.trim() !== '')
        const { conditions } = await readSkill(
          draftSkill(await runOf(task, 'npm test', ['wrong', 'right'])),
          'S.md',
        )
        expect(conditions.map(({ kind }) => kind)).toEqual(['command'])
      }),
      { numRuns: 30 },
    )
  })
})

describe('given a run that was not verified', () => {
  it('drafts nothing', async () => {
    const events = await runOf('Do it.', 'npm test', ['wrong'])
    expect(() => draftSkill(events)).toThrow(UsageError)
    expect(() => draftSkill(events.slice(0, 3))).toThrow('only a run that ended as verified')
    expect(() => draftSkill([])).toThrow(UsageError)
  })
})

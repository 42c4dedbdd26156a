import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { createAgentLoop, type AgentLoopOptions } from '../compose.ts'
import { scriptedAgent } from '../../agents/index.ts'
import { UsageError } from '../../../base/index.ts'
import { memoryStore } from '../../../system/store/index.ts'
import { command, lintPass, verifierOf } from '../../../checks/verify/index.ts'

const workFolder = mkdtempSync(join(tmpdir(), 'donecheck-first-question-'))
afterAll(() => rmSync(workFolder, { recursive: true }))

function scene(options: Partial<AgentLoopOptions>) {
  const store = memoryStore()
  const agent = scriptedAgent(['Done.'])
  const loop = createAgentLoop({ agent, workFolder, store, guard: false, ...options })
  return { store, run: () => loop.run('Do it.'), end: async () => (await store.list())[0] }
}

describe('given a check that can never be answered', () => {
  it('when a preset finds nothing to run, then no turn is paid for, and the run rejects with the way out', async () => {
    const { run, end } = scene({ hardVerifiers: [lintPass()] })
    await expect(run()).rejects.toThrow(UsageError)
    await expect(run()).rejects.toThrow('--until "npm run lint"')
    expect(await end()).toMatchObject({ outcome: 'blocked', reason: 'blocked' })
  })

  it('when a program is missing, then no turn is paid for, and the run is blocked until it is there', async () => {
    const { transition, usage } = await scene({ hardVerifiers: [command('no-such-program-here')] }).run()
    expect(transition).toMatchObject({ reason: 'blocked', outcome: 'blocked' })
    expect(transition.message).toContain('its program no-such-program-here was not found')
    expect(transition).not.toHaveProperty('misuse')
    expect(usage.modelCalls).toBe(0)
  })

  it('when held-out files cannot be read, then nothing begins', () => {
    const guard = { heldOutFiles: join(workFolder, '..', 'no-such-folder-of-held-out-files') }
    expect(() => scene({ hardVerifiers: [command('ls')], guard })).toThrow(UsageError)
  })
})

describe('given a verifier that answers nonsense', () => {
  it.each([undefined, 'yes', { done: true }])(
    'when it says %j before the first turn, then it is a mistake',
    async (said) => {
      const { run } = scene({ hardVerifiers: [verifierOf('mine', () => said)] })
      await expect(run()).rejects.toThrow(UsageError)
      await expect(run()).rejects.toThrow('return true, false or { passed, reason }')
    },
  )
})

describe('given a verifier of the answer', () => {
  const polite = verifierOf('polite', ({ finalText }) => !finalText.includes('damn'))

  it('when no answer at all would have passed, then one that passes is verified all the same', async () => {
    const { transition } = await scene({ workFolder: null, hardVerifiers: [polite] }).run()
    expect(transition).toMatchObject({ reason: 'task_complete' })
  })
})

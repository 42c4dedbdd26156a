import { describe, expect, it } from 'vitest'
import type { HostCall } from '../../protocol/host/index.ts'
import { memoryStore } from '@donecheck/engine/testing'
import { fileExists } from '@donecheck/engine/verify'
import { createAgentSession } from '../index.ts'

const script = 'echo as before'
const callOf = (index: number): HostCall => ({
  callId: `c-${index}`,
  tool: 'Bash',
  args: { command: script },
  act: { kind: 'command', script },
})

describe('given a host that cannot be ended in the middle of a turn', () => {
  it('has every further call of that turn refused, and none of the next', async () => {
    const options = { agent: 'a test', store: memoryStore(), workFolder: null }
    const agentSession = await createAgentSession({ ...options, hardVerifiers: [fileExists('done.txt')] })
    await agentSession.observe({ kind: 'prompted', prompt: 'make done.txt' })
    const answers: string[] = []
    for (let index = 0; index < 30; index += 1) {
      const call = callOf(index)
      const { kind } = await agentSession.observe({ kind: 'tool-proposed', call })
      answers.push(kind)
      if (kind === 'pass')
        await agentSession.observe({
          kind: 'tool-finished',
          call,
          result: { status: 'ok', output: 'as before' },
        })
    }
    expect(agentSession.end).toMatchObject({ outcome: 'exhausted', reason: 'loop_detected' })
    expect(answers.filter((kind) => kind === 'pass').length).toBeLessThan(10)
    expect(new Set(answers.slice(-15))).toEqual(new Set(['end']))

    await agentSession.observe({ kind: 'prompted', prompt: 'make other.txt' })
    expect(await agentSession.observe({ kind: 'tool-proposed', call: callOf(99) })).toMatchObject({
      kind: 'pass',
    })
  })
})

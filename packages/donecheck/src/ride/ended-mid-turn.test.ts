import { describe, expect, it } from 'vitest'
import type { HostCall } from '../agents/index.ts'
import { memoryStore } from '../testing/index.ts'
import { fileExists } from '../verify/index.ts'
import { createRide } from './index.ts'

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
    const ride = await createRide({ ...options, hardVerifiers: [fileExists('done.txt')] })
    await ride.observe({ kind: 'prompted', prompt: 'make done.txt' })
    const answers: string[] = []
    for (let index = 0; index < 30; index += 1) {
      const call = callOf(index)
      const { kind } = await ride.observe({ kind: 'tool-proposed', call })
      answers.push(kind)
      if (kind === 'pass')
        await ride.observe({ kind: 'tool-finished', call, result: { status: 'ok', output: 'as before' } })
    }
    expect(ride.end).toMatchObject({ outcome: 'exhausted', reason: 'loop_detected' })
    expect(answers.filter((kind) => kind === 'pass').length).toBeLessThan(10)
    expect(new Set(answers.slice(-15))).toEqual(new Set(['end']))

    await ride.observe({ kind: 'prompted', prompt: 'make other.txt' })
    expect(await ride.observe({ kind: 'tool-proposed', call: callOf(99) })).toMatchObject({ kind: 'pass' })
  })
})

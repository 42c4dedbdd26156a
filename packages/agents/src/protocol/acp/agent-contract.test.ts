import { afterAll, beforeAll, describe, expect } from 'vitest'
import { agentContract } from '@donecheck/engine/internal/testing/contracts'
import { inScriptedPlace, isAlive, isStopped, pidOf, type ScriptedPlace } from './fixtures/scripted.ts'

describe('the contract of an agent', () => {
  let leave: () => void = () => undefined
  let left: Promise<void>
  let place: ScriptedPlace

  beforeAll(async () => {
    const { promise, resolve } = Promise.withResolvers<ScriptedPlace>()
    left = inScriptedPlace((given) => {
      resolve(given)
      return new Promise((done) => (leave = done))
    })
    place = await promise
  })

  afterAll(async () => {
    leave()
    await left
  })

  agentContract('acp', {
    replying: () => place.agent({ turns: [[{ say: 'It is ' }, { say: 'done.' }]] }),
    failing: () => place.agent({ turns: [], start: 'dies' }),
    hanging(onStart) {
      const agent = place.agent({ turns: [[{ say: 'ready' }, { hang: true }]] })
      return { ...agent, next: (asked, signal) => agent.next({ ...asked, onText: onStart }, signal) }
    },
    async isAtWork() {
      // The process stops a moment after the signal.
      await expect.poll(() => isStopped(pidOf(place)) || !isAlive(pidOf(place))).toBe(true)
      return false
    },
  })
})

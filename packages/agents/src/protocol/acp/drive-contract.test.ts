import { afterAll, beforeAll, describe, expect } from 'vitest'
import { driveContract } from '@donecheck/engine/internal/testing/contracts'
import { inScriptedPlace, isAlive, isStopped, pidOf, type ScriptedPlace } from './fixtures/scripted.ts'

describe('the contract of a drive', () => {
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

  driveContract('acp', {
    replying: () => place.drive({ turns: [[{ say: 'It is ' }, { say: 'done.' }]] }),
    failing: () => place.drive({ turns: [], start: 'dies' }),
    hanging(onStart) {
      const drive = place.drive({ turns: [[{ say: 'ready' }, { hang: true }]] })
      return { ...drive, next: (asked, signal) => drive.next({ ...asked, onText: onStart }, signal) }
    },
    async isAtWork() {
      // The process stops a moment after the signal.
      await expect.poll(() => isStopped(pidOf(place)) || !isAlive(pidOf(place))).toBe(true)
      return false
    },
  })
})

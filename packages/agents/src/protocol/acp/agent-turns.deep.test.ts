import { execFileSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { ask, inScriptedPlace, isAlive, isStopped, pidOf, request } from './fixtures/scripted.ts'

describe('given several turns', () => {
  const goingOn = {
    conversation: {
      task: 'Make it green.',
      rounds: [{ text: 'Done.', toolCalls: [], answers: [], feedback: 'It is red.' }],
      messages: [],
    },
    turn: 2,
  }

  it('asks one process in one session, and tells only what is new', async () => {
    await inScriptedPlace(async (place) => {
      const agent = place.agent({ turns: [[{ say: 'Done.' }]] })
      const sessions: string[] = []
      await ask(agent, { onSession: (id) => sessions.push(id) })
      await ask(agent, goingOn)
      expect(place.told('started')).toHaveLength(1)
      expect(place.told('prompt')).toEqual(['Make it green.', 'It is red.'])
      expect(new Set(sessions)).toEqual(new Set([`session-${pidOf(place)}`]))
    })
  })

  it.each([
    ['load', 'loaded'],
    ['resume', 'resumed'],
  ] as const)('goes on with its session by %s when its process has died', async (continues, entry) => {
    await inScriptedPlace(async (place) => {
      const agent = place.agent({ turns: [[{ say: 'Working.' }, { die: 1 }]], continues })
      expect(await ask(agent)).toMatchObject({ kind: 'replied', finish: 'other' })
      const texts: string[] = []
      await ask(agent, { ...goingOn, onText: (piece) => texts.push(piece) })
      expect(place.told(entry)).toEqual([`session-${pidOf(place, 0)}`])
      expect(place.told('prompt')[1]).toBe('It is red.')
      // A replay of the past is not an answer.
      expect(texts).toEqual(['Working.'])
    })
  })

  it('lets nothing of it work between them, and lets it go on afterwards', async () => {
    await inScriptedPlace(async (place) => {
      const agent = place.agent({
        turns: [
          [{ haunt: 'boo.txt' }, { run: 'true', unasked: true }, { say: 'Done.' }],
          [{ say: 'Again.' }],
        ],
      })
      while ((await ask(agent)).kind !== 'failed' && !isStopped(pidOf(place)));
      const before = place.textOf('boo.txt')
      expect(before).toContain('boo')
      // Time in which it would have continued.
      for (let count = 0; count < 20; count += 1) execFileSync('true')
      expect(place.textOf('boo.txt')).toBe(before)
      expect(await ask(agent, goingOn)).toMatchObject({ kind: 'replied', text: 'Again.' })
    })
  })

  it('ends with its agent, also when it is deaf', async () => {
    await inScriptedPlace(async (place) => {
      const agent = place.agent({ turns: [[{ say: 'x' }, { deaf: true }]] })
      const abort = new AbortController()
      const answer = await agent.next(request({ onText: () => abort.abort() }), abort.signal)
      expect(answer).toMatchObject({ kind: 'failed', failure: { kind: 'interrupted' } })
      await agent.close()
      expect(isAlive(pidOf(place))).toBe(false)
    })
  })
})

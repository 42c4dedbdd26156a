/** Unattended, one command, without --yes: what becomes of a run whose provider refuses its agent. */
import { expect, it } from 'vitest'
import { describeWith, inPlace, redProject, type AgentName, type PlaceOptions } from '../kit/index.ts'
import { environmentOf, limitedFor, wordsFor } from './refusals.ts'

/** A clock that tells minutes alone is waited for to the end of its minute. */
const timeoutMs = 180_000
const patience = { patienceMs: 170_000 }

function placeOf(agent: AgentName, seconds: number): PlaceOptions {
  return {
    agents: [agent],
    git: true,
    files: redProject,
    environment: environmentOf(agent),
    script: { steps: limitedFor(agent, seconds), sideSteps: [{ text: 'A title' }] },
  }
}

export function tellsOfRefusals(agent: AgentName): void {
  describeWith(agent, `given the real ${agent} whose provider refuses it`, () => {
    it(
      'waits for a usage limit and is verified',
      async () => {
        await inPlace(placeOf(agent, 3), async (place) => {
          const ended = await place.donecheck(wordsFor(agent), patience)
          expect(ended.exitCode, ended.output).toBe(0)
          expect(ended.stdout).toContain('verified after 1 turn')
        })
      },
      timeoutMs,
    )

    // Gemini CLI calls it ten times, for four minutes, and reports nothing until then.
    it.skipIf(agent === 'gemini')(
      'ends as an error where the provider is not there, and names it',
      async () => {
        await inPlace(placeOf(agent, 0), async (place) => {
          await place.server.close()
          const ended = await place.donecheck(wordsFor(agent), patience)
          expect(ended.exitCode, ended.output).toBe(70)
          expect(ended.stdout).toMatch(/→ error after 0 turns: .*(?:reach|network|connect)/iu)
          expect(await place.leftovers()).toEqual([])
        })
      },
      timeoutMs,
    )
  })
}

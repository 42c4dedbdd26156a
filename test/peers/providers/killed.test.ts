/** A run that waits for a limit survives the death of its process. */
import { expect, it } from 'vitest'
import { describeWith, inPlace, redProject } from '../kit/index.ts'
import { environmentOf, limitedFor, wordsFor } from './refusals.ts'

describeWith(
  'claude',
  'given the real claude at its usage limit, and donecheck killed while it waits',
  () => {
    it('waits on until the same time, asks nobody before it, and is verified', async () => {
      const script = { steps: limitedFor('claude', 20), sideSteps: [{ text: 'A title' }] }
      const environment = environmentOf('claude')
      await inPlace(
        { agents: ['claude'], git: true, files: redProject, environment, script },
        async (place) => {
          const running = place.startDonecheck(wordsFor('claude'))
          await running.shows('waiting for the usage limit to reset')
          running.kill('SIGKILL')
          await running.ended
          const asked = place.server.turns.length
          const { stdout } = await place.donecheck(['list'])
          const until = /waiting for the usage limit to reset, until [\d: -]+\d/u.exec(stdout)?.[0] ?? 'none'
          const resumed = place.startDonecheck(['resume', 'last'])
          await resumed.shows(until)
          expect(place.server.turns).toHaveLength(asked)
          const ended = await resumed.ended
          expect(ended.exitCode, ended.output).toBe(0)
          expect(place.server.turns).toHaveLength(asked + 2)
        },
      )
    })
  },
)

/** A goal that the model sets itself in a thread of the real Codex: the run goes on with its own task, and checks alone end it. */
import { DatabaseSync } from 'node:sqlite'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import {
  check,
  codexHome,
  describeWith,
  inPlace,
  redProject,
  type ModelRequest,
  type Place,
  type ScriptedStep,
} from '../kit/index.ts'

const agent = ['--agent', 'codex', '--final-summary', 'off']

function goalIn(place: Place) {
  const database = new DatabaseSync(join(codexHome(place.home), 'goals_1.sqlite'), {
    // Codex writes to it while it ends.
    timeout: 10_000,
  })
  try {
    return database.prepare('SELECT objective, status FROM thread_goals').get()
  } finally {
    database.close()
  }
}

const ends: ScriptedStep = { text: 'Done.' }

/** Codex goes on by itself. */
const isUnasked = ({ told }: Pick<ModelRequest, 'told'>) =>
  told.trimEnd().endsWith('</codex_internal_context>')

/** In order, to what was asked for. The rest hangs until it is broken off. */
function onlyAsked(steps: readonly ScriptedStep[]): ScriptedStep {
  let given = 0
  return (request) => {
    if (isUnasked(request)) return { text: 'never said', after: new Promise(() => undefined) }
    const step = steps[Math.min(given, steps.length - 1)] ?? ends
    given += 1
    return typeof step === 'function' ? step(request) : step
  }
}

describeWith('codex', 'given a model that sets itself a goal', () => {
  it('does not go on with that by itself', async () => {
    const own: ScriptedStep = { tool: 'create_goal', args: { objective: 'Rest' } }
    const script = { steps: [onlyAsked([own, ends, ends])] }
    await inPlace({ agents: ['codex'], files: redProject, script }, async (place) => {
      const words = [...agent, '--until', check, 'Create done.txt', '--max-turns', '2']
      const ended = await place.donecheck(['run', ...words])
      expect(ended.exitCode, ended.output).toBe(3)
      expect(place.server.turns.filter((request) => !isUnasked(request))).toHaveLength(3)
      expect(goalIn(place)).toMatchObject({ objective: 'Rest', status: 'paused' })
      expect(await place.leftovers()).toEqual([])
    })
  })
})

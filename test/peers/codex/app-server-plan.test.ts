/** Codex has a plan only where its user wants one: `tools.update_plan.enabled`. */
import { expect, it } from 'vitest'
import { check, describeWith, inPlace, mends, redProject, type ScriptedStep } from '../kit/index.ts'

const plan = (...states: readonly string[]): ScriptedStep => ({
  tool: 'update_plan',
  args: { plan: states.map((status, index) => ({ step: `step ${index + 1}`, status })) },
})

describeWith('codex', 'given a plan that is done while the check is red', () => {
  it('is kept from stopping all the same, and the plan stands in the record', async () => {
    const steps = [
      plan('in_progress', 'pending'),
      plan('completed', 'completed'),
      { text: 'Done.' },
      mends('codex'),
      { text: 'Done.' },
    ]
    await inPlace({ agents: ['codex'], files: redProject, script: { steps } }, async (place) => {
      const agent = 'codex -c tools.update_plan.enabled=true'
      const ended = await place.donecheck(['run', '--agent', agent, '--until', check, 'Create done.txt'])
      expect(ended.exitCode, ended.output).toBe(0)
      expect(ended.output).toContain('plan of the agent: 0 of 2 done, now: step 1')
      expect(ended.output).toContain('plan of the agent: 2 of 2 done')
      expect(place.server.turns.some(({ told }) => told.includes(check))).toBe(true)
      const shown = await place.donecheck(['show', 'last'])
      expect(shown.stdout).toContain('plan of the agent: 2 of 2 done')
    })
  })
})

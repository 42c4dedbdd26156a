/** Whole runs in memory that say or edit the same for ever, up to their end. */
import { describe, expect, it } from 'vitest'
import { standardLoopDetection, type RunSettings } from '../../../events/settings/index.ts'
import { failedVerdict } from '../../../testing/index.ts'
import { play, scriptedDrive, tool, verifier, type ScriptedStep } from '@donecheck/engine/testing'
import { loopDetection } from '../respond.ts'

const soft: RunSettings['soft'] = {
  loopDetection: standardLoopDetection,
  stagnation: { mode: 'off', patienceVerifications: 6, changesPerClaim: 5, epsilonScore: 0 },
  tokenBudget: null,
}

/** The n-th look at the tree gives the n-th of these, and then the last one. */
function folder(treeAt: (look: number) => string) {
  let look = 0
  return { folder: '/srv/tree', fingerprint: async () => treeAt((look += 1)) }
}

function endOf(step: ScriptedStep, treeAt: (look: number) => string = () => 'tree-0') {
  return play({
    drive: scriptedDrive([step], { repeatLast: true }),
    tools: [tool('write_file', () => ({ status: 'ok', output: 'written', changed: false }))],
    verifiers: [verifier('npm test', () => failedVerdict('npm test'))],
    workspace: folder(treeAt),
    settings: { soft },
    rules: [loopDetection],
    caps: { maxIterations: 40 },
  })
}

const transitionOf = ({ state: { phase } }: Awaited<ReturnType<typeof play>>) =>
  phase.kind === 'stopped' ? phase.transition : undefined

describe('given a drive that never stops by itself', () => {
  it('one that gives the same answer for ever ends after the fourth', async () => {
    const played = await endOf('I have fixed everything, and all of the tests pass now.')
    expect(transitionOf(played)).toMatchObject({ reason: 'loop_detected', detector: 'repeated_reply' })
    expect(played.state.turn).toBe(4)
  })

  it('one that claims again and again, with the same failures on ever new trees, ends after the eighth', async () => {
    const played = await endOf('Done.', (look) => `tree-${look}`)
    expect(transitionOf(played)).toMatchObject({ reason: 'loop_detected', detector: 'failed_check_repeat' })
    expect(played.state.turn).toBe(8)
  })

  it('one that makes the same idle edit is told, refused, and then ended', async () => {
    const played = await endOf({ tools: [{ tool: 'write_file', args: { path: 'a.ts' } }] })
    expect(transitionOf(played)?.reason).toBe('loop_detected')
    const refused = played.events.filter((event) => event.type === 'tool-refused' && event.by === 'detector')
    expect(refused).toHaveLength(2)
  })
})

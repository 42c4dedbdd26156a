/** What only the app-server of the real Codex gives: it asks before it acts. */
import { join } from 'node:path'
import { expect, it } from 'vitest'
import {
  check,
  describeWith,
  inPlace,
  mends,
  redProject,
  shellCall,
  type Place,
  type ScriptedStep,
} from '../kit/index.ts'

function inRed(steps: readonly ScriptedStep[], work: (place: Place) => Promise<void>): Promise<void> {
  return inPlace({ agents: ['codex'], files: redProject, script: { steps } }, work)
}

function run(place: Place, words: readonly string[] = []) {
  const common = ['--agent', 'codex', '--final-summary', 'off', '--until', check]
  return place.donecheck(['run', ...common, ...words, 'Create done.txt'])
}

const patch = (path: string) => ({
  tool: 'apply_patch',
  args: `*** Begin Patch\n*** Add File: ${path}\n+done\n*** End Patch\n`,
})

describeWith('codex', 'given a command that a rule forbids', () => {
  it('declines it, tells the model the reason, and goes on', async () => {
    await inRed(
      [shellCall('codex', 'touch forbidden.txt'), mends('codex'), { text: 'Done.' }],
      async (place) => {
        const rule =
          'prefix_rule(pattern = ["touch"], decision = "forbidden", justification = "files are made by hand")'
        await place.write(join(place.outside, 'own.rules'), `${rule}\n`)
        const ended = await run(place, ['--rules', join(place.outside, 'own.rules')])
        expect(ended.exitCode, ended.output).toBe(0)
        expect(place.has('forbidden.txt')).toBe(false)
        expect(place.server.turns[1]?.told).toContain('rejected by user')
        expect(place.server.turns[1]?.told).toContain('files are made by hand')
      },
    )
  })
})

describeWith('codex', 'given a command that asks to leave the sandbox', () => {
  it.each([
    ['with a reason', { justification: 'may I?' }],
    // Codex itself does not say then that it would run outside.
    ['without a reason', {}],
  ])('is declined where nobody can be asked, %s', async (_, more) => {
    const leaves: ScriptedStep = {
      tool: 'exec_command',
      args: { cmd: 'echo out > ../outside/out.txt', sandbox_permissions: 'require_escalated', ...more },
    }
    await inRed([leaves, mends('codex'), { text: 'Done.' }], async (place) => {
      const ended = await run(place)
      expect(ended.exitCode, ended.output).toBe(0)
      expect(place.has(join(place.outside, 'out.txt'))).toBe(false)
      expect(place.server.turns[1]?.told).toContain('outside of the sandbox')
    })
  })
})

describeWith('codex', 'given patches', () => {
  it('lets one through within the work folder, and declines one that reaches out of it', async () => {
    await inRed([patch('../outside/out.txt'), patch('done.txt'), { text: 'Done.' }], async (place) => {
      const ended = await run(place)
      expect(ended.exitCode, ended.output).toBe(0)
      expect(place.has(join(place.outside, 'out.txt'))).toBe(false)
      expect(place.server.turns[1]?.told).toContain('outside of the work folder')
    })
  })
})

describeWith('codex', 'given a command that is left at work', () => {
  it('is gone before the check runs', async () => {
    const stays: ScriptedStep = {
      tool: 'exec_command',
      args: { cmd: 'echo done > done.txt; sleep 300 & sleep 300', yield_time_ms: 300 },
    }
    await inRed([stays, { text: 'Done.' }], async (place) => {
      const ended = await run(place, ['DONECHECK_COMPLETE_WHEN=checks-and-claim'])
      expect(ended.exitCode, ended.output).toBe(0)
      expect(await place.leftovers()).toEqual([])
    })
  })
})

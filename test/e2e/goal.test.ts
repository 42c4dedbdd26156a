/** What is wanted of a run, changed from other processes while it goes on, through a kill, to its end. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { inPlace, type Place } from './donecheck.ts'
import { shell, writes } from './gate-run.ts'
import { says, withModelServer } from './model-server.ts'
import { readCommand } from './read-command.ts'

const goalOfThree = `# Outcome

Three files are there.

## Sub-goals

- [one] The first file: \`test -e one.txt\`
- [two] The second file (after one): \`test -e two.txt\`
- [three] The third file: \`test -e three.txt\`

## Budget

- turns: 20
`

const report = z.looseObject({
  objective: z.string(),
  goal: z.looseObject({ id: z.string(), status: z.string(), spent: z.looseObject({ turns: z.number() }) }),
  subGoals: z.array(z.looseObject({ id: z.string(), title: z.string(), status: z.string() })),
  progress: z.object({ closed: z.number(), leaves: z.number(), share: z.number().nullable() }),
  unanswered: z.array(z.unknown()),
})

async function goalOf(place: Place) {
  return report.parse(JSON.parse(await readCommand(place, ['goal', 'show', 'last', '--json'])))
}

async function kindsOfChanges(place: Place): Promise<readonly string[]> {
  const changed = z.looseObject({ type: z.string(), change: z.looseObject({ kind: z.string() }).optional() })
  const lines = (await readCommand(place, ['show', 'last', '--json'])).trim().split('\n')
  return lines.flatMap((line) => changed.parse(JSON.parse(line)).change?.kind ?? [])
}

/** A script that says where it stands, and goes on once it is let. */
const hold = (name: string) => `touch ${name}.reached; until test -e ${name}.go; do sleep 0.05; done`
const reaches = (place: Place, name: string) =>
  expect.poll(() => existsSync(join(place.folder, `${name}.reached`))).toBe(true)
const release = (place: Place, name: string) => place.write(`${name}.go`, '')

describe('given a goal of three parts in a file', () => {
  it('one part is added and one edited by others, the run is killed and resumed, and every part is closed', async () => {
    const steps = [
      writes('one.txt', '1'),
      shell(hold('changes')),
      writes('two.txt', '2'),
      shell(hold('kill')),
      writes('three.txt', '3'),
      writes('four.txt', '4'),
    ]
    await inPlace({ 'GOAL.md': goalOfThree }, (place) =>
      withModelServer(steps, says('Done.'), async ({ baseUrl, requests }) => {
        const model = ['--base-url', baseUrl, '--model', 'fake-model', '--yes', '--sandbox', 'off']
        const started = place.start(['run', '--goal', 'GOAL.md', ...model])

        await reaches(place, 'changes')
        const before = await goalOf(place)
        expect(before.subGoals.map(({ status }) => status)).toEqual(['closed', 'next', 'next'])
        const added = await place.run([
          'goal',
          'add',
          'last',
          'The fourth file',
          '--id',
          'four',
          '--until',
          'test -e four.txt',
          '--after',
          'two',
        ])
        expect(added.stderr).toContain('it takes effect before its next turn')
        await place.run(['goal', 'edit', 'last', '--id', 'two', 'The second file, with a 2 in it'])
        expect((await goalOf(place)).unanswered).toHaveLength(2)
        await release(place, 'changes')

        await reaches(place, 'kill')
        const told = JSON.stringify(requests()[2])
        expect(told).toContain('The fourth file')
        expect(told).toContain('The second file, with a 2 in it')
        started.child.kill('SIGKILL')
        await started.ended
        await release(place, 'kill')

        const resumed = await place.run(['resume', 'last'])
        expect(resumed.stdout).toContain('→ verified after')
        expect(resumed.exitCode).toBe(0)
        expect(await goalOf(place)).toMatchObject({
          goal: { id: before.goal.id, status: 'complete' },
          subGoals: [
            { id: 'one', status: 'closed' },
            { id: 'two', status: 'closed', title: 'The second file, with a 2 in it' },
            { id: 'three', status: 'closed' },
            { id: 'four', status: 'closed' },
          ],
          progress: { closed: 4, leaves: 4, share: 1 },
          unanswered: [],
        })
      }),
    )
  })
})

/** An agent that holds in its first turn, and does the work in a later one. */
const agent = `cat > prompt.txt
if test -e first.reached; then touch done.txt; else ${hold('first')}; fi
echo done`
const words = ['run', '--until', 'test -e done.txt', '--agent', 'sh agent.sh', 'Write done.txt.'] as const

describe('given a run whose first turn is under way', () => {
  it('shows its goal, refuses who means another, and ends when it is paused, until it is resumed', async () => {
    await inPlace({ 'agent.sh': agent }, async (place) => {
      const started = place.start(words)
      await reaches(place, 'first')
      const shown = await readCommand(place, ['goal', 'show', 'last'])
      expect(shown).toContain('Write done.txt.')
      expect(shown).toContain('active')
      const stale = await place.run(['goal', 'pause', 'last', '--goal-id', 'another'])
      expect(stale.stderr).toContain('goal another is not the goal of this run any more')
      expect(stale.exitCode).toBe(2)
      await place.run(['goal', 'pause', 'last', '--reason', 'the database is being moved'])
      await release(place, 'first')
      const ended = await started.ended
      expect(ended.output).toContain('the database is being moved')
      expect(ended.exitCode).toBe(130)
      expect(await readCommand(place, ['goal', 'show', 'last'])).toContain(
        'paused: the database is being moved',
      )
      expect((await place.run(['resume', 'last'])).exitCode).toBe(0)
      const late = await place.run(['goal', 'edit', 'last', 'Write more.'])
      expect(late.stderr).toContain('start a new run')
      expect(late.exitCode).toBe(2)
    })
  })

  it('ends when it is cleared, and goes on with another goal, past a wait that somebody ends', async () => {
    await inPlace({ 'agent.sh': agent }, async (place) => {
      const started = place.start(words)
      await reaches(place, 'first')
      await place.run(['goal', 'clear', 'last'])
      await release(place, 'first')
      expect((await started.ended).exitCode).toBe(130)
      const again = await place.run(['resume', 'last'])
      expect(again.stdout).toContain('set another one')
      expect(again.exitCode).toBe(130)
      const set = await place.run(['goal', 'set', 'last', 'Write done.txt after all.'])
      expect(set.stderr).toContain('which has stopped: it takes effect with "donecheck resume')
      await place.run(['goal', 'wait', 'last', '--seconds', '600', '--reason', 'the build'])
      await place.run(['goal', 'resume', 'last'])
      expect((await place.run(['resume', 'last'])).exitCode).toBe(0)
      expect(await kindsOfChanges(place)).toEqual(['cleared', 'replaced', 'wait-began', 'resumed'])
      expect((await goalOf(place)).objective).toBe('Write done.txt after all.')
    })
  })
})

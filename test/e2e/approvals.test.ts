/** A run without a terminal waits for a person, who answers in another process. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { runVariable } from '@donecheck/engine/internal/system/process'
import { describe, expect, it } from 'vitest'
import { inPlace, lastJson, type Place } from './donecheck.ts'
import { readRecord, shell, shop } from './gate-run.ts'
import { says, withModelServer } from './model-server.ts'
import { atTerminal, keys, type AtTerminal } from './terminal.ts'

const mends = 'sed -i s/broken/fixed/ src/cart.txt src/price.txt'
const question = z.looseObject({
  id: z.string(),
  subject: z.looseObject({ summary: z.string().optional() }),
})

async function waiting(place: Place) {
  return z.array(question).parse(lastJson(await place.run(['approve', 'list', '--json'])))
}

/** The model wants to run these commands, each of which is asked about. */
function asking(
  commands: readonly string[],
  story: (place: Place, line: readonly string[], requests: () => readonly unknown[]) => Promise<void>,
) {
  const model = (baseUrl: string) => ['--base-url', baseUrl, '--model', 'fake-model', '--sandbox', 'off']
  return inPlace(shop, (place) =>
    withModelServer(
      commands.map((command) => shell(command)),
      says('Done.'),
      ({ baseUrl, requests }) => {
        const line = [
          'run',
          '--until',
          'sh check.sh',
          ...model(baseUrl),
          '--approval',
          'all',
          'DONECHECK_ASK=page',
          ...['DONECHECK_NOTIFY_COMMAND=cat >../told.json'],
          'Mend it.',
        ]
        return story(place, line, requests)
      },
    ),
  )
}

describe('given a run that asks on the page', () => {
  it('waits for answers from another process, and goes on by them', () =>
    asking(['rm -r test', mends, mends], async (place, line, requests) => {
      const run = place.start(line)
      await run.shows('it waits: donecheck approve q-')
      const [first] = await waiting(place)
      expect(first?.subject.summary).toContain('rm -r test')
      const own = { environment: { [runVariable]: 'run' } }
      for (const words of [['approve', first?.id ?? ''], ['serve']])
        expect(await place.run(words, own)).toMatchObject({ exitCode: 2 })
      await place.run(['approve', 'deny', first?.id ?? '', '--by', 'Mia', '--reason', 'the tests stay'])
      const late = await place.run(['approve', first?.id ?? '', '--by', 'Ben'])
      expect(late.stderr).toContain('Mia has denied it')
      await expect.poll(() => waiting(place)).toHaveLength(1)
      const [second] = await waiting(place)
      const listed = await place.run(['approve', 'list'])
      expect(listed.stdout).toContain(`donecheck approve ${second?.id ?? ''} [--scope once|session`)
      await place.run(['approve', second?.id.slice(0, 6) ?? '', '--scope', 'session'])
      const ended = await run.ended
      expect([ended.exitCode, ended.stdout]).toEqual([0, expect.stringContaining('→ verified after')])
      expect(await waiting(place)).toEqual([])
      const told = await readFile(join(place.folder, '../told.json'), 'utf8')
      expect(JSON.parse(told)).toMatchObject({ event: 'ended', outcome: 'verified' })
      const { statuses } = await readRecord(place, requests())
      expect(statuses[0]?.refusal).toMatchObject({ label: 'approval_denied', reason: 'the tests stay' })
    }))

  it('that is killed while it waits finds the answer when it is resumed', () =>
    asking([mends], async (place, line) => {
      const run = place.start(line)
      await run.shows('it waits: donecheck approve q-')
      run.child.kill('SIGKILL')
      await run.ended
      const [open] = await waiting(place)
      await place.run(['approve', open?.id ?? '', '--by', 'Mia'])
      const resumed = await place.run(['resume', 'last'])
      expect(resumed.stderr).toContain('approved by Mia')
      expect(resumed.exitCode).toBe(0)
      expect(await waiting(place)).toEqual([])
    }))
})

/** A person at a terminal of 80 columns is asked about each command of a model. */
function atPrompt(commands: readonly string[], story: (terminal: AtTerminal) => Promise<void>) {
  const steps = commands.map((command) => shell(command))
  return inPlace(shop, (place) =>
    withModelServer(steps, says('Done.'), ({ baseUrl }) => {
      const model = ['--base-url', baseUrl, '--model', 'fake-model', '--sandbox', 'off']
      const line = ['run', '--until', 'sh check.sh', ...model, '--approval', 'all', 'Mend it.']
      return atTerminal(place, line, { columns: 80, rows: 24 }, story)
    }),
  )
}

/** The lines of the screen with this text. */
function linesWith(text: string, terminal: AtTerminal): readonly string[] {
  return terminal
    .everything()
    .split('\n')
    .filter((line) => line.includes(text))
}

describe('given a run at a terminal', () => {
  it('asks on one line, where the answer takes the place of the choices', () =>
    atPrompt(['npm install left-pad', mends], async (terminal) => {
      await terminal.shows('? allow: npm install left-pad  [y] once  [s] same again  [n] no  [?] more ›')
      terminal.press('n')
      await terminal.shows('› no · why? (for the agent)')
      terminal.say('do without')
      await terminal.shows('[y] [n] [?] ›')
      expect(linesWith('left-pad', terminal)).toEqual(['? allow: npm install left-pad › no: do without'])
      terminal.press('y')
      expect(await terminal.exitCode).toBe(0)
      expect(linesWith('allow: sed', terminal)).toEqual([
        '? allow: sed -i s/broken/fixed/ src/cart.txt src/price.txt › yes, this once',
      ])
    }))

  it('is interrupted by Ctrl-C at the question', () =>
    atPrompt([mends], async (terminal) => {
      await terminal.shows('[y] [n] [?] ›')
      terminal.press(keys.controlC)
      expect(await terminal.exitCode).toBe(130)
    }))
})

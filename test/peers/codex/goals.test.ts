/** The goal of a run and that of a thread of the real Codex: told both ways, and ended by checks alone. */
import { DatabaseSync } from 'node:sqlite'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import {
  check,
  codexHome,
  describeWith,
  hanging,
  inPlace,
  mends,
  redProject,
  shellCall,
  type ModelRequest,
  type Place,
  type ScriptedStep,
} from '../kit/index.ts'

function inRed(
  steps: readonly ScriptedStep[],
  work: (place: Place) => Promise<void>,
  files: Readonly<Record<string, string>> = redProject,
): Promise<void> {
  return inPlace({ agents: ['codex'], files, script: { steps } }, work)
}

const agent = ['--agent', 'codex', '--no-final-summary']
const task = ['--until', check, 'Create done.txt']

function run(place: Place, words: readonly string[]) {
  return place.donecheck(['run', ...agent, ...words])
}

function inGoals<Value>(place: Place, work: (database: DatabaseSync) => Value): Value {
  const database = new DatabaseSync(join(codexHome(place.home), 'goals_1.sqlite'), {
    // Codex writes to it while it ends.
    timeout: 10_000,
  })
  try {
    return work(database)
  } finally {
    database.close()
  }
}

const goalIn = (place: Place) =>
  inGoals(place, (database) => database.prepare('SELECT objective, status FROM thread_goals').get())

/** As somebody who takes the thread up in another window: Codex goes on with it by itself from then on. */
const activate = (place: Place) =>
  inGoals(place, (database) => database.exec("UPDATE thread_goals SET status = 'active'"))

const looks: ScriptedStep = { tool: 'get_goal', args: {} }
const says = (status: string): ScriptedStep => ({ tool: 'update_goal', args: { status } })
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

const goalFile = `# Outcome

Three files are there.

## Sub-goals

- [one] Write one.txt: \`test -f one.txt\`
- [two] Write two.txt (after one): \`test -f two.txt\`
- [three] Write three.txt (after two): \`test -f three.txt\`

## Budget

- tokens: 90000
`

describeWith('codex', 'given a goal of three parts, edited from another process in mid-run', () => {
  it('is told to Codex, and verified when the checks of its parts pass, not when its model says so', async () => {
    let place: Place | undefined
    const edits: ScriptedStep = () => ({
      text: 'One is written.',
      after: (async () => {
        const first = await place?.donecheck(['goal', 'edit', 'last', 'Three files are there, and in order.'])
        const part = ['goal', 'edit', 'last', '--id', 'two', 'Write two.txt by hand']
        expect([first?.exitCode, (await place?.donecheck(part))?.exitCode]).toEqual([0, 0])
      })(),
    })
    const steps = [
      ...[looks, shellCall('codex', 'touch one.txt'), edits],
      ...[looks, says('complete'), ends],
      ...[shellCall('codex', 'touch two.txt three.txt'), ends],
    ]
    await inRed(
      steps,
      async (opened) => {
        place = opened
        const ended = await run(opened, ['--goal', 'GOAL.md'])
        expect(ended.exitCode, ended.output).toBe(0)
        const [, first, , , second, , sentBack] = opened.server.turns.map(({ told }) => told)
        expect(first).toContain('"status":"paused","tokenBudget":90000')
        expect(first).toContain('- two: Write two.txt')
        expect(second).toContain('Three files are there, and in order.')
        expect(second).toContain('- two: Write two.txt by hand (next)')
        // Three replies of 1,050 tokens were used by then.
        expect(second).toContain('"tokenBudget":86850')
        expect(sentBack).toContain('It is complete when the checks pass')
        expect(sentBack).toContain('test -f two.txt')
        expect(goalIn(opened)).toMatchObject({ status: 'paused' })
      },
      { ...redProject, 'GOAL.md': goalFile },
    )
  })
})

describeWith('codex', 'given a model that calls its goal blocked', () => {
  it('goes on after once, and ends as blocked after three turns in a row', async () => {
    const tries = (file: string) => [shellCall('codex', `touch ${file}`), says('blocked'), ends]
    const steps = [...tries('a'), ends, ...tries('b'), ...tries('c'), ...tries('d')]
    await inRed(steps, async (place) => {
      const ended = await run(place, task)
      expect(ended.exitCode, ended.output).toBe(5)
      expect(ended.output).toContain('its goal is blocked (3 turns in a row)')
      // Once, not, and three times.
      expect(place.server.turns).toHaveLength(13)
      expect(place.server.turns[3]?.told).toContain('blocked only once you have said so in three turns')
    })
  })
})

describeWith('codex', 'given a model that pauses its goal', () => {
  it('goes on all the same, and has it on record', async () => {
    await inRed([says('paused'), ends, mends('codex'), ends], async (place) => {
      const ended = await run(place, task)
      expect(ended.exitCode, ended.output).toBe(0)
      const shown = await place.donecheck(['show', 'last'])
      expect(shown.stdout).toContain('the model paused its goal in Codex')
    })
  })
})

describeWith('codex', 'given a model that sets itself another goal', () => {
  const own: ScriptedStep = { tool: 'create_goal', args: { objective: 'Rest' } }

  it('does not go on with that by itself, and has ours again in the next turn', async () => {
    await inRed([onlyAsked([says('complete'), own, ends, looks, ends])], async (place) => {
      const ended = await run(place, [...task, '--max-turns', '2'])
      expect(ended.exitCode, ended.output).toBe(3)
      const asked = place.server.turns.filter((request) => !isUnasked(request))
      expect(asked).toHaveLength(5)
      expect(asked[4]?.told).toContain('"objective":"Create done.txt')
      expect(goalIn(place)).toMatchObject({ status: 'paused' })
    })
  })
})

describeWith('codex', 'given a goal that somebody else makes active', () => {
  it('in mid-turn: the turn that Codex begins at the end of it is interrupted, and on record', async () => {
    let place: Place | undefined
    const first: ScriptedStep = () => {
      if (place !== undefined) activate(place)
      return ends
    }
    await inRed([onlyAsked([first, ends])], async (opened) => {
      place = opened
      const ended = await run(opened, [...task, '--max-turns', '2'])
      expect(ended.exitCode, ended.output).toBe(3)
      expect(ended.output).toContain('Codex began a turn by itself: it is interrupted')
      expect(opened.server.turns.filter((request) => !isUnasked(request))).toHaveLength(2)
      expect(goalIn(opened)).toMatchObject({ status: 'paused' })
      expect(await opened.leftovers()).toEqual([])
    })
  })

  it('between two turns: the one that Codex begins then counts as ours, and is on record', async () => {
    const { step: hangs, isAsked } = hanging()
    let place: Place | undefined
    const reply: ScriptedStep = () => (place?.has('done.txt') === true ? ends : mends('codex'))
    await inRed([hangs, reply], async (opened) => {
      place = opened
      const running = opened.startDonecheck(['run', ...agent, ...task])
      await isAsked
      running.kill('SIGKILL')
      await running.ended
      activate(opened)
      const resumed = await opened.donecheck(['resume', 'last'])
      expect(resumed.exitCode, resumed.output).toBe(0)
      expect(resumed.output).toContain('Codex had begun a turn by itself')
      expect(goalIn(opened)).toMatchObject({ status: 'paused' })
    })
  })
})

describeWith('codex', 'given an account whose limit is reached', () => {
  it('has a goal that is limited by usage, and in Codex one that is paused as ever', async () => {
    const spent = { type: 'usage_limit_reached', message: 'The usage limit has been reached' }
    await inRed([{ status: 429, body: { error: spent } }], async (place) => {
      const ended = await run(place, ['DONECHECK_WAIT_FOR_PROVIDER=off', ...task])
      expect(ended.exitCode, ended.output).toBe(5)
      const shown = await place.donecheck(['goal', 'show', 'last', '--json'])
      expect(JSON.parse(shown.stdout)).toMatchObject({ goal: { status: 'usage-limited' } })
      expect(goalIn(place)).toMatchObject({ status: 'paused' })
    })
  })
})

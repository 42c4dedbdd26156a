import { problemOfFact, type RunEvent } from '@donecheck/core/internal/events'
import { fold } from '@donecheck/core/internal/state'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { madeRun, madeTurn } from '../../testing/index.ts'
import { runOfEvents, type RecordedRun } from '../recordings/index.ts'
import { eventsOfRecording, labelOf, readTrajectory, trajectoryForms, trajectoryOf } from './index.ts'

const names = ['sharegpt', 'openai', 'atif'] as const

function written(events: readonly RunEvent[], name: (typeof names)[number]): string {
  const trajectory = trajectoryOf(events, true)
  return trajectory === undefined ? '' : JSON.stringify(trajectoryForms[name].write(trajectory))
}

const anyText = fc.string({ unit: fc.constantFrom('a', ' ', '\n', '"', '\\', '<', '\u2028', 'é', '{', '&') })
const anyTurn = fc.record({
  text: anyText,
  toolCalls: fc.array(
    fc
      .record({
        name: fc.constantFrom('bash', 'edit'),
        args: fc.record({ command: anyText }),
        argsDigest: fc.constant('d'),
        result: fc.option(anyText),
        resultDigest: fc.constant(null),
        isError: fc.constantFrom(null, true, false),
      })
      .map((call) => (call.result === null ? { ...call, isError: null } : call)),
    { maxLength: 3 },
  ),
  reply: fc.option(anyText),
})

/** Content that every form retains. */
const toldIn = ({ turns }: RecordedRun) =>
  turns.map(({ text, reply = null, toolCalls }) => ({
    text: text ?? '',
    reply,
    calls: toolCalls.map(({ name, args, result }) => ({ name, args, result })),
  }))

describe('given any trajectory of others', () => {
  const anyRun = fc
    .array(anyTurn, { minLength: 1, maxLength: 5 })
    .map((turns) => madeRun([], { turns, prompt: 'do it', outcome: { resolved: true } }))

  it.each(names)('then it is imported, exported as %s and imported again, with the same turns', (name) => {
    fc.assert(
      fc.property(anyRun, (run) => {
        const line = written(eventsOfRecording(run, 5), name)
        const again = readTrajectory(line, 'again')
        expect(again === undefined ? [] : toldIn(again)).toEqual(toldIn(run))
        expect(again).toMatchObject({ task: 'do it', outcome: { resolved: true } })
      }),
      { numRuns: 80 },
    )
  })

  it('then all forms tell the same', () => {
    fc.assert(
      fc.property(anyRun, (run) => {
        const events = eventsOfRecording(run, 5)
        const read = names.map((name) => readTrajectory(written(events, name), 'x'))
        const [one, ...others] = read.map((each) => (each === undefined ? [] : toldIn(each)))
        for (const other of others) expect(other).toEqual(one)
      }),
      { numRuns: 40 },
    )
  })

  it('then every event of it is one that can be kept, and the turns are those of the record', () => {
    fc.assert(
      fc.property(anyRun, (run) => {
        const events = eventsOfRecording(run, 5)
        expect(events.map(problemOfFact).filter((problem) => problem !== undefined)).toEqual([])
        const back = runOfEvents(events, 'store')
        expect(back?.turns.map(({ toolCalls }) => toolCalls.map(({ isError }) => isError))).toEqual(
          run.turns.map(({ toolCalls }) => toolCalls.map(({ isError }) => isError)),
        )
        expect(back?.outcome.resolved).toBe(true)
      }),
      { numRuns: 40 },
    )
  })
})

describe('given a trajectory whose source calls it resolved', () => {
  const run = madeRun([], {
    ...{ id: 'set/1', source: 'owner/name@1', exit: 'Submitted', model: 'm' },
    outcome: { resolved: true, reward: 1, labels: ['easy'] },
    turns: [madeTurn(['bash ls a.ts']), madeTurn([], { text: 'Done.' })],
  })
  const events = eventsOfRecording(run, 5)

  it('then it ends as not verified, and the ground truth is a label', () => {
    expect(fold(events)?.phase).toMatchObject({
      transition: { outcome: 'unverified', reason: 'model_ended' },
    })
    expect(labelOf(events, true)).toMatchObject({
      ...{ outcome: 'unverified', imported: true, checks: [] },
      groundTruth: { resolved: true, reward: 1, labels: ['easy'] },
    })
    expect(JSON.stringify(events)).toContain('owner/name@1 says: resolved, reward 1, easy')
  })

  it('then it is the same run whenever and from wherever it is imported, and another one where a turn is', () => {
    const idOf = (other: RecordedRun, atMs = 5) => eventsOfRecording(other, atMs)[0]?.runId
    expect(idOf(run, 9)).toBe(idOf(run))
    expect(idOf({ ...run, file: 'elsewhere' })).toBe(idOf(run))
    expect(idOf({ ...run, turns: run.turns.slice(1) })).not.toBe(idOf(run))
  })

  it('then secrets in it are masked at the door', () => {
    const key = `sk-ant-api03-${'aB3dE5fG7h'.repeat(9)}`
    const leaky = { ...run, prompt: key, turns: [madeTurn([`bash ${key} ${key}`], { text: key })] }
    expect(JSON.stringify(eventsOfRecording(leaky, 5))).not.toContain('aB3dE5fG7haB3')
  })

  it.each([
    ['max_steps', null, 'exhausted', 'iterations'],
    ['Exit due to context window', null, 'exhausted', 'tokens'],
    ['Exit due to max compute time', null, 'exhausted', 'wall_clock'],
    ['exit_cost', null, 'exhausted', 'cost'],
    ['error', null, 'error', undefined],
    ['task_success', 2, 'unverified', undefined],
    [null, 2, 'exhausted', 'iterations'],
    [null, null, 'unverified', undefined],
  ] as const)('then an end of %j with a limit of %j is %s', (exit, stepLimit, outcome, cap) => {
    const { phase } = fold(eventsOfRecording({ ...run, exit, stepLimit }, 5)) ?? {}
    expect(phase).toMatchObject({ transition: { outcome, ...(cap === undefined ? {} : { cap }) } })
  })
})

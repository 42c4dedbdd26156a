import { describe, expect, it } from 'vitest'
import {
  begun,
  checked,
  claimed,
  edited,
  failedVerdict,
  passedVerdict,
  skippedVerdict,
  stamp,
} from '@donecheck/core/testing'
import { erroredVerdict, type RunChoices, type Step } from '@donecheck/core/testing'
import { modelReplied, runStopped, toolCall, turnEnded } from '@donecheck/core/internal/testing/facts'
import { rowFold, runRow, type RunRow } from './row.ts'

const test = 'npm test'
const choices: RunChoices = { verifiers: [test, 'npm run lint'] }
const red = [failedVerdict(test, { durationMs: 2000 }), passedVerdict('npm run lint', { durationMs: 500 })]
const green = [passedVerdict(test, { durationMs: 2000 }), passedVerdict('npm run lint', { durationMs: 500 })]

function rowOf(...steps: readonly Step[]): RunRow {
  const row = runRow(stamp(steps))
  if (row === undefined) throw new TypeError('no row')
  return row
}

const ended = runStopped('task_complete', { outcome: 'verified' })

describe('given a run that was green at its first claim', () => {
  const row = rowOf(
    ...[begun(choices, ...red), edited(1, 'tree-1'), turnEnded(1)],
    ...[claimed(2), checked('claim', ...green), turnEnded(2), ended],
  )

  it('then it passed at the first try, after one round, and said nothing false', () => {
    expect(row).toMatchObject({ isFirstTry: true, roundsToGreen: 1, claims: 1, falseClaims: 0 })
    expect(row).toMatchObject({
      outcome: 'verified',
      reason: 'task_complete',
      cap: null,
      detector: null,
      turns: 2,
    })
  })

  it('then what failed on the untouched tree was not caught, but took its time', () => {
    const [first, second] = row.checks
    expect(first).toEqual({ name: test, runs: 2, failures: 0, flakes: 0, ms: 4000, costUsd: 0 })
    expect(second).toMatchObject({ runs: 2, ms: 1000 })
  })

  it('then what failed became less until nothing was left', () => {
    expect(row.failing.at(-1)).toBe(0)
  })
})

describe('given a run that said it was done while red', () => {
  const row = rowOf(
    ...[begun(choices), claimed(1), checked('claim', ...red), turnEnded(1, 'the tests fail')],
    ...[edited(2, 'tree-1'), checked('change', ...red), turnEnded(2)],
    ...[claimed(3), checked('claim', ...green), turnEnded(3), ended],
  )

  it('then one of its two claims was false, and the first try did not pass', () => {
    expect(row).toMatchObject({ claims: 2, falseClaims: 1, isFirstTry: false, roundsToGreen: 3 })
  })

  it('then the check has caught two failures in six seconds', () => {
    expect(row.checks[0]).toMatchObject({ runs: 3, failures: 2, ms: 6000 })
  })
})

describe('given a claim that no check has decided', () => {
  it.each([
    ['a check crashed', [erroredVerdict(test), passedVerdict('npm run lint')]],
    ['a check was never asked', [passedVerdict(test)]],
    ['a check was left out and no other passed', [skippedVerdict(test), skippedVerdict('npm run lint')]],
  ])('then it is neither a first try nor false: %s', (_, verdicts) => {
    const row = rowOf(begun(choices), claimed(1), checked('claim', ...verdicts), turnEnded(1))
    expect(row).toMatchObject({ claims: 1, falseClaims: 0, isFirstTry: null, roundsToGreen: null })
  })

  it('then a reply that was cut off is no claim', () => {
    const cutOff = modelReplied({ text: 'I am', finish: 'length' })
    expect(
      rowOf(begun(choices), { type: 'model-called', turn: 1, attempt: 1 }, cutOff, turnEnded(1)).claims,
    ).toBe(0)
  })
})

describe('given checks that were not really asked', () => {
  it('then those taken again, left out or waited for count neither as asked nor as time', () => {
    const cached = passedVerdict(test, { qualifiers: ['cached'], durationMs: 9, costUsd: 1 })
    const row = rowOf(begun(choices), checked('change', cached, skippedVerdict('npm run lint')))
    expect(row.checks).toEqual([])
    expect(row.checksCostUsd).toBe(0)
  })
})

describe('given who drives, and what ends it', () => {
  it('then a model stands by its name, and an agent by its own', () => {
    expect(rowOf(begun())).toMatchObject({ model: 'test/model', agent: 'donecheck', project: '/srv/tree' })
    const agent = begun({ agent: { kind: 'command', name: 'mytool --print' } })
    expect(rowOf(agent)).toMatchObject({ model: null, agent: 'mytool --print' })
  })

  it('then cap, detector and tags are those of the record', () => {
    const capped = runStopped('hard_cap', { outcome: 'exhausted', cap: 'tokens' })
    const looped = runStopped('loop_detected', { outcome: 'exhausted', detector: 'ping_pong' })
    const tags = ['nightly', 'memory=on']
    expect(rowOf(begun({ tags }), capped)).toMatchObject({ outcome: 'exhausted', cap: 'tokens', tags })
    expect(rowOf(begun(), looped)).toMatchObject({ detector: 'ping_pong' })
  })
})

describe('given hostile or many names', () => {
  it('then a row stays small: a name is one short line, and only so many are told apart', () => {
    const calls = Array.from({ length: 300 }, (_, index): Step => {
      const tool = `${'__proto__'.repeat(30)}\n\u001b[2J${index}`.slice(index)
      return { type: 'tool-called', callId: `${index}`, tool, effect: 'read' }
    })
    const { tools } = rowOf(
      begun(),
      { type: 'model-called', turn: 1, attempt: 1 },
      modelReplied({ toolCalls: [toolCall('0')] }),
      calls,
    )
    expect(tools.length).toBeLessThanOrEqual(61)
    expect(tools.reduce((sum, { count }) => sum + count, 0)).toBe(300)
    expect(
      tools.every(({ name }) => name.length <= 80 && !name.includes('\n') && !name.includes('\u001b')),
    ).toBe(true)
  })
})

it('a run that goes on has at every event the row of what has happened so far', () => {
  const events = stamp([begun(choices, ...red), edited(1, 'tree-1'), turnEnded(1), claimed(2), ended])
  const fold = rowFold()
  expect(fold.row()).toBeUndefined()
  for (const [index, event] of events.entries()) {
    fold.add(event)
    expect(fold.row()).toEqual(runRow(events.slice(0, index + 1)))
  }
})

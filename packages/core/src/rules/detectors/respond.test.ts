import { describe, expect, it } from 'vitest'
import { callKey } from '../../state/index.ts'
import {
  standardLoopDetection,
  detectorNames,
  type LoopDetectionSettings,
  type SoftSettings,
} from '../../events/settings/index.ts'
import type { RunEvent, ToolCall } from '../../events/index.ts'
import { begun, given, type Given, type Step } from '../../testing/index.ts'
import {
  modelCalled,
  modelProposed,
  toolCall,
  toolCalled,
  toolRefused,
  toolReturned,
  turnEnded,
  workspaceObserved,
} from '../../testing/facts.ts'
import { loopDetection, loopDetectionShadow } from './respond.ts'

const rules = [loopDetection, loopDetectionShadow]

/** One detector, whose rule is the simplest: it tells after three equal calls and refuses after four. */
function soft(different: Partial<LoopDetectionSettings> = {}): SoftSettings {
  const others = detectorNames.filter((name) => name !== 'generic_repeat')
  const off = Object.fromEntries(others.map((name) => [name, 'off' as const]))
  return {
    loopDetection: {
      ...standardLoopDetection,
      warmUpCalls: 4,
      warningThreshold: 3,
      criticalThreshold: 4,
      ...different,
      detectors: { ...off, ...different.detectors },
    },
    stagnation: { mode: 'off', patienceVerifications: 3, changesPerClaim: 5, epsilonScore: 0 },
    tokenBudget: null,
  }
}

/** A call of `look` with arguments of its own; the same name is the same call. */
function look(name: string, callId = name): ToolCall {
  return { ...toolCall(callId, 'look', { name }), argsDigest: name.padEnd(64, '0') }
}

/** A turn in which each call ran and gave what it always gives. */
function ran(turn: number, ...names: readonly string[]): readonly Step[] {
  const answers = names.flatMap((name) => [
    toolCalled(name, 'read', 'look'),
    { ...toolReturned(name), outcome: `what ${name} gives` },
  ])
  return [modelCalled(turn), modelProposed(...names.map((name) => look(name))), ...answers]
}

/** The same, and the turn is over. */
function over(turn: number, ...names: readonly string[]): readonly Step[] {
  return [...ran(turn, ...names), turnEnded(turn)]
}

function proposed(turn: number, ...names: readonly string[]): readonly Step[] {
  return [modelCalled(turn), modelProposed(...names.map((name) => look(name)))]
}

function vetoed(turn: number, ...names: readonly string[]): readonly Step[] {
  return [...proposed(turn, ...names), ...names.map((name) => toolRefused(name, 'detector'))]
}

const start = (different: Partial<LoopDetectionSettings> = {}): Given =>
  given(begun({ soft: soft(different) }))
const fourTimes = [over(1, 'a'), over(2, 'a'), over(3, 'a'), ran(4, 'a')]

describe('given a call that comes back: the ladder', () => {
  it('first tells the agent, with the turn in which it is noticed', () => {
    start()
      .and(over(1, 'a'), over(2, 'a'), ran(3, 'a'))
      .whenDecided({ rules })
      .then((decision) => {
        expect(decision).toMatchObject({
          kind: 'note',
          finding: {
            rule: 'loop:generic_repeat',
            level: 'warn',
            key: `warning:${callKey(look('a'))} what a gives`,
          },
        })
        expect(decision.kind === 'note' && decision.finding.advice).toContain('Use the result')
      })
  })

  it('then refuses the call that goes on with it, and says why', () => {
    start()
      .and(fourTimes, turnEnded(4), proposed(5, 'a'))
      .afterNotes({ rules })
      .whenDecided({ rules })
      .then((decision) => {
        expect(decision).toMatchObject({ kind: 'refuse-tools', by: 'detector', callIds: ['a'] })
        expect(decision.kind === 'refuse-tools' && decision.reason).toContain('This call was not run')
        expect(decision.kind === 'refuse-tools' && decision.reason).toContain('(generic_repeat)')
      })
  })

  it('lets an innocent sibling run', () => {
    start()
      .and(fourTimes, turnEnded(4), proposed(5, 'a', 'b'))
      .afterNotes({ rules })
      .whenDecided({ rules })
      .then({ kind: 'refuse-tools', callIds: ['a'] })
      .and(toolRefused('a', 'detector'))
      .afterNotes({ rules })
      .whenDecided({ rules })
      .then({ kind: 'run-tools', callIds: ['b'] })
  })

  it('then refuses all of the batch but what was never made, and says that it is the last chance', () => {
    start()
      .and(fourTimes, turnEnded(4), vetoed(5, 'a'), turnEnded(5), proposed(6, 'b', 'a'))
      .afterNotes({ rules })
      .whenDecided({ rules })
      .then((decision) => {
        expect(decision).toMatchObject({ kind: 'refuse-tools', callIds: ['a'] })
        expect(decision.kind === 'refuse-tools' && decision.reason).toContain('ends the run')
      })
  })

  it('ends the run when the turn of the second veto of an exact repeat is over', () => {
    const once = [fourTimes, turnEnded(4), vetoed(5, 'a')]
    start()
      .and(...once)
      .afterNotes({ rules })
      .whenDecided({ rules })
      .then({ kind: 'continue' })
    start()
      .and(...once, turnEnded(5), vetoed(6, 'a'))
      .afterNotes({ rules })
      .whenDecided({ rules })
      .then({
        kind: 'stop',
        transition: { reason: 'loop_detected', outcome: 'exhausted', detector: 'generic_repeat' },
      })
  })
})

describe('given an agent that gets out of its loop', () => {
  const vetoedOnce = [fourTimes, turnEnded(4), vetoed(5, 'a'), turnEnded(5)]
  it('goes on with what is new, at once', () => {
    start()
      .and(...vetoedOnce, proposed(6, 'b'))
      .afterNotes({ rules })
      .whenDecided({ rules })
      .then({ kind: 'run-tools', callIds: ['b'] })
  })

  it('has them back when the work becomes new', () => {
    const { state } = start().and(...vetoedOnce, ran(6, 'b'), workspaceObserved('tree-1'))
    expect(state.activity.vetoes).toBe(0)
  })
})

describe('given detectors in shadow', () => {
  const shadow = { mode: 'shadow' } as const

  it('records what would have been done, and does nothing', () => {
    const noted = start(shadow).and(fourTimes).afterNotes({ rules })
    expect(findingsOf(noted.events)).toEqual([
      expect.objectContaining({
        rule: 'shadow:generic_repeat',
        level: 'note',
        key: `critical:${callKey(look('a'))} what a gives`,
      }),
    ])
    noted.whenDecided({ rules }).then({ kind: 'continue' })
    noted.and(turnEnded(4), proposed(5, 'a')).whenDecided({ rules }).then({ kind: 'run-tools' })
  })

  it('records every detector, not only the gravest', () => {
    const detectors = { cycle: 'on', global_circuit_breaker: 'on' } as const
    const settings = { ...shadow, detectors, globalCircuitBreakerThreshold: 4 }
    const reported = findingsOf(start(settings).and(fourTimes).afterNotes({ rules }).events)
    expect(reported.map(({ rule }) => rule)).toEqual(
      expect.arrayContaining(['shadow:cycle', 'shadow:generic_repeat', 'shadow:global_circuit_breaker']),
    )
  })
})

describe('given detectors that are off', () => {
  it.each<[string, Partial<LoopDetectionSettings>]>([
    ['all', { mode: 'off' }],
    ['the one that would fire', { detectors: { generic_repeat: 'off' } }],
  ])('says nothing: %s', (_, settings) => {
    start(settings).and(fourTimes).whenDecided({ rules }).then({ kind: 'continue' })
    start(settings)
      .and(fourTimes, turnEnded(4), proposed(5, 'a'))
      .whenDecided({ rules })
      .then({ kind: 'run-tools' })
  })

  it('says nothing where a run was set up without a soft tier', () => {
    given(begun(), fourTimes).whenDecided({ rules }).then({ kind: 'continue' })
  })
})

function findingsOf(events: readonly RunEvent[]) {
  return events.flatMap((event) => (event.type === 'finding-noted' ? [event.finding] : []))
}

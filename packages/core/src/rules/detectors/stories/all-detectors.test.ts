/** What holds of all detectors together, whatever the events. */
import { fc, test } from '@fast-check/vitest'
import { hash } from 'node:crypto'
import { describe, expect } from 'vitest'
import {
  standardLoopDetection,
  detectorNames,
  type DetectorName,
  type LoopDetectionSettings,
} from '../../../events/settings/index.ts'
import { fold } from '../../../state/index.ts'
import type { JsonValue, RunEvent } from '../../../events/index.ts'
import { canonicalJson } from '../../../base/index.ts'
import {
  noActivity,
  withCall,
  withProgress,
  type Activity,
  type CallFact,
} from '../../../state/activity/index.ts'
import { begun, stamp } from '../../../testing/index.ts'
import {
  modelCalled,
  modelReplied,
  toolCall,
  toolCalled,
  toolReturned,
  turnEnded,
} from '../../../testing/facts.ts'
import { detectors, loopDetections } from '../loop-detections.ts'

/** Few names, so that calls meet. */
const fact: fc.Arbitrary<Omit<CallFact, 'sequence' | 'turn'>> = fc
  .record({
    tool: fc.constantFrom('run_shell', 'read_file', 'edit_file'),
    arg: fc.nat({ max: 3 }),
    outcome: fc.option(fc.constantFrom('one', 'other'), { freq: 9 }),
    isFailure: fc.boolean(),
    callStatus: fc.constantFrom('ran' as const, 'ran' as const, 'ran' as const, 'vetoed' as const),
    waits: fc.boolean(),
    said: fc.constantFrom('nothing' as const, 'little' as const, 'enough' as const),
  })
  .map(({ tool, arg, outcome, isFailure, callStatus, waits, said }) => ({
    tool,
    call: `${tool}:${arg}`,
    outcome,
    failure: isFailure && outcome !== null ? outcome : null,
    callStatus,
    waits: waits && arg === 0,
    noOp: false,
    said,
  }))
const steps = fc.array(
  fc.oneof({ weight: 9, arbitrary: fact }, { weight: 1, arbitrary: fc.constant('progress' as const) }),
  {
    minLength: 1,
    maxLength: 150,
  },
)
type Steps = readonly (Omit<CallFact, 'sequence' | 'turn'> | 'progress')[]

function step(activity: Activity, one: Steps[number]): Activity {
  if (one === 'progress') return withProgress(activity)
  const sequence = activity.callsInTask + 1
  return withCall(activity, { ...one, sequence, turn: sequence })
}

function detectionsOf(activity: Activity, settings: LoopDetectionSettings = standardLoopDetection) {
  return loopDetections({ activity, settings }, 'on')
}

function only(name: DetectorName, mode: 'on' | 'off'): LoopDetectionSettings {
  const others = mode === 'on' ? 'off' : 'on'
  const modes = detectorNames.map((other) => [other, other === name ? mode : others] as const)
  return { ...standardLoopDetection, detectors: Object.fromEntries(modes) }
}

describe('given any calls', () => {
  test.prop([steps, fc.constantFrom(...detectorNames)])(
    'a detector that is off is silent, and the others say what they say',
    (made, name) => {
      const activity = made.reduce(step, noActivity)
      const others = detectionsOf(activity).filter(({ detector }) => detector !== name)
      expect(detectionsOf(activity, only(name, 'off'))).toEqual(others)
      expect(detectionsOf(activity, only(name, 'on')).every(({ detector }) => detector === name)).toBe(true)
      expect(detectionsOf(activity, { ...standardLoopDetection, mode: 'off' })).toEqual([])
    },
  )

  test.prop([steps])('a detection names its detector, and rests on answers that there were', (made) => {
    const activity = made.reduce(step, noActivity)
    for (const name of detectorNames) {
      const detection = detectors[name]({ activity, settings: standardLoopDetection })
      if (detection === undefined) continue
      expect(detection.detector).toBe(name)
      expect(detection.basedOn.length).toBeGreaterThan(0)
      expect(detection.basedOn.every((sequence) => sequence >= 1 && sequence <= activity.callsInTask)).toBe(
        true,
      )
      expect([...detection.basedOn]).toEqual(detection.basedOn.toSorted((one, other) => one - other))
      expect(detection.message).not.toBe('')
      expect(detection.advice).not.toBe('')
    }
  })

  test.prop([steps])('nothing is refused before the run is warm', (made) => {
    const settings = { ...standardLoopDetection, warmUpCalls: 1000 }
    const levels = detectionsOf(made.reduce(step, noActivity), settings).map(({ level }) => level)
    expect(levels.filter((level) => level !== 'warning')).toEqual([])
  })

  test.prop([fc.integer({ min: 1, max: 300 }), fc.boolean()])(
    'nothing is said of a run in which every call is new and succeeds',
    (count, isTerse) => {
      let activity: Activity = noActivity
      for (let at = 0; at < count; at += 1) {
        activity = step(activity, {
          tool: 'run_shell',
          call: `run_shell:${at}`,
          outcome: isTerse ? 'ok' : `outcome ${at}`,
          failure: null,
          callStatus: 'ran',
          waits: false,
          noOp: false,
          said: isTerse ? 'little' : 'enough',
        })
        expect(detectionsOf(activity)).toEqual([])
      }
    },
  )
})

const args: fc.Arbitrary<Readonly<Record<string, JsonValue>>> = fc.dictionary(
  fc.constantFrom('path', 'offset', 'limit', 'pattern', 'command'),
  fc.oneof(fc.string({ maxLength: 8 }), fc.integer(), fc.boolean()),
  { minKeys: 1, noNullPrototype: true },
)

/** The events of a run in which each turn makes one call, its digest computed as a recorder does. */
function eventsOf(calls: readonly Readonly<Record<string, JsonValue>>[]): readonly RunEvent[] {
  const soft = {
    loopDetection: standardLoopDetection,
    stagnation: { mode: 'off' as const, patienceVerifications: 3, changesPerClaim: 5, epsilonScore: 0 },
    tokenBudget: null,
  }
  const turns = calls.map((one, at) => {
    const call = { ...toolCall(`${at}`, 'look', one), argsDigest: hash('sha256', canonicalJson(one)) }
    const answer = { ...toolReturned(`${at}`, 'a page'), outcome: 'a page' }
    const reply = modelReplied({ text: `turn ${at}`, toolCalls: [call] })
    return [modelCalled(at + 1), reply, toolCalled(`${at}`, 'read', 'look'), answer, turnEnded(at + 1)]
  })
  return stamp([begun({ soft }), turns])
}

function activityAfter(events: readonly RunEvent[]): Activity {
  return fold(events)?.activity ?? noActivity
}

describe('given events', () => {
  test.prop([fc.array(args, { maxLength: 12 }), fc.nat({ max: 11 })])(
    'the order of keys in arguments says nothing',
    (calls, turns) => {
      const again = [...calls, ...calls, ...calls]
      const reordered = again.map((one, at) => {
        const entries = Object.entries(one)
        const cut = (at * (turns + 1)) % entries.length
        return Object.fromEntries([...entries.slice(cut), ...entries.slice(0, cut)])
      })
      expect(activityAfter(eventsOf(reordered))).toEqual(activityAfter(eventsOf(again)))
    },
  )
})

/** Calls made up for the tests of the detectors: each says what is different from a new call that succeeded. */
import { describe, expect, it } from 'vitest'
import { standardLoopDetection, type LoopDetectionSettings } from '../../../events/settings/index.ts'
import {
  noActivity,
  withCall,
  withProgress,
  type Activity,
  type CallFact,
} from '../../../state/activity/index.ts'
import type { Detector, Detection, SoftView } from '../detection.ts'

/** `progress`: the work became new. A pair: a call and its outcome. */
export type Made = 'progress' | readonly [call: string, outcome?: string | null] | Partial<CallFact>

/** Calls in their order, each in a turn of its own. */
export function activityOf(made: readonly Made[], start: Activity = noActivity): Activity {
  return made.reduce<Activity>((activity, one) => {
    if (one === 'progress') return withProgress(activity)
    const sequence = activity.callsInTask + 1
    return withCall(activity, { ...newCall(sequence), ...factOf(one) })
  }, start)
}

function newCall(sequence: number): CallFact {
  return {
    sequence,
    turn: sequence,
    tool: 'run_shell',
    call: `new call ${sequence}`,
    outcome: `new outcome ${sequence}`,
    failure: null,
    callStatus: 'ran',
    waits: false,
    noOp: false,
    said: 'enough',
  }
}

function factOf(made: Exclude<Made, 'progress'>): Partial<CallFact> {
  if (!isPair(made)) return made
  const [call, outcome = `outcome of ${call}`] = made
  return { call, outcome }
}

function isPair(made: Exclude<Made, 'progress'>): made is readonly [call: string, outcome?: string | null] {
  return Array.isArray(made)
}

export function times(count: number, make: (at: number) => Made): readonly Made[] {
  return Array.from({ length: count }, (_, at) => make(at))
}

/** Rounds of a cycle of this many calls. */
export function repeats(count: number, period: number): readonly Made[] {
  return times(count * period, (at) => [`call ${at % period}`])
}

export function viewOf(made: readonly Made[], settings: Partial<LoopDetectionSettings> = {}): SoftView {
  return { activity: activityOf(made), settings: { ...standardLoopDetection, ...settings } }
}

/** What a detector says after these calls: its level, or nothing. */
export function levelOf(
  detector: Detector,
  made: readonly Made[],
  settings: Partial<LoopDetectionSettings> = {},
): Detection['level'] | undefined {
  return detector(viewOf(made, settings))?.level
}

/** The number of calls after which a detector first says each level; calls in front of them are not counted. */
export function firstAt(
  detector: Detector,
  made: readonly Made[],
  settings: Partial<LoopDetectionSettings> = {},
): Partial<Record<Detection['level'], number>> {
  const first: Partial<Record<Detection['level'], number>> = {}
  made.forEach((_, at) => {
    const level = levelOf(detector, made.slice(0, at + 1), settings)
    if (level !== undefined) first[level] ??= at + 1
  })
  return first
}

describe('given calls that are made up', () => {
  it('each is new unless it is said otherwise', () => {
    const { calls } = activityOf([{}, ['a'], {}, ['a']])
    expect(calls.map(({ repeat }) => repeat)).toEqual([0, 0, 0, 1])
    expect(calls.map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4])
  })
})

/** All detectors together: what they say of a state, gravest first. */
import {
  type DetectorName,
  type LoopDetectionSettings,
  type RuleMode,
  type RunState,
} from '../../events/index.ts'
import { argumentChurn } from './argument-churn.ts'
import { busyWait } from './busy-wait.ts'
import { cycle } from './cycle.ts'
import { failedCheckRepeat } from './failed-check-repeat.ts'
import { genericRepeat } from './generic-repeat.ts'
import { globalCircuitBreaker } from './global-circuit-breaker.ts'
import { sparingHarmless } from './harmless-repeats.ts'
import { knownPollNoProgress } from './known-poll-no-progress.ts'
import { noOpEdit } from './no-op-edit.ts'
import { pingPong } from './ping-pong.ts'
import { repeatedReply } from './repeated-reply.ts'
import { sameFailure } from './same-failure.ts'
import type { Detector, Sign, SignLevel, SoftView } from './sign.ts'
import { thoughtLoop } from './thought-loop.ts'
import { unknownToolRepeat } from './unknown-tool-repeat.ts'

/** The name of a detector, as it stands in a finding, finds its file. */
export const detectors: Readonly<Record<DetectorName, Detector>> = {
  cycle,
  same_failure: sameFailure,
  generic_repeat: genericRepeat,
  known_poll_no_progress: knownPollNoProgress,
  ping_pong: pingPong,
  global_circuit_breaker: globalCircuitBreaker,
  unknown_tool_repeat: unknownToolRepeat,
  argument_churn: argumentChurn,
  no_op_edit: noOpEdit,
  repeated_reply: repeatedReply,
  thought_loop: thoughtLoop,
  failed_check_repeat: failedCheckRepeat,
  busy_wait: busyWait,
}

/** In the order in which equal signs are told. */
const inOrder = Object.entries(detectors) as readonly (readonly [DetectorName, Detector])[]

const rank: Readonly<Record<SignLevel, number>> = { hopeless: 0, critical: 1, warning: 2 }

/** How one detector is set: by its own name, or as all are. */
export function modeOf(settings: LoopDetectionSettings, detector: DetectorName): RuleMode {
  if (settings.mode === 'off') return 'off'
  const own = settings.detectors[detector] ?? settings.mode
  return settings.mode === 'shadow' && own === 'on' ? 'shadow' : own
}

const none: readonly Sign[] = []

/** What the detectors of one mode say, gravest first. */
export function loopSigns(view: SoftView, mode: Exclude<RuleMode, 'off'>): readonly Sign[] {
  // Asked for every call: nothing is made unless somebody says something.
  let signs: Sign[] | undefined
  for (const [name, detector] of inOrder) {
    const sign = modeOf(view.settings, name) === mode ? detector(view) : undefined
    if (sign !== undefined) (signs ??= []).push(sparingHarmless(sign, view))
  }
  if (signs === undefined) return none
  return signs.length < 2 ? signs : signs.toSorted((one, other) => rank[one.level] - rank[other.level])
}

/** New calls between which a loop is still the same loop: one that is put in now and then hides nothing. */
const callsPutIn = 2

/**
 * What is to be refused: what the detectors say now, and what they said of one of the calls just before, where those after it
 * were new. Such an earlier sign holds for the calls that it names, and for no others.
 */
export function signsToRefuse(view: SoftView): readonly Sign[] {
  const signs = loopSigns(view, 'on').filter(({ level }) => level !== 'warning')
  if (signs.length > 0) return signs
  // A call that was refused and is not known by any outcome says nothing.
  const last = view.activity.calls.findLastIndex(({ fate, lap }) => fate !== 'vetoed' || lap > 0)
  const calls = view.activity.calls.slice(0, last + 1)
  const isAsked = calls.length === view.activity.calls.length
  for (let back = isAsked ? 1 : 0; back <= callsPutIn; back += 1) {
    if (back > 0 && calls.at(-back)?.lap !== 0) return none
    if (calls.at(-back - 1)?.lap === 0) continue
    const activity = { ...view.activity, calls: calls.slice(0, calls.length - back) }
    const earlier = loopSigns({ ...view, activity }, 'on').filter(
      ({ level, continuedBy }) => level !== 'warning' && Array.isArray(continuedBy),
    )
    if (earlier.length > 0) return earlier
  }
  return none
}

/** Undefined where no loop is looked for. */
export function viewOf(state: RunState): SoftView | undefined {
  const settings = state.settings.soft?.loopDetection
  return settings === undefined ? undefined : { activity: state.activity, settings }
}

/** The call would go on with the loop. */
export function continues(sign: Sign, call: { readonly tool: string; readonly key: string }): boolean {
  const { continuedBy } = sign
  if (continuedBy === 'any-call') return true
  return 'tool' in continuedBy ? continuedBy.tool === call.tool : continuedBy.includes(call.key)
}

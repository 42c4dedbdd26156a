/** The entries of the tables, written short. */
import type { CapName, ContinueReason, DetectorName } from '../../events/index.ts'
import type { CapKind } from './caps.ts'
import type { Counterpart, OwnLabel, PlainEnd, UnverifiedEnd } from './vocabulary.ts'

/** @param note how near the word comes, where it is not the same */
export function word<const Word extends string>(name: Word, note?: string): Counterpart<Word> {
  return note === undefined ? { word: name } : { word: name, note }
}

/** @param note why there is no counterpart */
export function none(note: string): { readonly word: null; readonly note: string } {
  return { word: null, note }
}

export function end(name: UnverifiedEnd, note?: string): OwnLabel {
  return note === undefined ? { kind: 'end', name } : { kind: 'end', name, note }
}

export function cap(name: CapName, note?: string): OwnLabel {
  return { kind: 'end', name: 'hard_cap', cap: name, ...(note === undefined ? {} : { note }) }
}

export function loop(detector: DetectorName, note?: string): OwnLabel {
  return { kind: 'end', name: 'loop_detected', detector, ...(note === undefined ? {} : { note }) }
}

export function turn(reason: ContinueReason, note?: string): OwnLabel {
  return note === undefined ? { kind: 'turn', reason } : { kind: 'turn', reason, note }
}

/** @param note why it is neither an end nor a turn of ours */
export function neither(note: string): OwnLabel {
  return { kind: 'none', note }
}

/** One entry for every end. Also the default that single entries are set over. */
export function everyEnd<Entry>(entry: Entry): Readonly<Record<PlainEnd, Entry>> {
  return {
    task_complete: entry,
    verifier_failed_unrecoverable: entry,
    tampered: entry,
    diminishing: entry,
    stagnated: entry,
    model_ended: entry,
    blocked: entry,
    awaiting_approval: entry,
    permission_denied: entry,
    user_interrupt: entry,
    error: entry,
  }
}

export function everyCap<Entry>(entry: Entry): Readonly<Record<CapKind, Entry>> {
  return {
    turns: entry,
    'model-calls': entry,
    'tool-calls': entry,
    tokens: entry,
    cost: entry,
    time: entry,
  }
}

export function everyTurn<Entry>(entry: Entry): Readonly<Record<ContinueReason, Entry>> {
  return {
    tool_calls: entry,
    verifier_feedback: entry,
    nudge_budget_left: entry,
    max_output_recovery: entry,
    approval_given: entry,
    goal_changed: entry,
    steering: entry,
  }
}

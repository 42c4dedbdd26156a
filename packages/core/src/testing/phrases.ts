/** Several facts that always come together, under the name of what happened. */
import type { Fact, VerificationTrigger } from '../events/index.ts'
import type { Verdict } from '../events/verdicts/index.ts'
import {
  goalSet,
  modelCalled,
  modelClaimed,
  modelProposed,
  toolCalled,
  toolReturned,
  verdictGiven,
  verificationStarted,
  workspaceObserved,
} from './facts.ts'
import { runStarted, type RunChoices } from './run-started.ts'

/** The run, its task, and the checks on the baseline tree, whose fingerprint is `tree-0`. */
export function begun(choices: RunChoices = {}, ...baseline: readonly Verdict[]): readonly Fact[] {
  const start = [runStarted(choices), goalSet(), workspaceObserved('tree-0')]
  return baseline.length === 0 ? start : [...start, ...checked('baseline', ...baseline)]
}

/** A whole verification. */
export function checked(trigger: VerificationTrigger, ...verdicts: readonly Verdict[]): readonly Fact[] {
  const names = verdicts.map(({ verifier }) => verifier)
  return [verificationStarted(trigger, ...names), ...verdicts.map(verdictGiven)]
}

/** A turn in which a file was written, up to the look at the tree that came of it. */
export function edited(turn: number, fingerprint: string): readonly Fact[] {
  const callId = `edit-${turn}`
  return [
    modelCalled(turn),
    modelProposed(callId),
    toolCalled(callId),
    toolReturned(callId),
    workspaceObserved(fingerprint),
  ]
}

/** A turn in which the drive asked for nothing. */
export function claimed(turn: number, text?: string): readonly Fact[] {
  return [modelCalled(turn), modelClaimed(text)]
}

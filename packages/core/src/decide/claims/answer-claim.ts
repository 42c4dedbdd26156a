/** A claim that would end the run with the drive's word alone: looked at once, and not accepted where something contradicts it. */
import { contradictionRule, type ClaimProblem, type Finding } from '../../events/index.ts'
import { findingKey, lastEditOf, type RunState } from '../../state/index.ts'
import type { Decision } from '../decision.ts'
import { continueTransition } from '../stops/index.ts'
import { readClaim, type ClaimReading } from './read-claim.ts'

/** Sources of which it can be told whether they parse. */
const parsed = /\.(?:[cm]?[jt]s|[jt]sx|json)$/
const keptPaths = 16

/** Undefined: nothing is known against it. */
export function answerClaim(state: RunState): Decision | undefined {
  const { claims, turn, noted, settings } = state
  const mode = settings.soft?.contradictions ?? 'on'
  if (mode === 'off') return undefined
  const look = lookDue(state)
  if (look !== undefined) return look
  const isOpen = claims.contradictedTurn === turn
  if (isOpen || claims.blocked < maxBlockedClaims) {
    const found = contradictionsOf(state).map((one) => (mode === 'shadow' ? shadowed(one) : one))
    const news = found.find((finding) => !noted.includes(findingKey(finding)))
    if (news !== undefined) return { kind: 'note', finding: news }
  }
  if (!isOpen) return undefined
  const transition = continueTransition(state, 'verifier_feedback', [contradictionRule])
  const feedback = [...new Set(state.advice)].join('\n\n')
  return { kind: 'continue', transition, feedback }
}

/** Recorded, and nothing is done about it. */
function shadowed({ key = '', message, numbers, restsOn }: Contradiction): Contradiction {
  return { rule: `shadow:${contradictionRule}`, level: 'note', key, message, numbers, restsOn }
}

/** Undefined: the folder has been looked at for this claim, or nothing in it could contradict it. */
function lookDue(state: RunState): Decision | undefined {
  const { claims, workRecord, workFolder } = state
  if (workFolder === null || claims.problems !== undefined || claims.blocked >= maxBlockedClaims)
    return undefined
  const sources =
    lastEditOf(workRecord) === null ? [] : workRecord.editedFiles.filter((path) => parsed.test(path))
  const claimed = readClaim(state.lastText).files
  if (sources.length + claimed.length === 0) return undefined
  return { kind: 'examine-claim', sources: sources.slice(-keptPaths), claimed }
}

/** A test that failed so often in a row, and is named, is no slip. */
const failsInARow = 3
/** Turns that one run is sent back for what contradicts its claims; then it may end, and its end says what it rests on. */
export const maxBlockedClaims = 3

export type Contradiction = Extract<Finding, { level: 'note' | 'warn' }>

/**
 * Where the record or the work folder contradicts the latest claim outright, the surest first; empty: nothing that is known. Only that:
 * what looks doubtful is a question for a check, and an accusation that is wrong costs more than one that is missing.
 */
export function contradictionsOf(state: RunState): readonly Contradiction[] {
  const claim = readClaim(state.lastText)
  const found = [
    nothingChanged(state, claim),
    ...(state.claims.problems ?? []).map(worldProblem),
    stillFailing(state, claim),
    stillRunning(state),
  ]
  return found.flatMap((one) => (one === undefined ? [] : [findingOf(one, state)]))
}

interface Report {
  /** Report once in a run. */
  readonly key: string
  /** For a person. */
  readonly message: string
  /** For the drive. */
  readonly advice: string
}

function findingOf({ key, message, advice }: Report, { sequence, turn }: RunState): Contradiction {
  return {
    rule: contradictionRule,
    level: 'warn',
    key,
    message,
    advice,
    numbers: { turn },
    restsOn: [sequence],
  }
}

function nothingChanged(state: RunState, claim: ClaimReading): Report | undefined {
  const what = unchangedClaim(state, claim)
  if (what === undefined) return undefined
  return {
    key: 'nothing-changed',
    message: `the answer says that it changed something, but ${what}`,
    advice: `You say that you changed something, but ${what}. Make the change, or say plainly that nothing was changed.`,
  }
}

/** Undefined: it may have changed what it says it has. */
function unchangedClaim(state: RunState, claim: ClaimReading): string | undefined {
  const { workRecord: record, workspace, workFolder, drive, consumption } = state
  if (lastEditOf(record) !== null || record.ownFiles.length > 0) return undefined
  const onlyLooked = record.calls > 0 && record.lastCommand === null && record.ownRun === null
  if (workFolder !== null) {
    const { baseline, current, touched } = workspace
    const isSame = baseline !== undefined && baseline !== 'unreadable' && baseline === current && !touched
    const isClaimed = claim.files.length > 0 || (claim.changedWork && onlyLooked)
    return isSame && isClaimed ? 'nothing in the work folder is another than before' : undefined
  }
  if (drive.sideEffects || consumption.toolCalls === 0 || !onlyLooked || record.lastTests !== null)
    return undefined
  return claim.carriedOut || claim.changedWork ? 'every call that was made only looks' : undefined
}

function worldProblem({ kind, path, detail }: ClaimProblem): Report {
  switch (kind) {
    case 'does-not-parse':
      return {
        key: `${kind}:${path}`,
        message: `${path} was changed and cannot be parsed: ${detail}`,
        advice: `${path}, which you changed, cannot be parsed: ${detail}. Mend it.`,
      }
    case 'not-there':
      return {
        key: `${kind}:${path}`,
        message: `the answer names ${path} as written, but there is no such file`,
        advice: `You say that you wrote ${path}, but there is no such file in the work folder. Write it, or name the right one.`,
      }
  }
}

/** A test that the task or the answer names, by the last part of its name; an answer that speaks of a failure is no claim of success. */
function stillFailing({ workRecord, task, lastText }: RunState, claim: ClaimReading): Report | undefined {
  if (claim.admitsLimits) return undefined
  const named = workRecord.failingTests.find(
    ({ name, times }) => times >= failsInARow && [task, lastText].some((text) => names(text, name)),
  )
  if (named === undefined) return undefined
  const { name, times } = named
  return {
    key: `still-failing:${name}`,
    message: `${name} is named, and has failed in each of its last ${times} runs`,
    advice: `The test ${name} has failed in each of its last ${times} runs. Make it pass, or say plainly that it fails.`,
  }
}

/** Short names are words like any others. */
const shortestName = 8

function names(text: string, test: string): boolean {
  const last =
    test
      .split(/::|\s›\s|\s>\s/)
      .at(-1)
      ?.replace(/[[(].*$/s, '')
      .trim() ?? ''
  return last.length >= shortestName && text.includes(last)
}

function stillRunning({ workRecord: { openRuns } }: RunState): Report | undefined {
  const [id] = openRuns
  if (id === undefined) return undefined
  return {
    key: `still-running:${id}`,
    message: `tests that were started (${id}) had not ended when they were last looked at`,
    advice: `The tests that you started (${id}) had not ended when you last looked. Wait for their end, and say what came of them.`,
  }
}

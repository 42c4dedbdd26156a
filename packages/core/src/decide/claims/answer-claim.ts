/** A claim that would end the run with the drive's word alone: looked at once, and not accepted where something contradicts it. */
import { contradictionRule } from '../../events/index.ts'
import { findingKey, lastEditOf, type RunState } from '../../state/index.ts'
import type { Decision } from '../decision.ts'
import { continueTransition } from '../stops/index.ts'
import { contradictionsOf, maxBlockedClaims, type Contradiction } from './contradictions.ts'
import { readClaim } from './read-claim.ts'

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

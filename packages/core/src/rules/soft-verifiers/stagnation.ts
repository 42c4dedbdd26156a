/** Progress is measured against the best so far, so going up and down is none. */
import type { Finding } from '../../events/index.ts'
import type { RunState, Rule } from '../../state/index.ts'
import type { StagnationSettings } from '../../events/settings/index.ts'
import type { VerificationRecord } from '../../state/activity/index.ts'

/** Factor on the patience if new failures appear. */
const patienceWithNewFailures = 2
const maxNamed = 10

export const stagnation: Rule = (state) => {
  const detection = detectionOf(state)
  if (detection === undefined) return undefined
  const { newest, settings, level } = detection
  const body = { rule: 'stagnation', message: messageOf(newest), ...restOf(state, detection) }
  const finding: Finding =
    level === 'stop'
      ? { ...body, level, key: keyOf(newest), stop: { reason: 'stagnated' } }
      : { ...body, level, key: keyOf(newest), advice: adviceOf(newest, settings) }
  return settings.mode === 'shadow' ? inShadow(finding) : finding
}

/** Records what a rule in shadow mode would have done. */
export function inShadow(finding: Finding | undefined): Finding | undefined {
  if (finding === undefined || finding.level === 'note') return undefined
  const { rule, level, key = '', message, numbers, basedOn } = finding
  const would = level === 'stop' ? 'would end the run' : 'would warn'
  return {
    rule: `shadow:${rule}`,
    level: 'note',
    key: `${level}:${key}`,
    message: `${would}: ${message}`,
    numbers,
    basedOn,
  }
}

interface StagnationDetection {
  readonly newest: VerificationRecord
  readonly settings: StagnationSettings
  readonly level: 'warn' | 'stop'
}

/** Undefined unless a verification just completed with something open. */
function detectionOf(state: RunState): StagnationDetection | undefined {
  const settings = state.settings.soft?.stagnation
  const { phase, turnOpen, activity } = state
  if (settings === undefined || settings.mode === 'off' || phase.kind !== 'judging' || !turnOpen)
    return undefined
  const newest = activity.verifications.at(-1)
  if (phase.verifiedBy === undefined || newest === undefined) return undefined
  const level = stagnationLevel(activity.verifications, settings)
  return level === undefined ? undefined : { newest, settings, level }
}

/** Undefined if nothing is open or the patience lasts. */
export function stagnationLevel(
  verifications: readonly VerificationRecord[],
  settings: StagnationSettings,
): 'warn' | 'stop' | undefined {
  const newest = verifications.at(-1)
  if (newest === undefined || newest.failing === '') return undefined
  const { patienceVerifications: patience } = settings
  const tries = triesOf(newest, settings)
  const isOver =
    tries >= patience * patienceWithNewFailures || (tries >= patience && wasSeen(newest, verifications))
  if (isOver) return 'stop'
  return tries >= Math.ceil(patience / 2) ? 'warn' : undefined
}

/** Claimed verifications; others count less. */
function triesOf(
  { sinceBest, claimsSinceBest }: VerificationRecord,
  { changesPerClaim }: StagnationSettings,
) {
  return claimsSinceBest + Math.floor((sinceBest - claimsSinceBest) / changesPerClaim)
}

/** Whether the same failures occurred before. Two verifications of one tree count as one. */
function wasSeen(newest: VerificationRecord, verifications: readonly VerificationRecord[]): boolean {
  const before = verifications.findLastIndex(({ sinceBest }) => sinceBest !== newest.sinceBest)
  return verifications.slice(0, before + 1).some(({ failing }) => failing === newest.failing)
}

function restOf({ activity }: RunState, { newest, settings }: StagnationDetection) {
  const { score, best, sinceBest, bestTurn } = newest
  const patience = settings.patienceVerifications
  return {
    numbers: { score, best, sinceBest, bestTurn, patience },
    basedOn: activity.verifications.slice(-Math.min(maxNamed, sinceBest + 1)).map(({ sequence }) => sequence),
  }
}

/** A new best starts a new stretch, reported again. */
function keyOf({ bestTurn }: VerificationRecord): string {
  return String(bestTurn)
}

function messageOf({ sinceBest, best, bestTurn, score }: VerificationRecord): string {
  return `${sinceBest} verifications in a row were no better than ${share(best)} ${afterTurn(bestTurn)} (now ${share(score)})`
}

function adviceOf(
  { sinceBest, best, bestTurn, score, checks }: VerificationRecord,
  settings: StagnationSettings,
): string {
  const turnsWords = `The last ${sinceBest} verifications were no better than the best so far, which was ${share(best)} of the checks and tests ${afterTurn(bestTurn)}; now it is ${share(score)}.`
  const back =
    score < best
      ? 'Go back to what you had then, and take another way from there.'
      : 'More of the same does not help: find out why, and take another way.'
  return `${turnsWords} Still open: ${checks.join(', ')}. ${back} After ${settings.patienceVerifications} such tries without progress the run ends.`
}

function afterTurn(turn: number): string {
  return turn === 0 ? 'before the first turn' : `after turn ${turn}`
}

/** Rounded down, so that an open check never shows 100%. */
function share(score: number): string {
  return `${Math.floor(score * 100)} %`
}

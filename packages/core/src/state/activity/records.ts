import { chants, maskVolatile, textHash } from './texts.ts'
import type { StagnationSettings, VerifierDescription } from '../../events/settings/index.ts'
import type { Verdict } from '../../events/verdicts/index.ts'

export interface ReplyFact {
  /** Of the event; 0 for a reply from elsewhere. */
  readonly sequence: number
  readonly turn: number
  /** Equal for texts that differ only in case, spaces, times and a leading or trailing count. */
  readonly text: string
  readonly chants: boolean
  readonly characters: number
  readonly calls: number
  readonly claimed: boolean
}

export interface ReplyRecord extends ReplyFact {
  /** Replies of one generation saw the same work. */
  readonly generation: number
}

/** Longer texts are judged by their end. */
const maxTextLength = 8000
/** A count before or after the text, such as `3. I look` or `I look. (3)`, not the end of a sentence. */
const leadingCount = /^[\s(#]*\d{1,6}[.):]+\s+/
const trailingCount = /([.!?])\s+[(#]*\d{1,6}[.)]*$/

interface ModelReplyFacts {
  readonly text: string
  readonly calls: number
  readonly claimed: boolean
  /** Of its event; absent for a reply from elsewhere. */
  readonly sequence?: number
}

export function replyRecord(turn: number, reply: ModelReplyFacts): ReplyFact {
  const text = comparedText(reply.text)
  const { calls, claimed, sequence = 0 } = reply
  return {
    sequence,
    turn,
    text: text === '' ? '' : textHash(text),
    chants: chants(reply.text),
    characters: reply.text.length,
    calls,
    claimed,
  }
}

function comparedText(text: string): string {
  const flat = maskVolatile(text.slice(-maxTextLength), false).toLowerCase().replace(/\s+/g, ' ')
  return flat.replace(leadingCount, '').replace(trailingCount, '$1')
}

export interface VerificationRecord {
  readonly sequence: number
  readonly turn: number
  /** Weighted ratio of passed required checks, 0 to 1; test counts stand for their check. */
  readonly score: number
  /** The best score so far that beat the previous best by more than the epsilon. */
  readonly best: number
  /** The turn of the best, or of the latest verification with nothing open. */
  readonly bestTurn: number
  readonly isBest: boolean
  /** Consecutive verifications without a new best; one tree counts once. */
  readonly sinceBest: number
  readonly claimsSinceBest: number
  /** Equal for equal sets of failing checks and tests; empty if nothing failed. */
  readonly failing: string
  readonly checks: readonly string[]
  /** A check without test counts counts as one. */
  readonly failingTests: number
  /** Consecutive verifications with these failures; one tree counts once. */
  readonly repeats: number
  readonly claims: number
  /** The agent claimed done with this tree, now or just before. */
  readonly claimed: boolean
  /** Claims with this tree and these failures; all but the first came without work. */
  readonly idleClaims: number
  readonly tree: string | undefined
}

/** Characters at the end of an output that identify a failure. */
const comparedTail = 2000

/** The comparison with the baseline appears only from the second run on, so it is not part of the failure. */
const comparedWithBaseline =
  /,? ?\(?(?:all of them |\d+ of them )?on the (?:baseline|untouched) tree as well\)?/

interface CheckVerdicts {
  readonly latest: Verdict | undefined
  readonly baselineVerdict: Verdict | undefined
}

interface Verification {
  readonly sequence: number
  readonly turn: number
  readonly tree: string | undefined
  /** Only the checks changed anything since the latest complete verification. */
  readonly isUnchanged: boolean
  readonly claimed: boolean
  readonly settings: {
    readonly soft: { readonly stagnation: Pick<StagnationSettings, 'epsilonScore'> } | null
    readonly verifiers: readonly Pick<VerifierDescription, 'name' | 'weight' | 'required' | 'role'>[]
  }
  readonly checks: Readonly<Record<string, CheckVerdicts>>
}

export function verificationRecord(
  now: Verification,
  earlier: readonly VerificationRecord[],
): VerificationRecord {
  const open = requiredChecks(now).filter(({ verdict }) => isOpen(verdict))
  const score = scoreOf(now)
  const before = earlier.at(-1)
  const failing = open.length === 0 ? '' : textHash(open.map(({ verdict }) => failureOf(verdict)).join('\n'))
  return {
    sequence: now.sequence,
    turn: now.turn,
    score,
    ...comparedRecord(now, score, open.length, before),
    failing,
    checks: open.map(({ verdict }) => verdict.verifier),
    failingTests: open.reduce((sum, { verdict }) => sum + failingTests(verdict), 0),
    ...repetition(now, before?.failing === failing && failing !== '' ? before : undefined),
    idleClaims: idleClaims(now, failing, before),
    tree: now.tree,
  }
}

/**
 * Compares the score with the best so far, starting at 0 without a baseline. With nothing open there is no
 * stagnation. Repeated verifications of one tree count once: they are repeated claims, pending or flaky
 * checks.
 */
function comparedRecord(
  now: Verification,
  score: number,
  openChecks: number,
  before: VerificationRecord | undefined,
): Pick<VerificationRecord, 'best' | 'bestTurn' | 'isBest' | 'sinceBest' | 'claimsSinceBest'> {
  const { turn, settings, tree } = now
  const none = { sinceBest: 0, claimsSinceBest: 0 }
  if (before === undefined && turn === 0) return { best: score, bestTurn: 0, isBest: true, ...none }
  const { best, bestTurn, sinceBest, claimsSinceBest } = before ?? { best: 0, bestTurn: 0, ...none }
  const isBest = score > best + (settings.soft?.stagnation.epsilonScore ?? 0)
  if (isBest) return { best: score, bestTurn: turn, isBest, ...none }
  // The best does not creep up with small steps, so several together can exceed the epsilon.
  if (openChecks === 0) return { best, bestTurn: turn, isBest, ...none }
  const isCounted = now.isUnchanged || (tree !== undefined && before?.tree === tree)
  // A tree that is claimed only later becomes a claim.
  const isLateClaim = isCounted && now.claimed && before?.claimed === false
  const isTry = isCounted ? isLateClaim : now.claimed
  const claims = isTry ? claimsSinceBest + 1 : claimsSinceBest
  return { best, bestTurn, isBest, sinceBest: isCounted ? sinceBest : sinceBest + 1, claimsSinceBest: claims }
}

/** @param before the previous verification, if it had the same failures */
function repetition(
  { tree, claimed }: Verification,
  before: VerificationRecord | undefined,
): Pick<VerificationRecord, 'repeats' | 'claims' | 'claimed'> {
  if (before === undefined) return { repeats: 1, claims: claimed ? 1 : 0, claimed }
  // Without a tree it is unknown whether something was done.
  const isSameTree = tree !== undefined && before.tree === tree
  const wasClaimed = isSameTree && before.claimed
  return {
    repeats: before.repeats + (isSameTree ? 0 : 1),
    claims: before.claims + (claimed && !wasClaimed ? 1 : 0),
    claimed: claimed || wasClaimed,
  }
}

/** One tree means that nothing was done, even if the failure text varies. */
function idleClaims(
  { tree, claimed }: Verification,
  failing: string,
  before: VerificationRecord | undefined,
): number {
  const isSameTree = tree !== undefined && before?.tree === tree && before.failing !== '' && failing !== ''
  return (isSameTree ? before.idleClaims : 0) + (claimed ? 1 : 0)
}

function requiredChecks({ settings, checks }: Verification) {
  return settings.verifiers.flatMap(({ name, weight, required: decides, role }) => {
    const { latest: verdict, baselineVerdict: atFirst } = checks[name] ?? {}
    return decides && role === 'check' && verdict !== undefined ? [{ weight, verdict, atFirst }] : []
  })
}

function isOpen({ status }: Verdict): boolean {
  return status === 'failed' || status === 'error'
}

function scoreOf(now: Verification): number {
  const asked = requiredChecks(now).filter(({ verdict }) => verdict.status !== 'skipped')
  const weights = asked.reduce((sum, { weight }) => sum + weight, 0)
  const passed = asked.reduce(
    (sum, { weight, verdict, atFirst }) => sum + weight * passedShare(verdict, atFirst),
    0,
  )
  return weights === 0 ? 0 : passed / weights
}

/**
 * 1 for a pass, else the ratio of passed tests, else the verdict's score.
 * @param atFirst the baseline verdict: tests that ran then and do not run now count as failed
 */
function passedShare(verdict: Verdict, atFirst: Verdict | undefined): number {
  if (verdict.status === 'passed') return 1
  const now = testsOf(verdict)
  if (now === undefined) return clamp(verdict.score ?? 0)
  const executed = Math.max(now.executed, atFirst === undefined ? 0 : (testsOf(atFirst)?.executed ?? 0))
  // All tests passed but the check did not, so the score stays below 1.
  return executed === 0 ? 0 : Math.min(now.passed / executed, 1 - 1 / (executed + 1))
}

/** Sums over all reports of one verdict; undefined without counts. */
function testsOf({ evidence }: Verdict): { readonly passed: number; readonly executed: number } | undefined {
  const reports = evidence.flatMap((piece) => (piece.kind === 'tests' ? [piece.counts] : []))
  if (reports.length === 0) return undefined
  const passed = reports.reduce((sum, counts) => sum + counts.passed, 0)
  const open = reports.reduce((sum, counts) => sum + counts.failed + counts.errored, 0)
  return { passed, executed: passed + open }
}

function failingTests(verdict: Verdict): number {
  const { passed, executed } = testsOf(verdict) ?? { passed: 0, executed: 1 }
  return Math.max(1, executed - passed)
}

/** A check that did not pass never scores 1. */
const mostWithoutPass = 0.999

function clamp(score: number): number {
  return Math.min(mostWithoutPass, Math.max(0, score))
}

/** The failing tests by name if known, otherwise the masked output. */
function failureOf(verdict: Verdict): string {
  const tests = verdict.evidence.find((piece) => piece.kind === 'tests')
  if (tests !== undefined && tests.failed.length > 0)
    return [verdict.verifier, ...tests.failed.map(({ file, name }) => `${file ?? ''} ${name}`).sort()].join(
      '\n',
    )
  const outputs = verdict.evidence.flatMap((piece) =>
    piece.kind === 'command' ? [piece.output.tail === '' ? piece.output.head : piece.output.tail] : [],
  )
  const said = [
    verdict.reason.replace(comparedWithBaseline, ''),
    ...outputs.map((output) => output.slice(-comparedTail)),
  ].join('\n')
  return `${verdict.verifier}\n${maskVolatile(said, true)}`
}

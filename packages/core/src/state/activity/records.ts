/** What is kept of replies and of complete verifications. */
import { chants, maskVolatile, textHash } from './texts.ts'
import type { StagnationSettings, VerifierDescription } from '../../events/settings/index.ts'
import type { Verdict } from '../../events/verdicts/index.ts'

/** What is kept of a reply of the drive: enough to see that it says the same again. */
export interface ReplyFact {
  /** Of the event; 0 for a reply that comes from elsewhere. */
  readonly sequence: number
  /** As that of its calls. */
  readonly turn: number
  /** Equal for texts that differ in nothing but case, spaces, times and a count around them; empty for an empty text. */
  readonly text: string
  /** It says one passage over and over. */
  readonly chants: boolean
  readonly characters: number
  /** Calls that it asked for. */
  readonly calls: number
  readonly claimed: boolean
}

export interface ReplyRecord extends ReplyFact {
  /** Progress made before it: between replies of one generation the work did not become new. */
  readonly generation: number
}

/** Longer texts are judged by their end: what a drive that chants says last. */
const maxTextLength = 8000
/** A count that stands before or after what is said, as in `3. I look`, `I look. (3)`; one that ends a sentence is part of it. */
const leadingCount = /^[\s(#]*\d{1,6}[.):]+\s+/
const trailingCount = /([.!?])\s+[(#]*\d{1,6}[.)]*$/

/** A reply as it was told. */
interface ModelReplyFacts {
  readonly text: string
  /** Calls that it asked for. */
  readonly calls: number
  readonly claimed: boolean
  /** Of its event. Absent: it comes from elsewhere. */
  readonly sequence?: number
}

/** What is kept of a reply. Linear in the length of its text. */
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

/** What is kept of a complete verification: how good it was, and what was open. */
export interface VerificationRecord {
  readonly sequence: number
  readonly turn: number
  /** Share of the required checks that passed, weighted; where tests were counted, their share stands for the check. 0 to 1. */
  readonly score: number
  /** Best score so far: one that exceeded the best before it by more than the epsilon of the run. */
  readonly best: number
  /** The turn of it, or of the latest verification at which nothing was open. */
  readonly bestTurn: number
  /** It is better than all before it, by more than the epsilon of the run. */
  readonly isBest: boolean
  /** Verifications in a row, up to this one, that were no better than the best before them; several of one tree are one. */
  readonly sinceBest: number
  /** Those of them at which the drive had said that it was done. */
  readonly claimsSinceBest: number
  /** Equal for equal sets of failing checks and tests; empty: nothing failed. */
  readonly failing: string
  /** Names of failing checks. */
  readonly checks: readonly string[]
  /** Of those checks; one that counts no tests is one. */
  readonly failingTests: number
  /** Verifications in a row, up to this one, with these very failures; several of one tree are one. */
  readonly repeats: number
  /** Those of them at which the drive had said that it was done. */
  readonly claims: number
  /** The drive has said that it was done with this tree, at this verification or just before. */
  readonly claimed: boolean
  /** Claims to be done with this tree and these failures: all but the first came without any work. */
  readonly idleClaims: number
  readonly tree: string | undefined
}

/** Characters of an output's end that tell one failure from another. */
const comparedTail = 2000

/** How a failure compares with the baseline tree is said from the second asking on: it is no part of the failure. */
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
  /** Nothing was changed since the latest complete verification but by the checks themselves. */
  readonly isUnchanged: boolean
  /** The drive said that it was done. */
  readonly claimed: boolean
  readonly settings: {
    readonly soft: { readonly stagnation: Pick<StagnationSettings, 'epsilonScore'> } | null
    readonly verifiers: readonly Pick<VerifierDescription, 'name' | 'weight' | 'required' | 'role'>[]
  }
  readonly checks: Readonly<Record<string, CheckVerdicts>>
}

/** What is kept of a verification that has just been completed, seen against those before it. */
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
 * The score against the best so far. Where the tree was not looked at before the first turn, the run begins at 0. While
 * nothing is open nobody stagnates: a green work tree leaves nothing to be better at. A verification of a tree that was
 * verified just before counts once: it tells of a claim that is made again, a check that is waited for or is flaky, and
 * not of work that leads nowhere.
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
  // Small steps that add up to more than the epsilon are better in the end, so the best does not creep up with them.
  if (openChecks === 0) return { best, bestTurn: turn, isBest, ...none }
  const isCounted = now.isUnchanged || (tree !== undefined && before?.tree === tree)
  // A tree that was counted as work in hand, and is called done only then, is a claim after all.
  const isLateClaim = isCounted && now.claimed && before?.claimed === false
  const isTry = isCounted ? isLateClaim : now.claimed
  const claims = isTry ? claimsSinceBest + 1 : claimsSinceBest
  return { best, bestTurn, isBest, sinceBest: isCounted ? sinceBest : sinceBest + 1, claimsSinceBest: claims }
}

/** @param before the verification before this one, where it had the same failures */
function repetition(
  { tree, claimed }: Verification,
  before: VerificationRecord | undefined,
): Pick<VerificationRecord, 'repeats' | 'claims' | 'claimed'> {
  if (before === undefined) return { repeats: 1, claims: claimed ? 1 : 0, claimed }
  // Where there is no tree, nobody can say that nothing was done.
  const isSameTree = tree !== undefined && before.tree === tree
  const wasClaimed = isSameTree && before.claimed
  return {
    repeats: before.repeats + (isSameTree ? 0 : 1),
    claims: before.claims + (claimed && !wasClaimed ? 1 : 0),
    claimed: claimed || wasClaimed,
  }
}

/** On one tree nothing was done, whatever a check says there: one that fails in ever other words fails all the same. */
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

/** The weighted share of what passed; 0 where nothing could be asked. */
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
 * 1 for a pass; otherwise the share of passed tests, where they were counted; otherwise the verdict's own score.
 * @param atFirst what it said on the baseline tree: tests that ran then and do not run now have not passed
 */
function passedShare(verdict: Verdict, atFirst: Verdict | undefined): number {
  if (verdict.status === 'passed') return 1
  const now = testsOf(verdict)
  if (now === undefined) return clamp(verdict.score ?? 0)
  const executed = Math.max(now.executed, atFirst === undefined ? 0 : (testsOf(atFirst)?.executed ?? 0))
  // All tests green and yet not passed is not whole.
  return executed === 0 ? 0 : Math.min(now.passed / executed, 1 - 1 / (executed + 1))
}

/** Sums over all reports of one verdict. Undefined: nothing was counted. */
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

/** A check that did not pass may say that it is as good as whole; it is not. */
const mostWithoutPass = 0.999

function clamp(score: number): number {
  return Math.min(mostWithoutPass, Math.max(0, score))
}

/** The failing tests by name, where they are known; otherwise what was said, volatile parts masked. */
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

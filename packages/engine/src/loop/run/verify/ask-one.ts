import type { Verdict } from '@donecheck/core/internal/events/verdicts'
import {
  undecidedResult,
  type CheckOnTree,
  type DecidedReport,
  type DecidingRun,
  type Verifier,
  type VerifierContext,
  type VerifierResult,
} from '../../../ports/checks.ts'
import { given, messageOf } from '../../../base/index.ts'
import type { LiveRun } from '../session/session.ts'
import { waiverOf, type CheckWaiver } from '../session/world.ts'
import { askUntilSettled } from './ask-again.ts'
import { believe } from './believe.ts'
import {
  type CheckedTree,
  type Asked,
  type Question,
  type Round,
  askForReport,
  contextOfRun,
  leftOutReport,
} from './trees.ts'
import { hasSameInputs, recallVerdict, verdictKey } from './verdict-key.ts'

/** A report for a check that did not run now, or of the guard. */
export function answerOf(verifier: string, report: VerifierResult, { state }: LiveRun): Asked {
  const { attachments = [], ...said } = report
  const verdict = { ...said, verifier, durationMs: 0, ...given({ fingerprint: state.workspace.current }) }
  return { verdict, attachments, key: undefined }
}

const noRetry = { infrastructure: 0, failure: 0 } as const

/** Returns a waived or stored verdict, or runs the check, with retries. Never rejects. */
export async function askOne(verifier: Verifier, round: Round, signal: AbortSignal): Promise<Asked> {
  const { session, world } = round
  const { name } = verifier.description
  const { waivers } = world.checking
  const startedMs = world.clock.nowMs()
  const waiver = waiverOf(name, waivers, startedMs)
  if (waiver !== undefined)
    return { ...verdictFrom(verifier, waivedReport(waiver), round, startedMs), key: undefined }
  const tree = treeOf(verifier, round)
  let openQuestion: string | undefined
  const putOff = (question: string) => (openQuestion = question)
  const context = { ...contextOf(verifier, round, tree), ...(world.suspend === undefined ? {} : { putOff }) }
  const problem = await problemOfReadiness(verifier, context)
  if (problem !== undefined)
    return { ...verdictFrom(verifier, undecidedResult(problem), round, startedMs), key: undefined }
  const { ignored } = round
  const key = verdictKey({ verifier, context, tree, ignored })
  const remembered = key === undefined ? undefined : await recallVerdict(key, world)
  if (remembered !== undefined && mayStandFor(remembered, round))
    return { verdict: asCached(remembered, round), attachments: [], key: undefined }
  const isSame = hasSameInputs(verifier, session)
  const earlier: Earlier = (kind) => (isSame ? earlierOf(verifier, session, kind) : undefined)
  const question = { verifier, context, round, signal }
  const { report, tree: kind } = await answerOn(question, earlier)
  const belief = await believe(report, question)
  const said = asShadow(belief.report, verifier)
  const waits = openQuestion === undefined || said.status !== 'pending' ? {} : { openQuestion }
  return {
    ...verdictFrom(verifier, said, round, startedMs, kind),
    key: belief.isOpen === true ? undefined : key,
    ...waits,
  }
}

type Earlier = (kind: CheckedTree['kind']) => ReturnType<typeof earlierOf>

function settle(question: Question, earlier?: ReturnType<typeof earlierOf>): Promise<VerifierResult> {
  const { verifier, context, round, signal } = question
  const { checking, clock } = round.world
  const { description, retry = noRetry } = verifier
  const ask = (isRepeated: boolean) =>
    askForReport(() => verifier.verify({ ...context, isRepeated }, signal), context.trigger, signal)
  const earlierOfSame = () => (verifier.hasReadRun?.() === true ? undefined : earlier)
  return askUntilSettled({
    name: description.name,
    ask,
    retry,
    earlier: earlierOfSame,
    ...doubtsOf(question),
    checking,
    clock,
    signal,
  })
}

/** Only deterministic checks of the working tree can pass by chance. */
function doubtsOf({ verifier: { description }, context, round: { session, tree } }: Question) {
  const { name, deterministic, reads } = description
  const isDelivered = context.workFolder === tree.folder || context.cleanRoom !== undefined
  if (!deterministic || reads !== 'workspace' || !isDelivered) return {}
  const latest = session.state.checks[name]
  const isOther = latest?.latest?.fingerprint !== session.state.workspace.current
  return { redBefore: isOther ? (latest?.failureStreak ?? 0) : 0, mayVary: tree.mayVary === true }
}

async function answerOn(question: Question, earlier: Earlier): Promise<DecidedReport> {
  const { verifier, round } = question
  const { tree, trigger } = round
  const { deciding } = tree
  const kind = treeOf(verifier, round).kind
  const mayDecide = deciding !== undefined && isDecidedElsewhere(verifier, trigger)
  if (mayDecide && deciding.isFirst) return decideBy(deciding, undefined, question, earlier)
  const inPlace = await settle(question, earlier(kind))
  const isOpen = mayDecide && (trigger === 'baseline' || inPlace.status === 'passed')
  return isOpen ? decideBy(deciding, inPlace, question, earlier) : { report: inPlace, tree: kind }
}

/** A probe uses its own trees, and delivery checks have seen the tree. */
function isDecidedElsewhere({ description, looksAt }: Verifier, trigger: Round['trigger']): boolean {
  if (description.reads !== 'workspace' || looksAt === 'work-folder') return false
  return description.role !== 'probe' || trigger === 'held-out'
}

async function decideBy(
  deciding: DecidingRun,
  inPlace: VerifierResult | undefined,
  question: Question,
  earlier: Earlier,
): Promise<DecidedReport> {
  const { verifier, context, round, signal } = question
  const { name } = verifier.description
  const isTrusted = round.world.checking.trusted.some((trust) => trust.check === name)
  const check: CheckOnTree = {
    name,
    definition: JSON.stringify(verifier.inputs?.definition ?? null),
    runsPrograms: runsPrograms(verifier),
    countsTests:
      context.baseline?.evidence.some((piece) => piece.kind === 'tests' && piece.counts.total > 0) === true,
    isInsistedOn: isInsistedOn(name, round.session),
    wasRed: context.baseline?.status === 'failed' && !isTrusted,
    ask: ({ folder, mayBeGone, cleanRoom }, within) => {
      const there = { ...context, workFolder: folder, mayBeGone, ...given({ cleanRoom }) }
      const isDelivered = folder === round.tree.folder
      const place = cleanRoom !== undefined ? 'clean-room' : isDelivered ? round.tree.kind : undefined
      const before = place === undefined ? undefined : earlier(place)
      return settle({ ...question, context: there, signal: within }, before)
    },
  }
  let tree: DecidedReport['tree'] = 'clean-room'
  const ask = async () => {
    const decided = await deciding.decide(inPlace, check, signal)
    tree = decided.tree
    return decided.report
  }
  const report = await askForReport(ask, round.trigger, signal)
  return { report, tree }
}

/** Also true for commands that check for absence. */
function runsPrograms(verifier: Verifier): boolean {
  const definition = verifier.inputs?.definition
  const hasLine = typeof definition === 'object' && definition !== null && 'line' in definition
  return hasLine || verifier.doubt?.() !== undefined
}

/** After this many failures in a row the agent may see something else than we do. */
const redsBeforeDoubt = 3

/** Whether the agent claims a failed tree again, or repeats its claim. */
function isInsistedOn(name: string, { state }: LiveRun): boolean {
  const { latest, failureStreak } = state.checks[name] ?? {}
  // A failure before the first turn is no claim, and leaves the streak at zero.
  if (latest?.status !== 'failed' || failureStreak === undefined || failureStreak === 0) return false
  return latest.fingerprint === state.workspace.current || failureStreak % redsBeforeDoubt === 0
}

async function problemOfReadiness(verifier: Verifier, context: VerifierContext): Promise<string | undefined> {
  try {
    await verifier.ready?.(context)
    return undefined
  } catch (error) {
    return `the verifier could not get ready: ${messageOf(error)}`
  }
}

/** After a claim the agent may have fixed something outside the fingerprint, so failures are not reused. */
function mayStandFor({ status }: Verdict, { trigger }: Round): boolean {
  return status === 'passed' || trigger === 'turn' || trigger === 'change'
}

function asShadow(report: VerifierResult, { description }: Verifier): VerifierResult {
  if (description.required || report.qualifiers.includes('shadow')) return report
  return { ...report, qualifiers: [...report.qualifiers, 'shadow'] }
}

/** The working tree is the work folder; the compared one may be a copy of a revision. */
function treeOf({ looksAt }: Verifier, { session, tree, trigger }: Round): CheckedTree {
  if (looksAt !== 'work-folder' || trigger === 'baseline') return tree
  return { ...tree, folder: session.state.workFolder, kind: 'work-folder', variant: 'work-folder' }
}

function contextOf(
  { description: { name, role } }: Verifier,
  { trigger, session, world }: Round,
  tree: CheckedTree,
): VerifierContext {
  const { state } = session
  const history = world.history().flatMap((event) => {
    return event.type === 'verdict-given' && event.verdict.verifier === name ? [event.verdict] : []
  })
  return {
    ...contextOfRun(session, world, history),
    workFolder: tree.folder,
    finalText: state.lastText,
    trigger,
    baseline: state.checks[name]?.baselineVerdict,
    mayBeGone: tree.mayBeGone,
    ...(role === 'held-out' ? {} : { onOutput: (piece) => world.onOutput(name, piece) }),
  }
}

function verdictFrom(
  verifier: Verifier,
  report: VerifierResult,
  round: Round,
  startedMs: number,
  tree: Verdict['tree'] | 'work-folder' = 'work-folder',
) {
  const { attachments = [], ...said } = report
  const durationMs = Math.max(0, round.world.clock.nowMs() - startedMs)
  const verdict: Verdict = {
    ...said,
    verifier: verifier.description.name,
    durationMs,
    ...fingerprintOf(round),
    ...(tree === 'work-folder' ? {} : { tree }),
  }
  return { verdict, attachments }
}

/** A compared copy may be of another revision. */
function fingerprintOf({ session, trigger, tree }: Round): { readonly fingerprint?: string } {
  const fingerprint = session.state.workspace.current
  const isOther = trigger === 'baseline' && tree.kind !== 'work-folder'
  return fingerprint === undefined || isOther ? {} : { fingerprint }
}

function waivedReport({ check: name, by, until, reason }: CheckWaiver): VerifierResult {
  return { ...leftOutReport(`${name} is waived by ${by} until ${until}: ${reason}`), qualifiers: ['waived'] }
}

function asCached(verdict: Verdict, round: Round): Verdict {
  const reason = `${verdict.reason} (cached: nothing that it depends on has changed)`
  const qualifiers = [...verdict.qualifiers.filter((one) => one !== 'cached'), 'cached' as const]
  return { ...verdict, reason, qualifiers, durationMs: 0, ...fingerprintOf(round) }
}

/** Earlier result on the same tree; only deterministic checks can contradict themselves. */
function earlierOf(
  { description }: Verifier,
  { state }: LiveRun,
  place: CheckedTree['kind'],
): 'passed' | 'failed' | 'flaky' | undefined {
  const { name, deterministic, reads } = description
  const fingerprint = state.workspace.current
  if (!deterministic || reads !== 'workspace' || fingerprint === undefined) return undefined
  const check = state.checks[name]
  const said = [check?.latest, check?.baselineVerdict].find(
    (verdict) =>
      verdict?.fingerprint === fingerprint &&
      isOfTree(verdict, place) &&
      (verdict.status === 'passed' || verdict.status === 'failed' || verdict.qualifiers.includes('flaky')),
  )
  if (said?.qualifiers.includes('flaky') === true && said.status !== 'passed') return 'flaky'
  return said?.status === 'passed' || said?.status === 'failed' ? said.status : undefined
}

/** A failure in the restored tree alone does not concern the working tree. */
function isOfTree({ tree: kind, qualifiers }: Verdict, place: CheckedTree['kind']): boolean {
  return kind === 'both-trees' ? !qualifiers.includes('tampered') : (kind ?? 'work-folder') === place
}

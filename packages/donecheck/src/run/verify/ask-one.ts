import type { Verdict, VerificationTrigger } from '../../events/index.ts'
import type { Attachment, Verifier, VerifierContext, VerifierReport } from '../../ports.ts'
import type { Session } from '../session.ts'
import type { World } from '../world.ts'
import { askUntilSettled } from './ask-again.ts'
import { waiverOf } from './checking.ts'
import type { CheckedTree } from './guarded-tree.ts'
import { reportOf } from './report-of.ts'
import { hasSameInputs } from './same-inputs.ts'
import { leftOut, undecided } from './undecided.ts'
import { verdictKey } from './verdict-key.ts'

export interface Round {
  readonly trigger: VerificationTrigger
  readonly session: Session
  readonly world: World
  readonly tree: CheckedTree
  /** See `ignoredEpoch`. */
  readonly ignored: string
}

export interface Asked {
  readonly verdict: Verdict
  readonly attachments: readonly Attachment[]
  /** Under which this verdict may be taken again, once it is known that the tree stood still. */
  readonly key: string | undefined
}

const noRetry = { infrastructure: 0, failure: 0 } as const

/** What this verifier says: waived, remembered, or asked as often as it takes. Never rejects. */
export async function askOne(verifier: Verifier, round: Round, signal: AbortSignal): Promise<Asked> {
  const { session, world } = round
  const { name } = verifier.description
  const { verdicts, waivers, cache } = world.checking
  const startedMs = world.clock.nowMs()
  const waived = waivedReport(name, waivers, startedMs)
  if (waived !== undefined) return { ...asked(verifier, waived, round, startedMs), key: undefined }
  const tree = treeOf(verifier, round)
  const context = contextOf(verifier, round, tree)
  const problem = await problemOfReadiness(verifier, context)
  if (problem !== undefined)
    return { ...asked(verifier, undecided(problem), round, startedMs), key: undefined }
  const { ignored } = round
  const keyOf = () =>
    verdictKey({ verifier, context, tree, workspace: world.workspace, cache, ignored, signal })
  const key = await keyOf()
  const remembered = key === undefined ? undefined : await recall(key, verdicts)
  if (remembered !== undefined && mayStandFor(remembered, round))
    return { verdict: asCached(remembered, round), attachments: [], key: undefined }
  const report = await askUntilSettled({
    name,
    ask: () => reportOf(() => verifier.verify(context, signal), signal),
    retry: verifier.retry ?? noRetry,
    earlier: hasSameInputs(verifier, session) ? earlierOf(verifier, session, tree) : undefined,
    checking: world.checking,
    clock: world.clock,
    signal,
  })
  const said = asShadow(inRestoredTree(report, tree, verifier), verifier)
  // What it declares to depend on may have been written while it ran.
  const isSteady = key !== undefined && (await keyOf()) === key
  return { ...asked(verifier, said, round, startedMs, tree), key: isSteady ? key : undefined }
}

async function problemOfReadiness(verifier: Verifier, context: VerifierContext): Promise<string | undefined> {
  try {
    await verifier.ready?.(context)
    return undefined
  } catch (error) {
    return `the verifier could not get ready: ${error instanceof Error ? error.message : String(error)}`
  }
}

/** Whoever claims may have mended what no fingerprint knows: a failure is then looked at afresh. */
function mayStandFor({ status }: Verdict, { trigger }: Round): boolean {
  return status === 'passed' || trigger === 'turn' || trigger === 'change'
}

/** Run and recorded, without a vote. */
function asShadow(report: VerifierReport, { description }: Verifier): VerifierReport {
  if (description.required || report.qualifiers.includes('shadow')) return report
  return { ...report, qualifiers: [...report.qualifiers, 'shadow'] }
}

/** What is delivered is the work folder, with nothing put back; what it is compared with may be a copy of a revision. */
function treeOf({ looksAt }: Verifier, { session, tree, trigger }: Round): CheckedTree {
  if (looksAt !== 'work-folder' || trigger === 'baseline') return tree
  return { ...tree, folder: session.state.workFolder, kind: 'work-folder', variant: 'work-folder' }
}

function contextOf(
  { description }: Verifier,
  { trigger, session }: Round,
  tree: CheckedTree,
): VerifierContext {
  const { state, runId } = session
  return {
    runId,
    workFolder: tree.folder,
    projectFolder: state.workFolder,
    task: state.task,
    finalText: state.lastText,
    trigger,
    turn: state.turn,
    fingerprint: state.workspace.current,
    baseline: state.checks[description.name]?.baselineVerdict,
  }
}

function asked(
  verifier: Verifier,
  report: VerifierReport,
  round: Round,
  startedMs: number,
  tree?: CheckedTree,
) {
  const { attachments = [], ...said } = report
  const durationMs = Math.max(0, round.world.clock.nowMs() - startedMs)
  const verdict: Verdict = {
    ...said,
    verifier: verifier.description.name,
    durationMs,
    ...fingerprintOf(round),
    ...kindOf(tree),
  }
  return { verdict, attachments }
}

function kindOf(tree: CheckedTree | undefined): Pick<Verdict, 'tree'> {
  return tree === undefined || tree.kind === 'work-folder' ? {} : { tree: tree.kind }
}

/** A copy that is compared with may be of a revision, which is another tree than the work folder's. */
function fingerprintOf({ session, trigger, tree }: Round): { readonly fingerprint?: string } {
  const fingerprint = session.state.workspace.current
  const isOther = trigger === 'baseline' && tree.kind !== 'work-folder'
  return fingerprint === undefined || isOther ? {} : { fingerprint }
}

function waivedReport(
  name: string,
  waivers: World['checking']['waivers'],
  nowMs: number,
): VerifierReport | undefined {
  const waiver = waiverOf(name, waivers, nowMs)
  if (waiver === undefined) return undefined
  const { by, until, reason } = waiver
  return { ...leftOut(`${name} is waived by ${by} until ${until}: ${reason}`), qualifiers: ['waived'] }
}

/** A memory that cannot be read remembers nothing. */
async function recall(key: string, verdicts: World['checking']['verdicts']): Promise<Verdict | undefined> {
  try {
    return await verdicts?.recall(key)
  } catch {
    return undefined
  }
}

function asCached(verdict: Verdict, round: Round): Verdict {
  const reason = `${verdict.reason} (cached: nothing that it depends on has changed)`
  const qualifiers = [...verdict.qualifiers.filter((one) => one !== 'cached'), 'cached' as const]
  return { ...verdict, reason, qualifiers, durationMs: 0, ...fingerprintOf(round) }
}

/** What it said of the very same tree before. Only a deterministic check of the tree itself can contradict itself. */
function earlierOf(
  { description }: Verifier,
  { state }: Session,
  tree: CheckedTree,
): 'passed' | 'failed' | 'flaky' | undefined {
  const { name, deterministic, reads } = description
  const fingerprint = state.workspace.current
  if (!deterministic || reads !== 'workspace' || fingerprint === undefined) return undefined
  const check = state.checks[name]
  const said = [check?.latest, check?.baselineVerdict].find(
    (verdict) =>
      verdict?.fingerprint === fingerprint &&
      (verdict.tree ?? 'work-folder') === tree.kind &&
      (verdict.status === 'passed' || verdict.status === 'failed' || verdict.qualifiers.includes('flaky')),
  )
  if (said?.qualifiers.includes('flaky') === true && said.status !== 'passed') return 'flaky'
  return said?.status === 'passed' || said?.status === 'failed' ? said.status : undefined
}

/** A failure that shows only where the checks are as they were says so. */
function inRestoredTree(
  report: VerifierReport,
  { kind }: CheckedTree,
  { description }: Verifier,
): VerifierReport {
  // A probe plants its faults in trees of its own.
  if (kind !== 'restored-copy' || report.status !== 'failed' || description.role === 'probe') return report
  const reason = `${report.reason}; it was checked with the protected files as they were before the first turn`
  return { ...report, reason, qualifiers: [...report.qualifiers, 'tampered'] }
}

import type { Verdict, VerificationTrigger } from '../../events/index.ts'
import type { Attachment, Verifier, VerifierContext, VerifierReport } from '../../ports.ts'
import type { Session } from '../session.ts'
import type { World } from '../world.ts'
import { askUntilSettled } from './ask-again.ts'
import { waiverOf } from './checking.ts'
import type { CheckedTree } from './guarded-tree.ts'
import { reportOf } from './report-of.ts'
import { leftOut } from './undecided.ts'
import { verdictKey } from './verdict-key.ts'

export interface Round {
  readonly trigger: VerificationTrigger
  readonly session: Session
  readonly world: World
  readonly tree: CheckedTree
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
  const key = await verdictKey({ verifier, context, tree, workspace: world.workspace, cache, signal })
  const remembered = key === undefined ? undefined : await recall(key, verdicts)
  if (remembered !== undefined)
    return { verdict: asCached(remembered, round), attachments: [], key: undefined }
  const report = await askUntilSettled({
    name,
    ask: () => reportOf(() => verifier.verify(context, signal), signal),
    retry: verifier.retry ?? noRetry,
    earlier: earlierOf(verifier, session, tree),
    checking: world.checking,
    clock: world.clock,
    signal,
  })
  return { ...asked(verifier, inRestoredTree(report, tree), round, startedMs), key }
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
    task: state.task,
    finalText: state.lastText,
    trigger,
    turn: state.turn,
    fingerprint: state.workspace.current,
    baseline: state.checks[description.name]?.baselineVerdict,
  }
}

function asked(verifier: Verifier, report: VerifierReport, round: Round, startedMs: number) {
  const { attachments = [], ...said } = report
  const durationMs = Math.max(0, round.world.clock.nowMs() - startedMs)
  const verdict = { ...said, verifier: verifier.description.name, durationMs, ...fingerprintOf(round) }
  return { verdict, attachments }
}

function fingerprintOf({ session }: Round): { readonly fingerprint?: string } {
  const fingerprint = session.state.workspace.current
  return fingerprint === undefined ? {} : { fingerprint }
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
): 'passed' | 'failed' | undefined {
  const { name, deterministic, reads } = description
  const fingerprint = state.workspace.current
  if (!deterministic || reads !== 'workspace' || fingerprint === undefined) return undefined
  if (tree.kind !== 'work-folder') return undefined
  const check = state.checks[name]
  const said = [check?.latest, check?.baselineVerdict].find(
    (verdict) =>
      verdict?.fingerprint === fingerprint && (verdict.status === 'passed' || verdict.status === 'failed'),
  )
  return said?.status === 'passed' || said?.status === 'failed' ? said.status : undefined
}

/** A failure that shows only where the checks are as they were says so. */
function inRestoredTree(report: VerifierReport, { kind }: CheckedTree): VerifierReport {
  if (kind !== 'restored-copy' || report.status !== 'failed') return report
  const reason = `${report.reason}; it was checked with the protected files as they were before the first turn`
  return { ...report, reason, qualifiers: [...report.qualifiers, 'tampered'] }
}

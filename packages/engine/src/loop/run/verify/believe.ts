import type { PassDoubt, Verifier, VerifierContext, VerifierReport } from '../../../ports/checks.ts'
import type { Session } from '../session/session.ts'
import type { World } from '../session/world.ts'

interface Round {
  readonly session: Session
  readonly world: World
}

/**
 * Whether the pass of a check is worth anything. Evidence comes first: one that was seen red, in this run or in the record,
 * is able to fail. Of one in doubt that has passed for the first time a copy with faults in it is shown to it. What
 * nothing turns red proves nothing, unless somebody vouches for it by name.
 */
export async function believe(
  report: VerifierReport,
  verifier: Verifier,
  context: VerifierContext,
  round: Round,
  signal: AbortSignal,
): Promise<VerifierReport> {
  if (report.status !== 'passed') return report
  const doubt = passDoubtOf(verifier, context)
  if (doubt === undefined) return report
  const { name } = verifier.description
  const { trusted } = round.world.checking
  const trust = trusted.find(({ check }) => check === name)
  if (trust !== undefined)
    return withNote(report, `${trust.by} vouches for ${name}, although ${doubt.reason}`)
  if (doubt.kind === 'certain')
    return refusedReport(`${name} proves nothing, whatever it finds: ${doubt.reason}`, name, context)
  return (await wasSettled(name, round)) ? report : provoke(report, doubt, verifier, context, round, signal)
}

/** A verifier that cannot say has no doubt. */
function passDoubtOf(
  verifier: Verifier,
  context: Pick<VerifierContext, 'workFolder'>,
): PassDoubt | undefined {
  try {
    return context.workFolder === null ? undefined : verifier.doubt?.(context.workFolder)
  } catch {
    return undefined
  }
}

/** It was seen red; or it has passed in this run, where the doubt was settled before. */
async function wasSettled(name: string, { session, world }: Round): Promise<boolean> {
  const check = session.state.checks[name]
  const said = [check?.latest, check?.baselineVerdict].map((verdict) => verdict?.status)
  if (said.includes('failed') || said.includes('passed')) return true
  try {
    const yields = (await world.checking.verdicts?.yields()) ?? []
    return yields.some(({ verifier, failures }) => verifier === name && failures > 0)
  } catch {
    return false
  }
}

async function provoke(
  report: VerifierReport,
  { reason }: PassDoubt,
  verifier: Verifier,
  context: VerifierContext,
  { world }: Round,
  signal: AbortSignal,
): Promise<VerifierReport> {
  const { name } = verifier.description
  const tried: string[] = []
  try {
    const result = await world.checking.faults?.tryToFail(verifier, context, signal)
    if (result?.kind === 'red')
      return withNote(report, `${reason}; but it was seen to fail in a copy with ${result.fault}`)
    tried.push(...(result?.tried ?? []))
  } catch (error) {
    tried.push(error instanceof Error ? error.message : String(error))
  }
  const shown = tried.length === 0 ? '' : ` (in copies with ${tried.join(', with ')})`
  return refusedReport(
    `${name} was never seen to fail, and nothing could make it fail${shown}: ${reason}`,
    name,
    context,
  )
}

/** Before the first turn nobody has been paid, and no turn would change it. */
function refusedReport(reason: string, name: string, { trigger }: VerifierContext): VerifierReport {
  return {
    status: 'error',
    reason: `${reason}; ${wayOut(name)}`,
    canRetry: trigger !== 'baseline',
    qualifiers: ['unverifiable'],
    evidence: [],
  }
}

function wayOut(name: string): string {
  return `use a command that ends with the check's own exit code (of a pipe: bash -o pipefail -c '…'), or vouch for it: --trust-check "${name}"`
}

function withNote(report: VerifierReport, text: string): VerifierReport {
  return { ...report, evidence: [...report.evidence, { kind: 'note', text }] }
}

import { messageOf } from '../../../base/index.ts'
import {
  undecidedReport,
  type PassDoubt,
  type Verifier,
  type VerifierContext,
  type VerifierReport,
} from '../../../ports/checks.ts'
import type { Question, Round } from './question.ts'

/**
 * Whether the pass of a check is worth anything. Evidence comes first: one that was seen red, in this run or in the record,
 * is able to fail. Of one in doubt that has passed for the first time a copy with faults in it is shown to it. What
 * nothing turns red proves nothing, unless somebody vouches for it by name.
 */
export async function believe(report: VerifierReport, question: Question): Promise<VerifierReport> {
  if (report.status !== 'passed') return report
  const { verifier, context, round } = question
  const doubt = passDoubtOf(verifier, context.workFolder)
  if (doubt === undefined) return report
  const { name } = verifier.description
  const { trusted } = round.world.checking
  const trust = trusted.find(({ check }) => check === name)
  if (trust !== undefined)
    return withNote(report, `${trust.by} vouches for ${name}, although ${doubt.reason}`)
  if (doubt.kind === 'certain')
    return refusedReport(`${name} proves nothing, whatever it finds: ${doubt.reason}`, name, context)
  return (await wasSettled(name, round)) ? report : provoke(report, doubt, question)
}

/** A verifier that cannot say has no doubt. */
function passDoubtOf(verifier: Verifier, workFolder: string | null): PassDoubt | undefined {
  try {
    return workFolder === null ? undefined : verifier.doubt?.(workFolder)
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
  { verifier, context, round, signal }: Question,
): Promise<VerifierReport> {
  const { name } = verifier.description
  const tried: string[] = []
  try {
    const result = await round.world.checking.faults?.tryToFail(verifier, context, signal)
    if (result?.kind === 'red')
      return withNote(report, `${reason}; but it was seen to fail in a copy with ${result.fault}`)
    tried.push(...(result?.tried ?? []))
  } catch (error) {
    tried.push(messageOf(error))
  }
  const shown = tried.length === 0 ? '' : ` (in copies with ${tried.join(', with ')})`
  const found = `${name} was never seen to fail, and nothing could make it fail${shown}: ${reason}`
  return refusedReport(found, name, context)
}

/** Before the first turn nobody has been paid, and no turn would change it. */
function refusedReport(reason: string, name: string, { trigger }: VerifierContext): VerifierReport {
  const wayOut = `use a command that ends with the check's own exit code (of a pipe: bash -o pipefail -c '…'), or vouch for it: --trust-check "${name}"`
  return { ...undecidedReport(`${reason}; ${wayOut}`, 'unverifiable'), canRetry: trigger !== 'baseline' }
}

function withNote(report: VerifierReport, text: string): VerifierReport {
  return { ...report, evidence: [...report.evidence, { kind: 'note', text }] }
}

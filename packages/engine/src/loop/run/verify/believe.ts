import { undecidedReport, type PassDoubt, type Verifier, type VerifierReport } from '../../../ports/checks.ts'
import { abilityToFail, findAbility, rememberRed, type Ability } from './ability-to-fail.ts'
import type { Question } from './question.ts'

export interface Belief {
  readonly report: VerifierReport
  /** Another check has failed already, so that no trial was worth its time: this pass must not be taken again. */
  readonly isOpen?: true
}

/**
 * Believes the pass of a check that is able to fail: one that was red in this run or is on record as red for this project
 * and command, or that turns red in a copy whose product is broken. What stays green there is refused unless the user
 * vouches for it by name. On the baseline tree only a line whose success is written into it is refused: tests may be what
 * the run is to write.
 */
export async function believe(report: VerifierReport, question: Question): Promise<Belief> {
  const { verifier, context, round } = question
  const doubt = context.workFolder === null ? undefined : passDoubtOf(verifier)
  if (doubt === undefined) return { report }
  if (report.status === 'failed' && doubt.kind === 'unseen') await rememberRed(doubt.line, question)
  if (report.status !== 'passed' || report.qualifiers.includes('pre-existing')) return { report }
  const { name, required, role } = verifier.description
  const trust = round.world.checking.trusted.find(({ check }) => check === name)
  if (trust !== undefined)
    return { report: withNote(report, `${trust.by} vouches that ${name} is able to fail`) }
  const isBaseline = context.trigger === 'baseline'
  // Before the first turn the agent has cost nothing, and no turn would change the line.
  if (doubt.kind === 'certain') return { report: refusedReport(cannotFail(name), name, !isBaseline) }
  if (!required || role !== 'check' || isBaseline) return { report }
  if (round.isLost?.() === true) return { report, isOpen: true }
  const find = report.qualifiers.includes('only-new-tests') ? findAbility : abilityToFail
  return { report: judgeAbility(await find(doubt.line, question), report, name) }
}

/** @returns undefined as well if the verifier throws */
function passDoubtOf(verifier: Verifier): PassDoubt | undefined {
  try {
    return verifier.doubt?.()
  } catch {
    return undefined
  }
}

function judgeAbility(ability: Ability, report: VerifierReport, name: string): VerifierReport {
  switch (ability.kind) {
    case 'was-red':
      return report
    case 'red':
      return withNote(report, `${name} is able to fail: it was red in a copy with ${ability.fault}`)
    case 'nothing-to-break':
      return withNote(
        report,
        `${name} was never seen to fail, and there is no source file to break in a copy`,
      )
    case 'undecided':
      return withNote(
        report,
        `${name} was never seen to fail, and a trial in a copy says nothing: ${ability.reason}`,
      )
    case 'green':
      return refusedReport(
        `${name} stays green with the whole product broken: it has run nothing of it`,
        name,
        true,
      )
  }
}

function cannotFail(name: string): string {
  return `${name} proves nothing: it ends with success whatever the work is like`
}

function refusedReport(reason: string, name: string, canRetry: boolean): VerifierReport {
  const wayOut = `use a command that fails if the work is wrong, or vouch for it: --trust-check "${name}"`
  return { ...undecidedReport(`${reason}; ${wayOut}`, 'unverifiable'), canRetry }
}

function withNote(report: VerifierReport, text: string): VerifierReport {
  return { ...report, evidence: [...report.evidence, { kind: 'note', text }] }
}

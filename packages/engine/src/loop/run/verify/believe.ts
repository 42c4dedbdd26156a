/** Whether a check can fail, known from this run, the record of the project, or a trial. */
import {
  undecidedResult,
  type PassDoubt,
  type Verifier,
  type VerifierResult,
  type FaultTrialResult,
} from '../../../ports/checks.ts'
import { askForReport, type Question } from './trees.ts'
import type { Verdict } from '@donecheck/core/internal/events/verdicts'
import { messageOf, realPath } from '../../../base/index.ts'
import { digestOf } from '../calls/call-records.ts'
import { recallVerdict, rememberVerdict } from './verdict-key.ts'
import type { LiveRun } from '../session/session.ts'

interface Belief {
  readonly report: VerifierResult
  /** Another check failed, so no trial ran; this pass must not be reused. */
  readonly isOpen?: true
}

/**
 * Accepts a pass only if the check can fail: it did before, it does with broken source files, or a user
 * vouches for it. On the baseline only lines that always succeed are refused: tests may be the task.
 */
export async function believe(report: VerifierResult, question: Question): Promise<Belief> {
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
  // Before the first turn nothing is spent, and no turn would change the line.
  if (doubt.kind === 'certain') return { report: refusedReport(cannotFail(name), name, !isBaseline) }
  if (!required || role !== 'check' || isBaseline) return { report }
  if (round.isLost?.() === true) return { report, isOpen: true }
  const isLimited = report.qualifiers.includes('only-new-tests') || report.qualifiers.includes('no-canary')
  const find = isLimited ? findAbility : abilityToFail
  return { report: judgeAbility(await find(doubt.line, question), report, name) }
}

/** Undefined if the verifier throws. */
function passDoubtOf(verifier: Verifier): PassDoubt | undefined {
  try {
    return verifier.doubt?.()
  } catch {
    return undefined
  }
}

function judgeAbility(ability: Ability, report: VerifierResult, name: string): VerifierResult {
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

function refusedReport(reason: string, name: string, canRetry: boolean): VerifierResult {
  const wayOut = `use a command that fails if the work is wrong, or vouch for it: --trust-check "${name}"`
  return { ...undecidedResult(`${reason}; ${wayOut}`, 'unverifiable'), canRetry }
}

function withNote(report: VerifierResult, text: string): VerifierResult {
  return { ...report, evidence: [...report.evidence, { kind: 'note', text }] }
}

type Ability = FaultTrialResult | { readonly kind: 'was-red' }

const maxTrialMs = 600_000

const known = new WeakMap<LiveRun, Map<string, Ability>>()

function knownIn(session: LiveRun): Map<string, Ability> {
  const abilities = known.get(session) ?? new Map<string, Ability>()
  known.set(session, abilities)
  return abilities
}

/** Runs and records the trial if the answer is unknown; a pass is not recorded, as new tests may fail. */
async function abilityToFail(line: string, question: Question): Promise<Ability> {
  const { round, verifier } = question
  if (wasRed(verifier.description.name, round.session)) return { kind: 'was-red' }
  const key = keyOf(line, question)
  const found = knownIn(round.session).get(key) ?? (await recall(key, question))
  return found ?? (await findAbility(line, question))
}

/** Ignores known answers: a failure without tests says nothing about the tests of today. */
async function findAbility(line: string, question: Question): Promise<Ability> {
  const { signal } = question
  const key = keyOf(line, question)
  const result = await tryToFail(line, question)
  if (!signal.aborted && result.kind !== 'green') await remember(key, result, question)
  return result
}

async function rememberRed(line: string, question: Question): Promise<void> {
  const key = keyOf(line, question)
  if (knownIn(question.round.session).get(key)?.kind === 'was-red') return
  await remember(key, { kind: 'was-red' }, question)
}

function wasRed(name: string, { state }: LiveRun): boolean {
  const check = state.checks[name]
  return [check?.latest, check?.baselineVerdict].some((verdict) => verdict?.status === 'failed')
}

async function tryToFail(
  line: string,
  { verifier, context, round, signal }: Question,
): Promise<FaultTrialResult> {
  const faults = round.tree.deciding ?? round.world.checking.faults
  if (faults === null) return { kind: 'undecided', reason: 'there is no work folder to copy' }
  const within = AbortSignal.any([signal, AbortSignal.timeout(maxTrialMs)])
  const own = { ...context, trigger: 'turn', fingerprint: undefined, baseline: undefined } as const
  const ask = (workFolder: string) =>
    askForReport(() => verifier.verify({ ...own, workFolder }, within), own.trigger, within)
  try {
    return await faults.tryToFail(line, ask, signal)
  } catch (error) {
    return { kind: 'undecided', reason: messageOf(error) }
  }
}

function keyOf(line: string, { context: { projectFolder, workFolder } }: Question): string {
  const folder = realPath(projectFolder ?? workFolder ?? '')
  return digestOf({ format: 1, what: 'ability to fail', folder, line })
}

async function recall(key: string, { round }: Question): Promise<Ability | undefined> {
  const verdict = await recallVerdict(key, round.world)
  return verdict && abilityIn(verdict)
}

async function remember(key: string, ability: Ability, { verifier, round }: Question): Promise<void> {
  knownIn(round.session).set(key, ability)
  const said = verdictOf(ability)
  if (said === undefined) return
  const more = { canRetry: true, qualifiers: [], evidence: [], durationMs: 0 }
  await rememberVerdict(key, { ...said, ...more, verifier: verifier.description.name }, round.world)
}

/** Undefined for results that are cheap to repeat or may change. */
function verdictOf(ability: Ability): Pick<Verdict, 'status' | 'reason'> | undefined {
  switch (ability.kind) {
    case 'was-red':
      return { status: 'failed', reason: '' }
    case 'red':
      return { status: 'failed', reason: ability.fault }
    case 'undecided':
      return { status: 'error', reason: ability.reason }
    case 'green':
    case 'nothing-to-break':
      return undefined
  }
}

function abilityIn({ status, reason }: Verdict): Ability | undefined {
  if (status === 'error') return { kind: 'undecided', reason }
  if (status !== 'failed') return undefined
  return reason === '' ? { kind: 'was-red' } : { kind: 'red', fault: reason }
}

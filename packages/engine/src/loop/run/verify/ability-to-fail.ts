/** What is known of a check's ability to fail: from this run, from the record of this project, or from a trial. */
import { realpathSync } from 'node:fs'
import type { Verdict } from '@donecheck/core/verdicts'
import { messageOf } from '../../../base/index.ts'
import type { FaultTrialResult } from '../../../ports/checks.ts'
import { digestOf } from '../calls/canonical-digest.ts'
import type { Session } from '../session/session.ts'
import type { Question } from './question.ts'

export type Ability = FaultTrialResult | { readonly kind: 'was-red' }

/** By session and `keyOf`. */
const known = new WeakMap<Session, Map<string, Ability>>()

function knownIn(session: Session): Map<string, Ability> {
  const abilities = known.get(session) ?? new Map<string, Ability>()
  known.set(session, abilities)
  return abilities
}

/**
 * Runs the trial if neither this run nor the record knows the answer, and records it. A green one is not recorded: the next
 * turn may bring tests that notice something.
 */
export async function abilityToFail(line: string, question: Question): Promise<Ability> {
  const { round, verifier } = question
  if (wasRed(verifier.description.name, round.session)) return { kind: 'was-red' }
  const key = keyOf(line, question)
  const found = knownIn(round.session).get(key) ?? (await recall(key, question))
  return found ?? (await findAbility(line, question))
}

/** Runs the trial whatever is known: that a check without tests was red says nothing of the tests that it has now. */
export async function findAbility(line: string, question: Question): Promise<Ability> {
  const { signal } = question
  const key = keyOf(line, question)
  const result = await tryToFail(line, question)
  if (!signal.aborted && result.kind !== 'green') await remember(key, result, question)
  return result
}

/** Keeps for this project that the check with this command line was red. */
export async function rememberRed(line: string, question: Question): Promise<void> {
  const key = keyOf(line, question)
  if (knownIn(question.round.session).get(key)?.kind === 'was-red') return
  await remember(key, { kind: 'was-red' }, question)
}

function wasRed(name: string, { state }: Session): boolean {
  const check = state.checks[name]
  return [check?.latest, check?.baselineVerdict].some((verdict) => verdict?.status === 'failed')
}

async function tryToFail(
  line: string,
  { verifier, context, round, signal }: Question,
): Promise<FaultTrialResult> {
  const { faults } = round.world.checking
  if (faults === null) return { kind: 'undecided', reason: 'there is no work folder to copy' }
  try {
    return await faults.tryToFail(verifier, line, context, signal)
  } catch (error) {
    return { kind: 'undecided', reason: messageOf(error) }
  }
}

/** One project, one command line. */
function keyOf(line: string, { context: { projectFolder, workFolder } }: Question): string {
  const folder = realPath(projectFolder ?? workFolder ?? '')
  return digestOf({ format: 1, what: 'ability to fail', folder, line })
}

function realPath(folder: string): string {
  try {
    return realpathSync(folder)
  } catch {
    return folder
  }
}

/** A memory that cannot be read knows nothing. */
async function recall(key: string, { round }: Question): Promise<Ability | undefined> {
  try {
    const verdict = await round.world.checking.verdicts?.recall(key)
    return verdict && abilityIn(verdict)
  } catch {
    return undefined
  }
}

async function remember(key: string, ability: Ability, { verifier, round }: Question): Promise<void> {
  knownIn(round.session).set(key, ability)
  const said = verdictOf(ability)
  if (said === undefined) return
  const more = { canRetry: true, qualifiers: [], evidence: [], durationMs: 0 }
  try {
    await round.world.checking.verdicts?.remember(key, {
      ...said,
      ...more,
      verifier: verifier.description.name,
    })
  } catch {
    return
  }
}

/** Verdicts are what a store remembers. @returns undefined for what is found out quickly, or may be another tomorrow */
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

/** What becomes of a check that is green where the agent works, and cannot be believed, although no check file decides. */
import type { DecidedReport, VerifierReport } from '../../../ports/checks.ts'
import {
  askForAuthority,
  authorityEvidence,
  contextOf,
  grantFor,
  keyOf,
  readMemory,
  remember,
} from './authority.ts'
import type { Asked } from './confirmation.ts'
import { askToAllow, isFinal } from './findings.ts'

/** Why a check that is green where the agent works is not believed. */
interface Doubt {
  /** Tells apart what is asked about one check. */
  readonly of: 'clean room' | 'world outside'
  readonly reason: string
  /** Where it is not green, or must not be. */
  readonly seen: VerifierReport
}

/** It is red in the clean room, although no check file decides. */
export function redInRoom(seen: VerifierReport, { check }: Pick<Asked, 'check'>): Doubt {
  const reason = `${check.name} passes in the work folder and not in the clean room, where it has the tree alone, with a home of its own and what was installed before the first turn: ${seen.reason}`
  return { of: 'clean room', reason, seen }
}

/** It was red before the first turn and is green now, with the changes of the run and without them. */
export function greenWithoutChanges(seen: VerifierReport, { check }: Pick<Asked, 'check'>): Doubt {
  const reason = `${check.name} was red before the first turn and passes now with every change of the run taken back: something outside of the tree makes it pass; vouch for it with --trust-check "${check.name}"`
  return { of: 'world outside', reason, seen }
}

/** The agent is told first. Who claims again with the same is asked about: a person may let what it says there decide. */
export async function askAboutDoubt({ of, reason, seen }: Doubt, asked: Asked): Promise<DecidedReport> {
  const { parts, request, check, delivered, signal } = asked
  const path = `${of} of ${check.name}`
  const change = { path, key: keyOf(of, check.name, check.definition) }
  const approved = () => {
    const grant = grantFor(change, contextOf(parts, request.runId))
    if (grant === undefined) return undefined
    const report: VerifierReport = {
      ...delivered,
      qualifiers: [...delivered.qualifiers, 'in-place'],
      evidence: [...delivered.evidence, ...authorityEvidence([[path, grant]])],
    }
    return { report, tree: 'work-folder' } as const
  }
  const before = approved()
  if (before !== undefined) return before
  const red: DecidedReport = {
    report: { ...seen, status: 'failed', reason, canRetry: true },
    tree: 'clean-room',
  }
  const memory = readMemory(parts.snapshots, request.runId)
  const wasTold = memory.told.includes(change.key)
  remember(parts.snapshots, request.runId, {
    told: [...new Set([...memory.told, change.key])],
    open: [...memory.open.filter(({ key }) => key !== change.key), change],
  })
  if (!isFinal(request, wasTold)) return red
  const question = { changes: [change], reason, failing: [] }
  const answer = await askForAuthority(question, parts, request.runId, signal)
  if (answer === undefined || 'openQuestion' in answer)
    return {
      ...red,
      report: { ...red.report, status: 'pending', reason: askToAllow(reason, request, answer) },
    }
  if (!answer.approved)
    return {
      ...red,
      report: { ...red.report, reason: `${reason}; refused by ${answer.by}: ${answer.reason}` },
    }
  return approved() ?? red
}

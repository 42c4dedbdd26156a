/** What becomes of a check that is green in the work folder and red in the clean room, although no check file decides. */
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

/** The agent is told first. Who claims again with the same is asked about: a person may let the work folder decide. */
export async function askAboutRoom(inRoom: VerifierReport, asked: Asked): Promise<DecidedReport> {
  const { parts, request, check, delivered, signal } = asked
  const path = `clean room of ${check.name}`
  const change = { path, key: keyOf('clean room', check.name, check.definition) }
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
  const reason = `${check.name} passes in the work folder and not in the clean room, where it has the tree alone, with a home of its own and what was installed before the first turn: ${inRoom.reason}`
  const red: DecidedReport = {
    report: { ...inRoom, status: 'failed', reason, canRetry: true },
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

import { createTwoFilesPatch } from 'diff'
import type { TestCase } from '../../events/index.ts'
import type { Approval, ApprovalQuestion } from '../../ports.ts'
import type { OpenChange } from './authority.ts'
import type { TreeChange } from './changes.ts'
import { readMemory, remember } from './memory.ts'
import type { GuardParts } from './parts.ts'
import { listed } from './reports.ts'

/** What somebody is asked to allow. */
export interface Question {
  readonly changes: readonly (OpenChange & { readonly change?: TreeChange | undefined })[]
  readonly reason: string
  /** Earlier tests that fail. */
  readonly failing: readonly TestCase[]
}

/**
 * Asks for authority once for each content, and keeps the answer. Undefined: there is nobody to ask.
 */
export async function askForAuthority(
  question: Question,
  { options: { approver }, snapshots }: GuardParts,
  runId: string,
  signal: AbortSignal,
): Promise<Approval | undefined> {
  const memory = readMemory(snapshots, runId)
  const denied = question.changes.map(({ key }) => memory.denied[key]).find((one) => one !== undefined)
  if (denied !== undefined) return { approved: false, ...denied }
  if (approver === undefined) return undefined
  const answer = await approver.ask(asApproval(question), signal)
  signal.throwIfAborted()
  const { by, reason } = answer
  const answers = Object.fromEntries(question.changes.map(({ key }) => [key, { by, reason }]))
  if (answer.approved) remember(snapshots, runId, { allowed: { ...memory.allowed, ...answers }, open: [] })
  else remember(snapshots, runId, { denied: { ...memory.denied, ...answers } })
  return answer
}

const mostTests = 20
const longestPreview = 20_000

function asApproval({ changes, reason, failing }: Question): ApprovalQuestion {
  const paths = [...new Set(changes.map(({ path }) => path))]
  const tests = failing
    .slice(0, mostTests)
    .map(({ name, file }) => `✗ ${name}${file === undefined ? '' : ` (${file})`}`)
  return {
    callId: 'tamper-guard',
    tool: 'tamper guard',
    effect: 'write',
    args: { paths },
    summary: `allow the changes of the checks: ${listed(paths)}`,
    reason,
    preview: [...tests, ...changes.map(({ path, change }) => diffOf(path, change))]
      .join('\n')
      .slice(0, longestPreview),
  }
}

/** Longer differences are not worth the time that they take to find. */
const mostEdits = 5_000

function diffOf(path: string, change: TreeChange | undefined): string {
  if (change === undefined) return `${path}: not a file of the work tree`
  const [before, after] = [change.before?.text ?? '', change.after?.text ?? '']
  const patch = createTwoFilesPatch(path, path, before, after, undefined, undefined, {
    maxEditLength: mostEdits,
    context: 3,
  })
  return patch ?? `${path}: too many changes to show`
}

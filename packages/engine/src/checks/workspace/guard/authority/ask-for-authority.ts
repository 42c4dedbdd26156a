import { createTwoFilesPatch } from 'diff'
import type { TestCase } from '@donecheck/core/verdicts'
import type { Approval, ApprovalQuestion, OpenQuestion } from '../../../../ports/gate.ts'
import type { OpenChange } from './authority.ts'
import type { TreeChange } from '../compare/changes.ts'
import { guardCallId } from '../../../../ports/questions.ts'
import { readMemory, remember } from '../memory.ts'
import type { GuardParts } from '../guard-parts.ts'
import { listPaths } from '../reports.ts'

/** What somebody is asked to allow. */
export interface Question {
  readonly changes: readonly (OpenChange & {
    readonly change?: Pick<TreeChange, 'before' | 'after'> | undefined
  })[]
  readonly reason: string
  /** Earlier tests that fail. */
  readonly failing: readonly TestCase[]
}

/**
 * Asks for authority once for each content, and keeps the answer. Where no person is here, the question is kept for one who
 * answers later. Undefined: there is nobody to ask, and nowhere to keep the question.
 */
export async function askForAuthority(
  question: Question,
  { options: { approver }, snapshots }: GuardParts,
  runId: string,
  signal: AbortSignal,
): Promise<Approval | OpenQuestion | undefined> {
  const memory = readMemory(snapshots, runId)
  const denied = question.changes.map(({ key }) => memory.denied[key]).find((one) => one !== undefined)
  if (denied !== undefined) return { approved: false, ...denied }
  if (approver === undefined) return undefined
  const asked = asApproval(question, runId)
  const isAttended = approver.isAttended !== false
  const answer = await (isAttended ? approver.ask(asked, signal) : approver.askOnce?.(asked, signal))
  signal.throwIfAborted()
  if (answer === undefined || 'openQuestion' in answer) return answer
  const { by, reason } = answer
  const answers = Object.fromEntries(question.changes.map(({ key }) => [key, { by, reason }]))
  if (answer.approved) remember(snapshots, runId, { allowed: { ...memory.allowed, ...answers }, open: [] })
  else remember(snapshots, runId, { denied: { ...memory.denied, ...answers } })
  return answer
}

const maxTests = 20
const maxPreviewLength = 20_000

function asApproval(question: Question, runId: string): ApprovalQuestion {
  const { changes, reason } = question
  const paths = [...new Set(changes.map(({ path }) => path))]
  return {
    runId,
    callId: guardCallId,
    tool: 'tamper guard',
    effect: 'write',
    // The keys tell contents apart that the preview cannot show, or not whole.
    args: { paths, keys: changes.map(({ key }) => key) },
    summary: `allow the changes of the checks: ${listPaths(paths)}`,
    reason,
    preview: previewOf(question),
  }
}

/** Which earlier tests fail, and what was changed. */
function previewOf({ changes, failing }: Question): string {
  const diffs = changes.map(({ path, change }) => diffOf(path, change) ?? `${path}: cannot be shown as text`)
  return [...redTests(failing), ...diffs].join('\n').slice(0, maxPreviewLength)
}

function redTests(failing: Question['failing']): readonly string[] {
  return failing
    .slice(0, maxTests)
    .map(({ name, file }) => `✗ ${name}${file === undefined ? '' : ` (${file})`}`)
}

/** Longer differences are not worth the time that they take to find. */
const maxEdits = 5_000

/** Undefined: it is no file of the work tree, no text, or has too many changes. */
function diffOf(path: string, change: Question['changes'][number]['change']): string | undefined {
  if (change === undefined || change.before?.text === null || change.after?.text === null) return undefined
  const [before, after] = [change.before?.text ?? '', change.after?.text ?? '']
  return createTwoFilesPatch(path, path, before, after, undefined, undefined, {
    maxEditLength: maxEdits,
    context: 3,
  })?.replace(/^Index: [^\n]*\n=+\n/u, '')
}

import { createTwoFilesPatch } from 'diff'
import type { TestCase } from '@donecheck/core/internal/events/verdicts'
import type { FileChange } from '../../../analysis/tamper/index.ts'
import type { GuardRequest } from '../../../ports/checks.ts'
import type { Approval, ApprovalQuestion, OpenQuestion } from '../../../ports/gate.ts'
import { guardCallId } from '../../../ports/questions.ts'
import { readMemory, remember, type OpenChange } from './authority.ts'
import { listPaths, type GuardParts } from './options.ts'

interface Question {
  readonly changes: readonly (OpenChange & {
    readonly change?: Pick<FileChange, 'before' | 'after'> | undefined
  })[]
  readonly reason: string
  readonly failing: readonly TestCase[]
}

export type Answer =
  /** The agent was told; no person was asked. */
  | { readonly kind: 'told' }
  /** `onTamper` forbids asking, so the run ends. */
  | { readonly kind: 'refused' }
  /** No answer yet. `reason` says how to approve. */
  | { readonly kind: 'waiting'; readonly reason: string }
  | { readonly kind: 'denied'; readonly reason: string }
  | { readonly kind: 'allowed' }

interface Asker {
  readonly parts: GuardParts
  readonly request: GuardRequest
  readonly signal: AbortSignal
}

/** Tells the agent first; on a second claim asks a person once per content, or stores the question. */
export async function settle(
  question: Question,
  keys: readonly string[],
  { parts, request, signal }: Asker,
): Promise<Answer> {
  const { snapshots, options } = parts
  const { told, open, denied } = readMemory(snapshots, request.runId)
  const wasTold = keys.some((key) => told.includes(key))
  const news = question.changes.filter(({ key }) => open.every((known) => known.key !== key))
  remember(snapshots, request.runId, {
    told: [...new Set([...told, ...keys])],
    open: [...open, ...news.map(({ path, key }) => ({ path, key }))],
  })
  if (!isFinal(request, wasTold)) return { kind: 'told' }
  if (question.changes.length === 0 || options.onTamper === 'refuse') return { kind: 'refused' }
  const earlier = question.changes.map(({ key }) => denied[key]).find((one) => one !== undefined)
  const answer = earlier ?? (await askPerson(question, { parts, request, signal }))
  if (answer === undefined || 'openQuestion' in answer)
    return { kind: 'waiting', reason: askToAllow(question.reason, request, answer) }
  if ('approved' in answer && answer.approved) return { kind: 'allowed' }
  return { kind: 'denied', reason: `${question.reason}; refused by ${answer.by}: ${answer.reason}` }
}

/** @returns undefined if the question can be neither asked nor stored */
async function askPerson(
  question: Question,
  { parts, request: { runId }, signal }: Asker,
): Promise<Approval | OpenQuestion | undefined> {
  const { snapshots, options } = parts
  const { approver } = options
  if (approver === undefined) return undefined
  const asked = asApproval(question, runId)
  const isAttended = approver.isAttended !== false
  const answer = await (isAttended ? approver.ask(asked, signal) : approver.askOnce?.(asked, signal))
  signal.throwIfAborted()
  if (answer === undefined || 'openQuestion' in answer) return answer
  const { by, reason } = answer
  const answers = Object.fromEntries(question.changes.map(({ key }) => [key, { by, reason }]))
  const { allowed, denied } = readMemory(snapshots, runId)
  if (answer.approved) remember(snapshots, runId, { allowed: { ...allowed, ...answers }, open: [] })
  else remember(snapshots, runId, { denied: { ...denied, ...answers } })
  return answer
}

/** Whether nobody is left to tell: no agent, a cap, or an agent that was told and claims again. */
export function isFinal({ trigger, canRetry }: GuardRequest, wasTold: boolean): boolean {
  if (!canRetry || trigger === 'cap') return true
  return wasTold && (trigger === 'claim' || trigger === 'held-out')
}

/** Puts the approval command first, so that a cut line keeps it. @param open id of the stored question */
function askToAllow(reason: string, { runId, canRetry }: GuardRequest, open?: OpenQuestion): string {
  const command = `donecheck approve ${open?.openQuestion ?? runId}`
  const way = canRetry ? command : '--may-change PATH, or a waiver in the configuration'
  return `needs approval (${way}): ${reason}`
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
    // Keys distinguish contents that the preview omits.
    args: { paths, keys: changes.map(({ key }) => key) },
    summary: `allow the changes of the checks: ${listPaths(paths)}`,
    reason,
    preview: previewOf(question),
  }
}

function previewOf({ changes, failing }: Question): string {
  const diffs = changes.map(({ path, change }) => diffOf(path, change) ?? `${path}: cannot be shown as text`)
  return [...redTests(failing), ...diffs].join('\n').slice(0, maxPreviewLength)
}

function redTests(failing: Question['failing']): readonly string[] {
  return failing
    .slice(0, maxTests)
    .map(({ name, file }) => `✗ ${name}${file === undefined ? '' : ` (${file})`}`)
}

const maxEdits = 5_000

/** @returns undefined if not a text of the tree, or with too many changes */
function diffOf(path: string, change: Question['changes'][number]['change']): string | undefined {
  if (change === undefined || change.before?.text === null || change.after?.text === null) return undefined
  const [before, after] = [change.before?.text ?? '', change.after?.text ?? '']
  return createTwoFilesPatch(path, path, before, after, undefined, undefined, {
    maxEditLength: maxEdits,
    context: 3,
  })?.replace(/^Index: [^\n]*\n=+\n/u, '')
}

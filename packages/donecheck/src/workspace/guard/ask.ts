import { createTwoFilesPatch } from 'diff'
import type { Approval, ApprovalQuestion, Approver } from '../../ports.ts'
import type { GuardMemory } from './memory.ts'
import { contentKeyOf, ruledAs, type Ruling, type RulingContext } from './rulings.ts'

export interface Answered {
  readonly rulings: readonly Ruling[]
  readonly memory: GuardMemory
}

/**
 * Asks once for all findings that a person must decide and has not yet: approved ones become notes, the others are
 * refused. Without somebody to ask they stay as they are.
 */
export async function askAbout(
  rulings: readonly Ruling[],
  memory: GuardMemory,
  context: RulingContext,
  signal: AbortSignal,
): Promise<Answered> {
  const keyFor = ({ finding }: Ruling) => contentKeyOf(finding, context.changes)
  const open = ruledAs(rulings, 'ask').filter((ruling) => memory.answers[keyFor(ruling)] === undefined)
  const { approver } = context.options
  const answer =
    open.length === 0 || approver === undefined ? undefined : await ask(approver, open, context, signal)
  signal.throwIfAborted()
  const { approved, by, reason } = answer ?? { approved: false, by: '', reason: '' }
  const fresh =
    answer === undefined ? [] : open.map((ruling) => [keyFor(ruling), { approved, by, reason }] as const)
  const answers = { ...memory.answers, ...Object.fromEntries(fresh) }
  return {
    rulings: rulings.map((ruling) => answered(ruling, answers[keyFor(ruling)])),
    memory: { ...memory, answers },
  }
}

function answered(ruling: Ruling, answer: Approval | undefined): Ruling {
  if (ruling.response !== 'ask' || ruling.waiver !== undefined || answer === undefined) return ruling
  const { approved, by, reason } = answer
  const remark = `${approved ? 'allowed' : 'refused'} by ${by}: ${reason}`
  return { ...ruling, response: approved ? 'note' : 'refuse', remark }
}

const longestPreview = 20_000

function ask(
  approver: Approver,
  open: readonly Ruling[],
  { changes }: RulingContext,
  signal: AbortSignal,
): Promise<Approval> {
  const paths = [...new Set(open.map(({ finding }) => finding.path))]
  const findings = open.map(({ finding }) => `${finding.rule}: ${finding.message}`)
  const question: ApprovalQuestion = {
    callId: 'tamper-guard',
    tool: 'tamper guard',
    effect: 'write',
    args: { paths },
    summary: `accept ${open.length === 1 ? 'a change' : `${open.length} changes`} of the checks: ${paths.join(', ')}`,
    reason: findings.join('\n'),
    preview: paths
      .map((path) => diffOf(path, changes))
      .join('\n')
      .slice(0, longestPreview),
  }
  return approver.ask(question, signal)
}

function diffOf(path: string, changes: RulingContext['changes']): string {
  const change = changes.get(path)
  if (change === undefined) return `${path}: not a file of the work tree`
  const [before, after] = [change.before?.text ?? '', change.after?.text ?? '']
  const patch = createTwoFilesPatch(path, path, before, after, undefined, undefined, {
    maxEditLength: 5_000,
    context: 3,
  })
  return patch ?? `${path}: too many changes to show`
}

import { plural } from '../../base/index.ts'
import type { WaitEnd } from '../../goal/index.ts'
import type { JudgedReply } from '../../state/index.ts'
import type {
  Verdict,
  CommandEvidence,
  Evidence,
  FindingEvidence,
  JudgeEvidence,
  TestsEvidence,
} from '../../events/verdicts/index.ts'

/** Remaining turns and tokens; null without such a cap or if the usage is unknown. */
export interface BudgetLeft {
  readonly turns: number | null
  readonly tokens: number | null
}

/** A goal as shown to the agent. */
export interface GoalView {
  readonly objective: string
  /** Changed parts first, then the open parts in order. */
  readonly open: readonly {
    readonly id: string
    readonly title: string
    readonly checks: readonly string[]
    readonly isNext: boolean
    /** Work stops here until its budget is raised. */
    readonly isOverBudget: boolean
    /** It was changed and its checks still pass. */
    readonly isClosed: boolean
  }[]
  /** The number of open parts not listed. */
  readonly leftOut: number
  readonly closed: number
  readonly left: BudgetLeft
}

/** Everything that donecheck says to an agent, one implementation per language. Users may supply their own. */
export interface Prompts {
  /** Sent if required checks do not pass, with how often in a row each has not. Null without such a cap. */
  checksFailed(
    open: readonly { readonly verdict: Verdict; readonly times: number }[],
    left: BudgetLeft,
  ): string
  /** Sent if the shown checks pass and held-out ones do not. It must reveal only their number. */
  heldOutFailed(count: { readonly open: number; readonly total: number }): string
  checksPass(): string
  /** The agent claims done, but the checks passed before the run and nothing has changed. */
  nothingProven(): string
  /** The agent claims done and no check is open, but the aggregator is not satisfied. */
  notDone(): string
  replyCutOff(): string
  /** The reply is not accepted; lists all findings of this and earlier attempts. */
  replyNotAccepted(judged: {
    readonly attempt: number
    readonly maxAttempts: number
    readonly faults: readonly JudgedReply[]
    readonly isUnchanged: boolean
  }): string
  budgetLeft(used: {
    readonly percent: number
    readonly turnTokens: number
    readonly budgetTokens: number
  }): string
  /** The run ends early: asks for a final reply without tools. */
  finalSummary(end: { readonly message: string; readonly openChecks: readonly string[] }): string
  goalChanged(goal: GoalView): string
  /** The agent claims done while parts of its goal are open: asks it to review each one. */
  goalAudit(goal: GoalView): string
  waitEnded(wait: { readonly reason: string; readonly how: WaitEnd }): string
  turnInterrupted(): string
  toolOutcomeUnknown(tool: string): string
}

/** Characters of one text in the conversation; the store holds the full text. */
const maxTextLength = 3000
/** Pieces of evidence per check, and checks per message with evidence. */
const maxEvidence = 3
const maxChecks = 3

export const englishPrompts: Prompts = {
  checksFailed(open, left) {
    const blocks = open.slice(0, maxChecks).map(({ verdict, times }) => failedCheck(verdict, times))
    const further = open.slice(maxChecks).map(({ verdict, times }) => firstLine(verdict, times))
    return paragraphs(
      'The task is not done: checks decide that, and they do not pass yet.',
      ...blocks,
      further.join('\n'),
      budgetSentence(left),
      'Fix the cause, then go on. Do not change a check to make it pass.',
    )
  },
  heldOutFailed: ({ open, total }) =>
    `The task is not done: the checks that you can see pass, but ${open} of ${total} unseen ${total === 1 ? 'check' : 'checks'} ${open === 1 ? 'does' : 'do'} not. Read the whole task again: what does it ask for that the visible checks do not cover?`,
  checksPass: () => 'All required checks pass now. If the task is finished, answer without calling a tool.',
  nothingProven: () =>
    'The checks pass as they did before you began, and nothing in the work folder has changed since, so they prove nothing. Do the task; if there is nothing to do, say why.',
  notDone: () => 'The task is not done: taken together, the checks do not verify it yet. Go on with it.',
  replyCutOff: () =>
    'Your reply was cut off at its length limit. Go on from where it stopped, in smaller steps.',
  replyNotAccepted: ({ attempt, maxAttempts, faults, isUnchanged }) =>
    paragraphs(
      `Your reply was judged before its delivery and is not delivered: attempt ${attempt} of ${maxAttempts} falls short.`,
      ...(isUnchanged ? ['It says the same as an attempt before, and you have done nothing since.'] : []),
      ...faults.map((fault) => `Attempt ${fault.attempt}: ${shorten(fault.reason)}`),
      'Mend all of that, then give the whole reply again. What you did with tools is done: do not repeat it, least of all a message that was sent.',
    ),
  budgetLeft: ({ percent, turnTokens, budgetTokens }) =>
    `You stopped at ${percent}% of the token budget for this task (${turnTokens} of ${budgetTokens} output tokens). Keep working on it; do not summarise.`,
  finalSummary: ({ message, openChecks }) =>
    paragraphs(
      `This run ends now: ${shorten(message)}.`,
      openChecks.length === 0 ? '' : `Checks that do not pass: ${shorten(openChecks.join(', '))}.`,
      'You have no tools any more, and this is your last reply. Tell whoever continues, in a few sentences: what is done, what is left, and how to go on. State only what you have seen.',
    ),
  goalChanged: (goal) =>
    paragraphs(
      'What is wanted was changed while you were at work. From now on this holds, whatever was said before:',
      goal.objective,
      openParts(goal),
      budgetSentence(goal.left),
      'Drop work that served only the old goal. The checks that were there still decide.',
    ),
  goalAudit: (goal) =>
    paragraphs(
      openParts(goal),
      'Before you say again that it is done, go through all that is asked for: for each point name what shows now that it holds, such as a file, or a command and its output. What nothing shows is not done. If something stands in your way, try another way: only the same blocker in three turns in a row ends the run.',
    ),
  waitEnded: ({ reason, how }) =>
    how === 'over'
      ? `What you waited for is over: ${shorten(reason)}. Look at what came of it.`
      : `You no longer wait for this: ${shorten(reason)}. ${how === 'expired' ? 'The time for it is up' : 'Nobody can tell any more what became of it'}: look before you go on.`,
  turnInterrupted: () =>
    'The previous turn was interrupted before it could report. Some of its work may be in place and some may be missing: look before you repeat anything.',
  toolOutcomeUnknown: (tool) =>
    `The run was interrupted while ${tool} was running. It may or may not have taken effect: look before you repeat it.`,
}

function paragraphs(...parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join('\n\n')
}

function openParts({ open, leftOut, closed }: GoalView): string {
  if (open.length === 0) return ''
  const lines = open.map(({ id, title, checks, isNext, isOverBudget, isClosed }) => {
    const decides = checks.length === 0 ? '' : ` (decided by: ${checks.join(', ')})`
    return `- ${id}: ${title}${decides}${isNext ? ', next' : ''}${isOverBudget ? ', out of budget: leave it' : ''}${isClosed ? ', changed; its checks pass' : ''}`
  })
  const done = closed === 0 ? 'Open parts:' : `Open parts (${closed} closed):`
  return [done, ...lines, ...(leftOut > 0 ? [`- and ${leftOut} more`] : [])].join('\n')
}

function failedCheck(verdict: Verdict, times: number): string {
  const evidence = verdict.evidence.filter((piece) => !isSaidAlready(piece, verdict))
  return [firstLine(verdict, times), ...evidence.slice(0, maxEvidence).map(showEvidence)]
    .filter((line) => line !== '')
    .join('\n')
}

/** The verdict of a single judge repeats its reason. */
function isSaidAlready(piece: Evidence, { reason }: Verdict): boolean {
  return piece.kind === 'judge' && (piece.said === 'met' || reason.includes(piece.reason))
}

function firstLine(verdict: Verdict, times: number): string {
  const often = times > 1 ? ` (${times} times in a row)` : ''
  return `Check "${verdict.verifier}" ${verbOf(verdict)}${often}: ${shorten(verdict.reason)}`
}

/** Infrastructure failures are not reported as faults of the work. */
function verbOf({ status, qualifiers }: Verdict): string {
  if (status === 'failed') return 'failed'
  if (status === 'pending') return 'is pending'
  if (status === 'skipped') return 'was skipped'
  return qualifiers.includes('infrastructure')
    ? 'could not run, for a reason outside of your work; fix it if you can, otherwise say what is missing'
    : 'could not decide'
}

function showEvidence(evidence: Evidence): string {
  switch (evidence.kind) {
    case 'note':
      return shorten(evidence.text)
    case 'command':
      return showCommand(evidence)
    case 'tests':
      return showTests(evidence)
    case 'finding':
      return showFinding(evidence)
    case 'measure':
      return evidence.bound === undefined
        ? `${evidence.name}: ${evidence.value}`
        : `${evidence.name}: ${evidence.value} (bound: ${evidence.bound})`
    case 'judge':
      return shorten(`${evidence.judge}${judgeWord(evidence)}: ${evidence.reason}`)
    case 'authority':
      return shorten(`${evidence.by} allowed the changes to ${evidence.paths.join(', ')}: ${evidence.reason}`)
    case 'file':
      return evidence.digest === null ? `${evidence.path}: missing` : ''
  }
}

function judgeWord({ said, category }: JudgeEvidence): string {
  if (said === 'abstained') return ' cannot tell'
  return category === undefined ? '' : ` [${category}]`
}

const maxTests = 10

function showTests({ counts, failed }: TestsEvidence): string {
  const lines = failed.slice(0, maxTests).map(({ name, file, line, message }) => {
    const place = file === undefined ? '' : ` (${file}${line === undefined ? '' : `:${line}`})`
    return `- ${shorten(name)}${place}${message === undefined ? '' : `: ${shorten(message)}`}`
  })
  const more = failed.length - lines.length
  return [
    `Tests: ${counts.passed} passed, ${counts.failed} failed, ${counts.errored} errored, ${counts.skipped} skipped.`,
    ...lines,
    ...(more > 0 ? [`- and ${more} more`] : []),
  ].join('\n')
}

function showFinding({ path, line, message, why }: FindingEvidence): string {
  const place = path === undefined ? '' : `${path}${line === undefined ? '' : `:${line}`}: `
  return shorten(`${place}${message}. ${why}`)
}

function showCommand({ command, output, ...ended }: CommandEvidence): string {
  const end = howItEnded(ended)
  const gap = output.omittedBytes > 0 ? `\n[... ${output.omittedBytes} bytes left out ...]\n` : ''
  const text = shorten(`${output.head}${gap}${output.tail}`.trim())
  return text === ''
    ? `$ ${shorten(command)}\n(${end}, no output)`
    : `$ ${shorten(command)}\n${text}\n(${end})`
}

function howItEnded({ timedOut, exitCode, signal }: Omit<CommandEvidence, 'command' | 'output'>): string {
  if (timedOut) return 'it did not end in time'
  return exitCode === null ? `signal ${signal ?? 'unknown'}` : `exit code ${exitCode}`
}

/** The end of an output says most, so it keeps two thirds. */
function shorten(text: string): string {
  if (text.length <= maxTextLength) return text
  const head = Math.floor(maxTextLength / 3)
  const tail = maxTextLength - head
  return `${text.slice(0, head)}\n[... ${text.length - maxTextLength} characters left out ...]\n${text.slice(-tail)}`.toWellFormed()
}

function budgetSentence(left: BudgetLeft): string {
  const parts = [
    left.turns === null ? '' : plural(left.turns, 'turn'),
    left.tokens === null ? '' : `${left.tokens} tokens`,
  ].filter((part) => part !== '')
  return parts.length === 0 ? '' : `Left: ${parts.join(', ')}.`
}

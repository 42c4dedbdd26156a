import type { Approval, ApprovalQuestion, Approver } from '@donecheck/engine/internal/ports/gate'
import { interrupted, visibleLine, visibleText, detailsOf } from '@donecheck/engine/internal/policy/approvals'
import type { Colours, KeyChoice, KeyQuestion } from './key-prompt.ts'
import { talk, type TerminalOptions, terminalKeys, writeAnswer } from './terminal-talk.ts'
import { assertKnownKeys, messageOf } from '@donecheck/engine/internal/base'
import type { Human, HumanAnswer, HumanQuestion } from '@donecheck/engine/internal/ports/checks'
import type { ToolEffect } from '@donecheck/core/internal/events'
import { guardCallId } from '@donecheck/engine/internal/ports/questions'

export const terminalName = 'terminal'

/** Asks a person one question at a time, with control characters visible; an answer may become a rule. */
export function terminalApprover(options: TerminalOptions): Approver {
  assertKnownKeys(options, terminalKeys, 'terminalApprover')
  let acceptsTheRest = false
  let queue: Promise<unknown> = Promise.resolve()
  const askInTurn = async (question: ApprovalQuestion, signal: AbortSignal): Promise<Approval> => {
    if (signal.aborted) return interrupted
    if (acceptsTheRest) {
      await writeAnswer(questionLines(question).text, 'yes, as everything else in this run', options)
      return { approved: true, by: terminalName, reason: 'yes for the rest of this run' }
    }
    const approval = await askOnce(question, options, signal)
    acceptsTheRest = approval === agreements.a
    return approval
  }
  return {
    ask: (question, signal) => {
      const answered = queue
        .then(() => askInTurn(question, signal))
        .catch((error: unknown) => refused(`nobody could be asked: ${messageOf(error)}`))
      queue = answered
      return unlessAborted(answered, signal)
    },
  }
}

/** Resolves at once if a queued question is aborted. */
async function unlessAborted(answered: Promise<Approval>, signal: AbortSignal): Promise<Approval> {
  const aborted = Promise.withResolvers<Approval>()
  const onAbort = () => aborted.resolve(interrupted)
  signal.addEventListener('abort', onAbort)
  if (signal.aborted) onAbort()
  try {
    return await Promise.race([aborted.promise, answered])
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}

async function askOnce(
  question: ApprovalQuestion,
  options: TerminalOptions,
  signal: AbortSignal,
): Promise<Approval> {
  const talked = await talk<Approval>(
    options,
    signal,
    (colours) => showQuestion(question, colours),
    async (askByKey) => {
      const answer = await askByKey({
        ...questionLines(question),
        choices: choicesFor(question),
        enter: 'n',
      })
      if (answer === undefined) return undefined
      const { key, text } = answer
      if (key !== 'n' && key !== 'd') return agreements[key]
      return { ...refused(text || 'refused by the user'), ...(key === 'd' ? { scope: 'rule' } : {}) }
    },
  )
  switch (talked.kind) {
    case 'said':
      return talked.value
    case 'cancelled':
      return refused('the question was cancelled')
    case 'closed':
      return refused('the terminal was closed before anybody answered')
    case 'interrupted':
      return interrupted
  }
}

function refused(reason: string): Approval {
  return { approved: false, by: terminalName, reason }
}

type ChoiceKey = 'n' | 'd' | keyof typeof agreements

const agreed = { approved: true, by: terminalName } as const
const agreements = {
  y: { ...agreed, reason: 'yes' },
  s: { ...agreed, reason: 'yes, and this again in this run', scope: 'session' },
  r: { ...agreed, reason: 'yes, and from now on by a rule', scope: 'rule' },
  a: { ...agreed, reason: 'yes, and yes for the rest of this run' },
} as const satisfies Readonly<Record<string, Approval>>

/** Only commands can be remembered; a rule needs a proposed prefix. */
function choicesFor({ action, amendment }: ApprovalQuestion): readonly KeyChoice<ChoiceKey>[] {
  const isCommand = action?.kind === 'command'
  const remembered = amendment === undefined ? 'this command' : `${formatPrefix(amendment.prefix)} …`
  const all: readonly KeyChoice<ChoiceKey>[] = [
    { key: 'y', rank: 1, label: 'once', meaning: 'yes, this once' },
    { key: 's', rank: 2, label: 'same again', meaning: 'yes, and again in this run' },
    { key: 'r', rank: 3, label: 'always', meaning: `yes, and always: ${remembered}` },
    { key: 'a', rank: 3, label: 'all in this run', meaning: 'yes, and everything else in this run' },
    { key: 'n', rank: 1, label: 'no', meaning: 'no', followUp: whyNot },
    { key: 'd', rank: 3, label: 'never', meaning: `no, and never: ${remembered}`, followUp: whyNot },
  ]
  const unavailable = [...(isCommand ? [] : ['s', 'd']), ...(amendment === undefined ? ['r'] : [])]
  return all.filter(({ key }) => !unavailable.includes(key))
}

const whyNot = 'why? (for the agent)'

function formatPrefix(prefix: readonly string[]): string {
  return visibleLine(
    prefix.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : JSON.stringify(word))).join(' '),
  )
}

/** Asks a person whether the work is done, one question at a time. Cancelled questions are not answers. */
export function terminalHuman(options: TerminalOptions): Human {
  assertKnownKeys(options, terminalKeys, 'terminalHuman')
  let queue: Promise<unknown> = Promise.resolve()
  return {
    ask(question, signal) {
      const answered = queue.then(() =>
        signal.aborted
          ? unansweredYet('the question was not asked in time')
          : askPerson(question, options, signal),
      )
      queue = answered.catch(() => undefined)
      return answered
    },
  }
}

async function askPerson(
  question: HumanQuestion,
  options: TerminalOptions,
  signal: AbortSignal,
): Promise<HumanAnswer> {
  const talked = await talk<HumanAnswer>(
    options,
    signal,
    (colours) => show(question, colours),
    async (askByKey) => {
      const answer = await askByKey({ text: 'Is it done?', choices, enter: 'l' })
      if (answer === undefined) return undefined
      if (answer.key === 'l') return unansweredYet('somebody at the terminal, who will answer later')
      return { kind: answer.key === 'y' ? 'approved' : 'denied', by: 'terminal', reason: answer.text }
    },
  )
  switch (talked.kind) {
    case 'said':
      return talked.value
    case 'closed':
      return unansweredYet('a terminal: this one is closed')
    case 'cancelled':
    case 'interrupted':
      return unansweredYet('somebody at the terminal')
  }
}

function unansweredYet(waitingFor: string): HumanAnswer {
  return { kind: 'unanswered', waitingFor }
}

function show({ check, question, details }: HumanQuestion, colours: Colours): string {
  const title = `${colours.bold(visibleLine(question))} ${colours.dim(`(${visibleLine(check)})`)}`
  return `\n${title}\n${visibleText(details).trimEnd()}\n`
}

const choices = [
  { key: 'y', label: 'yes', meaning: 'yes', followUp: 'anything to record?', rank: 1 },
  { key: 'n', label: 'no', meaning: 'no', followUp: 'what is missing? (for the agent)', rank: 1 },
  { key: 'l', label: 'later', meaning: 'later, nothing is decided', rank: 1 },
] as const

const effects: Readonly<Record<ToolEffect, string>> = {
  read: 'reads',
  write: 'changes files',
  execute: 'runs a command',
}

export function questionLines(
  question: ApprovalQuestion,
): Pick<KeyQuestion<string>, 'text' | 'textInFull' | 'details' | 'why'> {
  const { tool, effect, reason, action, summary, callId } = question
  const line = visibleLine(summary).replace(/^run /u, '')
  const text = callId === guardCallId ? line : `allow: ${line}`
  const why = visibleLine(reason.replace(/^`[^]*` requires approval: /u, ''))
  if (action?.kind !== 'command')
    return { text, textInFull: line, why: `${why} (${visibleLine(tool)}: ${effects[effect]})` }
  // The user must see the full command before allowing it.
  const details = visibleText(detailsOf(question)).trimEnd()
  return details === '' ? { text, textInFull: line, why } : { text, details: details.split('\n'), why }
}

/** The change or the arguments; ends with a line feed unless empty. */
export function showQuestion(question: ApprovalQuestion, colours: Colours): string {
  if (question.action?.kind === 'command') return ''
  const details = detailsOf(question)
  const body = question.preview === undefined ? visibleText(details) : showDiff(details, colours)
  return details === '' ? '' : `\n${body.trimEnd()}\n`
}

function showDiff(preview: string, colours: Colours): string {
  return visibleText(preview)
    .split('\n')
    .map((line) => colourOf(line, colours)(line))
    .join('\n')
}

function colourOf(line: string, colours: Colours): (text: string) => string {
  if (line.startsWith('+++ ') || line.startsWith('--- ')) return colours.bold
  if (line.startsWith('@@')) return colours.cyan
  if (line.startsWith('+')) return colours.green
  return line.startsWith('-') ? colours.red : String
}

import type {
  CommandEvidence,
  Evidence,
  FindingEvidence,
  TestsEvidence,
  Verdict,
} from '../../events/index.ts'
import type { Prompts } from './prompts.ts'

/** Characters of one text that go into the conversation; all of it is kept in the store. */
const longestText = 3000
/** Pieces of evidence of one check that are shown, and checks of one message that are shown with theirs. */
const mostEvidence = 3
const mostChecks = 3

export const englishPrompts: Prompts = {
  checksFailed(open, left) {
    const blocks = open.slice(0, mostChecks).map(({ verdict, times }) => failedCheck(verdict, times))
    const further = open.slice(mostChecks).map(({ verdict, times }) => firstLine(verdict, times))
    return [
      'The task is not done: done is decided by checks, and they do not pass.',
      ...blocks,
      further.join('\n'),
      budgetSentence(left),
      'Mend the cause, then go on. Do not change a check to make it pass.',
    ]
      .filter((part) => part !== '')
      .join('\n\n')
  },
  heldOutFailed: ({ open, total }) =>
    `The task is not done: the checks that you know pass, and ${open} of ${total} further ${total === 1 ? 'check' : 'checks'} that you are not shown ${open === 1 ? 'does' : 'do'} not. Look at the whole task again: what does it ask for that the known checks do not cover?`,
  checksPass: () => 'All required checks pass now. If the task is finished, answer without calling a tool.',
  nothingProven: () =>
    'The checks say no more than they said before you began, and nothing in the work folder has changed since, so they prove nothing. Do the task; if there is nothing to do, say why.',
  notDone: () => 'The task is not done: the checks do not add up to done yet. Go on with it.',
  replyCutOff: () =>
    'Your reply was cut off at its length limit. Go on from where it stopped, in smaller steps.',
  budgetLeft: ({ percent, turnTokens, budgetTokens }) =>
    `You stopped at ${percent} % of the token budget of this task (${turnTokens} of ${budgetTokens} output tokens). Keep working on it; do not summarise.`,
  wrapUp: ({ message, openChecks }) =>
    [
      `This run ends now: ${shorten(message)}.`,
      openChecks.length === 0 ? '' : `Checks that do not pass: ${shorten(openChecks.join(', '))}.`,
      'You have no tools any more, and there is no further turn. Answer in a few sentences, for whoever goes on: what is done, what is left, and how to go on. Say nothing that you have not seen.',
    ]
      .filter((part) => part !== '')
      .join('\n\n'),
  turnInterrupted: () =>
    'The previous turn was broken off before it could report. Some of its work may already be in place and some may be missing: look before you repeat anything.',
  toolFateUnknown: (tool) =>
    `The run was broken off while ${tool} was running. Whether it took effect is unknown: look before you repeat it.`,
}

function failedCheck(verdict: Verdict, times: number): string {
  return [firstLine(verdict, times), ...verdict.evidence.slice(0, mostEvidence).map(showEvidence)]
    .filter((line) => line !== '')
    .join('\n')
}

function firstLine(verdict: Verdict, times: number): string {
  const often = times > 1 ? ` (${times} times in a row)` : ''
  return `Check "${verdict.verifier}" ${verbOf(verdict)}${often}: ${shorten(verdict.reason)}`
}

/** Trouble of the surroundings is not told as a fault of the work. */
function verbOf({ status, qualifiers }: Verdict): string {
  if (status === 'failed') return 'failed'
  if (status === 'pending') return 'is pending'
  if (status === 'skipped') return 'was left out'
  return qualifiers.includes('infrastructure')
    ? 'could not run, for a reason that lies outside of your work; mend it if you can, otherwise say what is missing'
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
    case 'authority':
      return shorten(`${evidence.by} allowed the changes of ${evidence.paths.join(', ')}: ${evidence.reason}`)
    case 'file':
      return evidence.digest === null ? `${evidence.path}: missing` : ''
  }
}

/** Failing tests that are named; the output of the runner says more. */
const mostTests = 10

function showTests({ counts, failed }: TestsEvidence): string {
  const lines = failed.slice(0, mostTests).map(({ name, file, line, message }) => {
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

/** The end of a check's output tells most: it keeps two thirds. */
function shorten(text: string): string {
  if (text.length <= longestText) return text
  const head = Math.floor(longestText / 3)
  const tail = longestText - head
  return `${text.slice(0, head)}\n[... ${text.length - longestText} characters left out ...]\n${text.slice(-tail)}`.toWellFormed()
}

function budgetSentence(left: { readonly turns: number | null; readonly tokens: number | null }): string {
  const parts = [
    left.turns === null ? '' : `${left.turns} ${left.turns === 1 ? 'turn' : 'turns'}`,
    left.tokens === null ? '' : `${left.tokens} tokens`,
  ].filter((part) => part !== '')
  return parts.length === 0 ? '' : `Left: ${parts.join(', ')}.`
}

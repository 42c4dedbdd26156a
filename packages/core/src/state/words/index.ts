/** The text of an event, shared by terminal, session and page. */
import {
  firstLines,
  line,
  type Line,
  type Tone,
  oneLine,
  plural,
  seconds,
  thousands,
} from '../../base/index.ts'
import {
  amounts,
  budgetOf,
  capTable,
  nounOf,
  type Amount,
  type Budget,
  type Caps,
} from '../../budgets/index.ts'
import type { FactOf, JsonValue, RunEvent } from '../../events/index.ts'
import type { AuthorityEvidence, Evidence, TestsEvidence, Verdict } from '../../events/verdicts/index.ts'
import type { GoalChange, SubGoalBudget } from '../../goal/index.ts'
import { totalTokens } from '../index.ts'

const maxTextLength = 300

/** Formats the event without the run's state; empty if there is nothing to show. */
export function eventWords(event: RunEvent): Line {
  switch (event.type) {
    case 'run-started':
      return line('plain', `${event.agent.name} in ${event.workFolder ?? 'no folder'}`)
    case 'run-resumed':
      return line('plain', `goes on in ${event.holder}`)
    case 'interrupt-requested':
      return line('warning', `interrupted by ${event.by}`)
    case 'run-stopped':
      return line(event.transition.outcome === 'verified' ? 'good' : 'bad', event.transition.message)
    case 'finding-noted':
      return line(
        'warning',
        `${nameOfRule(event.finding.rule)}${oneLine(event.finding.message, maxTextLength)}`,
      )
    case 'budget-added':
      return line('strong', `added by ${oneLine(event.by, 60)}: ${budgetWords(event.added).join(', ')}`)
    case 'sub-run-started':
      return line('plain', subRunStarted(event))
    case 'sub-run-ended':
      return line(event.outcome === 'verified' ? 'good' : 'warning', subRunEnded(event))
    case 'agent-session-opened':
      return line('quiet', `session ${oneLine(event.sessionId, 100)}`)
    case 'agent-plan-reported':
      return line('quiet', planWords(event))
    case 'memory-recalled':
      return line('quiet', event.facts.length === 0 ? '' : recalled(event))
    default:
      return wordsOfTurn(event)
  }
}

function wordsOfTurn(event: RunEvent): Line {
  switch (event.type) {
    case 'model-called':
      return line('quiet', event.attempt > 1 ? `try ${event.attempt}` : `turn ${event.turn}`)
    case 'model-replied':
      return event.problem === undefined
        ? line('plain', [event.text, ...event.toolCalls.map(callWords)].join(' ').trim())
        : line('warning', event.problem)
    case 'model-failed':
      return line('warning', oneLine(event.failure.message, maxTextLength))
    case 'wait-started':
      return line('warning', event.reason)
    case 'gate-decided':
      return line(event.decision === 'allow' ? 'quiet' : 'warning', `${event.decision}: ${event.reason}`)
    case 'hook-ran':
      return line('quiet', `${event.hook} at ${event.point}: ${event.note ?? event.effect}`)
    case 'approval-requested':
      return line('plain', `asks: ${oneLine(event.question, 200)}`)
    case 'approval-given':
      return line('quiet', `${event.approved ? 'approved' : 'denied'} by ${oneLine(event.by, 40)}`)
    case 'tool-called':
      return line('plain', `${event.tool} (${event.effect})`)
    case 'tool-returned':
      return returned(event)
    case 'tool-refused':
      return line('warning', refused(event))
    case 'turn-ended':
      return line('plain', `${event.transition.kind}: ${event.transition.reason}`)
    case 'final-summary-replied':
      return line('plain', event.text)
    default:
      return wordsOfChecks(event)
  }
}

function wordsOfChecks(event: RunEvent): Line {
  switch (event.type) {
    case 'verification-started':
      return line('quiet', `${event.trigger}: ${event.verifiers.join(', ')}`)
    case 'verdict-given':
      return line(
        toneOf(event.verdict.status),
        `${markOf(event.verdict)} ${oneLine(event.verdict.reason, maxTextLength)}`,
      )
    case 'workspace-observed':
      return line('quiet', event.fingerprint.slice(0, 12))
    case 'reply-judging-started':
      return line('quiet', `reply: attempt ${event.attempt} of ${event.maxAttempts} is judged`)
    case 'reply-judged':
      return line(
        toneOf(event.verdict.status),
        `${markOf(event.verdict)} reply: ${oneLine(event.verdict.reason, maxTextLength)}`,
      )
    case 'reply-settled':
      return line('warning', `${event.ending}: ${oneLine(event.message, maxTextLength)}`)
    case 'reply-delivered':
      return delivered(event)
    default:
      return wordsOfGoal(event)
  }
}

function wordsOfGoal(event: RunEvent): Line {
  switch (event.type) {
    case 'goal-set':
      return line('plain', firstLines(`task: ${event.task}`, 6, ''))
    case 'goal-changed':
      return line('strong', `goal changed by ${oneLine(event.by, 60)}: ${changeWords(event.change)}`)
    case 'goal-change-refused':
      return line(
        'warning',
        `goal not changed for ${oneLine(event.by, 60)} (${event.kind}): ${oneLine(event.reason, 200)}`,
      )
    case 'agent-steered':
      return line('quiet', event.text)
    case 'goal-wait-ended':
      return line('plain', waitWords[event.how])
    default:
      return line('quiet', '')
  }
}

const waitWords = {
  over: 'what the goal waited for is over',
  expired: 'the goal has waited long enough and goes on',
  unknown: 'nobody can tell what the goal waited for, so it goes on',
} as const

export function toneOf(status: Verdict['status']): Tone {
  if (status === 'passed') return 'good'
  return status === 'failed' ? 'bad' : 'warning'
}

export function markOf({ status }: Pick<Verdict, 'status'>): string {
  return { passed: '✓', failed: '✗', error: '?', pending: '…', skipped: '–' }[status]
}

const judgeSaid = { met: 'met', 'not-met': 'not met', abstained: 'cannot tell' } as const

/** What a piece of evidence says, one harmless line each; empty for a file that is there. */
export function evidenceWords(piece: Evidence): readonly string[] {
  switch (piece.kind) {
    case 'command':
      return [`$ ${oneLine(piece.command, 200)} (exit ${piece.exitCode ?? piece.signal ?? 'unknown'})`]
    case 'tests':
      return [testCountWords(piece.counts)]
    case 'file':
      return piece.digest === null ? [`${oneLine(piece.path, 200)} is missing`] : []
    case 'measure': {
      const bound = piece.bound === undefined ? '' : `, bound ${piece.bound}`
      return [`${oneLine(piece.name, 100)} is ${Number(piece.value.toFixed(4))}${bound}`]
    }
    case 'judge': {
      const category = piece.category === undefined ? '' : ` [${piece.category}]`
      const words = `${judgeSaid[piece.said]}${category}: ${piece.reason}`
      return [`${oneLine(piece.judge, 100)}: ${oneLine(words, maxTextLength)}`]
    }
    case 'finding': {
      const place = piece.path === undefined ? '' : `${oneLine(piece.path, 200)}: `
      return [`${place}${oneLine(piece.message, maxTextLength)}`]
    }
    case 'note':
      return [oneLine(piece.text, maxTextLength)]
    case 'authority':
      return [oneLine(authorityWords(piece), 400)]
  }
}

function authorityWords({ paths, by, reason }: AuthorityEvidence): string {
  return `${paths.join(', ')} allowed by ${by}${reason === '' ? '' : `: ${reason}`}`
}

/** Such as `3 passed, 1 failed`; what did not occur is left out. */
export function testCountWords({ passed, failed, errored, skipped }: TestsEvidence['counts']): string {
  const others = Object.entries({ failed, errored, skipped }).filter(([, count]) => count > 0)
  return [`${passed} passed`, ...others.map(([name, count]) => `${count} ${name}`)].join(', ')
}

type FailedTest = TestsEvidence['failed'][number]

export function testWords({ name, file, line }: FailedTest): string {
  const place = file === undefined ? '' : ` (${oneLine(file, 200)}${line === undefined ? '' : `:${line}`})`
  return `${oneLine(name, 200)}${place}`
}

export function failedTestWords(test: FailedTest): string {
  return `${testWords(test)}${test.message === undefined ? '' : `: ${oneLine(test.message, 200)}`}`
}

function nameOfRule(rule: string): string {
  const [kind, name] = rule.split(':')
  return kind === 'loop' || kind === 'shadow' ? `${name ?? kind}: ` : ''
}

function recalled({ facts }: FactOf<'memory-recalled'>): string {
  const shown = `donecheck memory show ${facts.map(({ id }) => id).join(' ')}`
  return `from memory: ${plural(facts.length, 'lesson')} of earlier runs (${shown})`
}

function returned({ status, output }: FactOf<'tool-returned'>): Line {
  // Some agents, such as Gemini CLI, do not report tool output.
  const text = output.trim() === '' ? status : `${status}: ${oneLine(output, 120)}`
  return line(status === 'ok' ? 'quiet' : 'warning', text)
}

function refused({ by, reason, label }: FactOf<'tool-refused'>): string {
  const why = label === undefined ? '' : ` (${label})`
  if (by !== 'detector') return `a call was refused by ${by}${why}: ${oneLine(reason, maxTextLength)}`
  return `a call was refused: it goes on with a loop ${/\(\w+\)$/.exec(reason)?.[0] ?? ''}`.trimEnd()
}

function delivered({ status, problem }: FactOf<'reply-delivered'>): Line {
  if (status === 'delivered') return line('quiet', 'the reply is delivered')
  return line(
    'warning',
    `! delivery of the reply ${status}: ${oneLine(problem ?? 'nobody knows why', maxTextLength)}`,
  )
}

function planWords({ entries, leftOut = 0 }: FactOf<'agent-plan-reported'>): string {
  if (entries.length === 0) return 'plan of the agent: empty'
  const done = entries.filter(({ state }) => state === 'completed').length
  const all = `${thousands(entries.length)}${leftOut === 0 ? '' : ` (and ${thousands(leftOut)} more, not read)`}`
  const current = entries.find(({ state }) => state === 'in-progress')
  const now = current === undefined ? '' : `, now: ${oneLine(current.text, 80)}`
  return `plan of the agent: ${thousands(done)} of ${all} done${now}`
}

function subRunStarted({ childRunId, allocated, elsewhere }: FactOf<'sub-run-started'>): string {
  const where = elsewhere === true ? ' elsewhere' : ''
  return `sub-run ${childRunId} begins${where}, with ${capsWords(allocated)}`
}

function subRunEnded({ childRunId, spent, outcome, message }: FactOf<'sub-run-ended'>): string {
  const how = `sub-run ${childRunId}: ${outcome ?? 'not ended'}: ${oneLine(message, 200)}`
  if (spent === null) return `${how} · nobody knows what it spent: all of its budget counts`
  const cost = spent.costUsd === null || spent.costUsd === 0 ? '' : `, $${spent.costUsd.toFixed(4)}`
  return `${how} · ${plural(spent.iterations, 'turn')}, ${plural(totalTokens(spent), 'token')}${cost}`
}

function callWords({ tool, args }: { readonly tool: string; readonly args: JsonValue }): string {
  return `${tool} ${argumentWords(args)}`
}

/** The first value if it is a text, such as a command or a path. */
export function argumentWords(args: JsonValue): string {
  if (typeof args !== 'object' || args === null || Array.isArray(args)) return JSON.stringify(args)
  return Object.entries(args)
    .map(([key, value], index) =>
      typeof value !== 'string' ? `${key}=${JSON.stringify(value)}` : index === 0 ? value : `${key}=${value}`,
    )
    .join(' ')
}

export function changeWords(change: GoalChange): string {
  switch (change.kind) {
    case 'replaced':
      return `another one, ${oneLine(change.objective, 200)}`
    case 'objective-edited':
      return oneLine(change.objective, 200)
    case 'sub-goal-added':
      return `sub-goal ${change.subGoal.id} added: ${oneLine(change.subGoal.title, 200)}`
    case 'sub-goal-edited':
      return `sub-goal ${change.id} is now: ${oneLine(editWords(change), 200)}`
    case 'sub-goal-over-budget':
      return `sub-goal ${change.id} is left, ${oneLine(change.reason, 200)}`
    case 'checks-added':
      return `checks added: ${oneLine(change.checks.map(({ name }) => name).join(', '), 200)}`
    case 'paused':
      return `paused, ${oneLine(change.reason, 200)}`
    case 'resumed':
      return 'resumed'
    case 'cleared':
      return 'cleared'
    case 'wait-began':
      return `waits: ${oneLine(change.reason, 200)}`
    case 'blocker-reported':
      return `blocked, it says: ${oneLine(change.blocker, 200)}`
    case 'progress-reported':
      return `progress, it says: ${oneLine(change.progress, 200)}`
    case 'message-given':
      return `a message, ${oneLine(change.text, 200)}`
    case 'completion-requested':
      return 'it says that it is done, and asks for the checks'
  }
}

function editWords({ title, budget }: Extract<GoalChange, { kind: 'sub-goal-edited' }>): string {
  return [title ?? [], budget === undefined ? [] : `at most ${subGoalBudgetWords(budget)}`].flat().join(', ')
}

export function subGoalBudgetWords({ turns, tokens, costUsd, activeMs }: SubGoalBudget): string {
  return [
    turns === undefined ? [] : plural(turns, 'turn'),
    tokens === undefined ? [] : `${thousands(tokens)} tokens`,
    costUsd === undefined ? [] : `$${costUsd}`,
    activeMs === undefined ? [] : seconds(activeMs),
  ]
    .flat()
    .join(', ')
}

/** Such as `3 turns`, `1,000 tokens`, `$0.5` or `5.0 s`. */
export function amountWords(name: Amount, amount: number): string {
  const { kind } = capTable[name]
  if (kind === 'cost') return `$${Number(amount.toFixed(4))}`
  if (kind === 'time') return seconds(amount)
  return plural(amount, nounOf(name))
}

function budgetWords(budget: Partial<Budget>): readonly string[] {
  const named = amounts.flatMap((name) => {
    const amount = budget[name]
    return amount === undefined ? [] : [amountWords(name, amount)]
  })
  const tools = Object.entries(budget.callsPerTool ?? {}).map(
    ([tool, count]) => `${plural(count, 'call')} of ${oneLine(tool, 40)}`,
  )
  return [...named, ...tools]
}

export function capsWords(caps: Caps): string {
  const parts = budgetWords(budgetOf(caps))
  return parts.length > 0 ? parts.join(', ') : 'none'
}

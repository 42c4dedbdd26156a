import type { RunState } from '@donecheck/core/internal/state'
import { type TopUp, goalControl } from '@donecheck/engine/internal/loop/compose'
import { budgetLines, verdictLines } from '@donecheck/engine/display'
import type { ChatHost } from './host.ts'
import type { Steps } from './session/steps.ts'
import { oneLine, type Line, line } from '@donecheck/core/internal/base'
import { UsageError } from '@donecheck/engine/internal/base'
import { plain, quiet, unquoted } from './screen/screen.ts'

export interface Choice {
  readonly value: string
  readonly description: string
}

export interface SlashCommand {
  readonly name: string
  readonly argument?: string
  readonly help: string
  complete?(session: CommandSession): readonly Choice[] | Promise<readonly Choice[]>
  /** @throws {UsageError} for words that it cannot take */
  perform(words: string, session: CommandSession): void | Promise<void>
}

export interface Answer {
  readonly kind: AnswerKind
  readonly words: string
}

export const answerKinds = ['yes', 'session', 'always', 'no', 'never', 'edit'] as const
export type AnswerKind = (typeof answerKinds)[number]

export interface CommandSession {
  readonly host: ChatHost
  readonly steps: Steps
  readonly run: RunState | undefined
  readonly isWorking: boolean
  /** Whether files were moved by /undo since the checks last ran. */
  readonly isStale: boolean
  readonly waiting: readonly string[]
  readonly show: (lines: readonly Line[]) => void
  readonly showDiff: (diff: string) => void
  /** Continues the run. @param words sent to the agent first; may be empty */
  readonly goOn: (words: string) => Promise<void>
  readonly answer: (answer: Answer) => void
  readonly addTopUp: (topUp: TopUp) => void
  readonly pick: (runId: string) => Promise<void>
  /** @param note sent to the agent with the next message */
  readonly moved: (note: string) => void
  readonly toggleCalls: () => void
  readonly commands: () => readonly SlashCommand[]
  readonly leave: () => void
}

const descriptions: Readonly<Record<AnswerKind, string>> = {
  yes: 'this once',
  session: 'again in this session',
  always: 'by a rule that is kept',
  no: 'with a reason for the agent',
  never: 'by a rule that is kept',
  edit: 'the command that it should run instead',
}

function answerFirst(word: string, words: string, session: CommandSession): void {
  if (word === '') {
    session.show([
      ...session.waiting.map((line) => plain(`  ? ${line}`)),
      quiet(`/approve ${answerKinds.join(' | ')}`),
    ])
    return
  }
  const kind = answerKinds.find((one) => one === word)
  if (kind === undefined) throw new UsageError(`"${word}" is no answer; there are: ${answerKinds.join(', ')}`)
  session.answer({ kind, words })
}

async function allowChanges(words: string, session: CommandSession): Promise<void> {
  const { host, run, show } = session
  const stopped = run?.phase.kind === 'stopped' ? run.phase.transition : undefined
  if (run === undefined || stopped?.reason !== 'awaiting_approval') {
    show([quiet('nothing waits for an answer')])
    return
  }
  if (words === '') {
    show([plain(stopped.message), quiet('/approve all, or /approve <path> …, allows it and goes on')])
    return
  }
  const allowed = await host.allowChanges(run.runId, words === 'all' ? [] : words.split(' '))
  show([plain(`allowed: ${allowed.join(', ')}`)])
  await session.goOn('')
}

function showChecks({ host, run, show, isStale }: CommandSession): void {
  const named = host.checks()
  const lines =
    run === undefined ? named.map((name) => plain(`  · ${name}  (not asked yet)`)) : checkLines(run)
  show(lines.length === 0 ? [quiet('no check is given: /until "npm test" adds one')] : lines)
  if (isStale && run !== undefined) show([staleLine])
}

const staleLine = quiet('  /undo changed files since; your next message will run the checks again')

function checkLines({ settings, checks: known }: RunState): readonly Line[] {
  return settings.verifiers
    .filter(({ role }) => role !== 'guard')
    .flatMap(({ name, required }) => {
      const latest = known[name]?.latest
      if (latest === undefined) return [plain(`  · ${oneLine(name, 100)}  (not asked yet)`)]
      const weight = required ? '' : ' (does not decide)'
      return verdictLines(latest).map(({ tone, text }, index) =>
        line(tone, index === 0 ? `  ${text}${weight}` : `  ${text}`),
      )
    })
}

const maxRuns = 12

const maxUsage = 22

function plainChoice(value: string): Choice {
  return { value, description: '' }
}

export const slashCommands: readonly SlashCommand[] = [
  {
    name: 'until',
    argument: '"<command>"',
    help: 'add a check: it is done once this command exits with 0',
    async perform(words, session) {
      const { host, run, show } = session
      const command = unquoted(words)
      if (command === '') {
        showChecks(session)
        return
      }
      if (!(await host.addCheck(command))) {
        show([quiet(`${oneLine(command, 200)} decides already`)])
        return
      }
      if (run !== undefined && run.goal.status !== 'complete')
        await goalControl(host.store).change(
          run.runId,
          { kind: 'checks-added', checks: [{ name: command, command }] },
          { by: host.person },
        )
      show([
        plain(
          `until: ${host
            .checks()
            .map((name) => oneLine(name, 200))
            .join(' · ')}`,
        ),
      ])
    },
  },
  {
    name: 'goal',
    argument: '[set|add|edit|pause|resume|clear|wait …]',
    help: 'show the goal of the run, or change it, as donecheck goal does',
    complete: () => ['set', 'add', 'edit', 'pause', 'resume', 'clear', 'wait'].map(plainChoice),
    async perform(words, { host, run, show }) {
      if (run === undefined) show([quiet('there is no goal yet: say what is to be done')])
      else show(await host.goal(run.runId, words))
    },
  },
  {
    name: 'checks',
    help: 'what decides that it is done, and what it said last',
    perform: (_words, session) => showChecks(session),
  },
  {
    name: 'budget',
    argument: '[turns=10,…]',
    help: 'what is left of the budget; with amounts, more of it',
    complete: () => ['turns=10', 'tokens=100000', 'cost-usd=1', 'seconds=600'].map(plainChoice),
    async perform(words, session) {
      const { host, run, show, isWorking } = session
      if (words === '') {
        show(run === undefined ? host.budget() : budgetLines(run))
        return
      }
      const added = host.topUp(words)
      if (run === undefined || run.goal.status === 'complete') {
        host.setBudget(added)
        show(host.budget())
        return
      }
      session.addTopUp(added)
      const isSpent = run.phase.kind === 'stopped' && run.phase.transition.reason === 'hard_cap'
      show([plain(isWorking ? 'kept: it counts from when the run goes on the next time' : 'added')])
      if (!isWorking && isSpent) await session.goOn('')
    },
  },
  {
    name: 'approve',
    argument: `[${answerKinds.join('|')} …]`,
    help: 'what waits for an answer, and answer it; after a run, allow changes of its checks by path',
    complete: ({ waiting }) =>
      waiting.length === 0 ? [] : answerKinds.map((value) => ({ value, description: descriptions[value] })),
    async perform(words, session) {
      const [first = '', ...rest] = words.split(' ')
      if (session.waiting.length > 0) answerFirst(first, rest.join(' ').trim(), session)
      else await allowChanges(words, session)
    },
  },
  {
    name: 'undo',
    argument: '[back]',
    help: 'take back what the latest message has changed; back: put it in place again',
    complete: () => [{ value: 'back', description: 'put in place what was taken back' }],
    async perform(words, { steps, isWorking, show, moved }) {
      if (isWorking) throw new UsageError('it is at work: stop the turn first, with Ctrl-C')
      const { lines, changed } = words === 'back' ? await steps.redo() : await steps.undo()
      show(lines)
      if (changed.length === 0) return
      const how = words === 'back' ? 'put in place again' : 'taken back'
      moved(`By the person, since then: the changes of these files were ${how}: ${changed.join(', ')}`)
    },
  },
  {
    name: 'diff',
    argument: '[last]',
    help: 'what has changed since the session began; last: by the latest message',
    complete: () => [{ value: 'last', description: 'by the latest message' }],
    async perform(words, { steps, show, showDiff }) {
      const { diff: text, lines } = await steps.difference(words === 'last' ? 'last' : 'session')
      show(lines)
      if (text !== '') showDiff(text)
    },
  },
  {
    name: 'model',
    argument: '[model|agent]',
    help: 'show what drives, or choose another model or agent for the next message',
    async complete({ host }) {
      return (await host.agents()).map(plainChoice)
    },
    async perform(words, { host, show }) {
      if (words !== '') await host.chooseAgent(words)
      const agent = host.agent()
      show([
        plain(
          agent === '' ? 'nothing is chosen: /model openai/gpt-5, /model claude, …' : `driven by ${agent}`,
        ),
      ])
    },
  },
  {
    name: 'why',
    help: 'why the run ended as it did, or why it is not done',
    async perform(_words, { host, run, show, isStale }) {
      show(run === undefined ? [quiet('nothing has run yet')] : await host.explain(run.runId))
      if (isStale && run !== undefined) show([staleLine])
    },
  },
  {
    name: 'resume',
    argument: '[run [words]]',
    help: 'list earlier runs, or go on with one',
    async complete({ host }) {
      const runs = await host.runs()
      return runs.slice(0, maxRuns).map(({ runId, task, outcome = 'not ended' }) => ({
        value: runId,
        description: `${outcome}: ${oneLine(task, 60)}`,
      }))
    },
    async perform(words, session) {
      const { host, show } = session
      if (words === '') {
        const runs = (await host.runs()).slice(0, maxRuns)
        const lines = runs.map(({ runId, task, outcome = 'not ended' }) =>
          plain(`  ${runId}  ${outcome.padEnd(11)}  ${oneLine(task, 60)}`),
        )
        show(lines.length === 0 ? [quiet('there are no earlier runs here')] : lines)
        return
      }
      const [wanted = '', ...rest] = words.split(' ')
      await session.pick(await host.findRun(wanted))
      await session.goOn(rest.join(' ').trim())
    },
  },
  {
    name: 'open',
    help: 'open what is folded of the latest calls, or fold it (Ctrl-O)',
    perform: (_words, session) => session.toggleCalls(),
  },
  {
    name: 'help',
    help: 'this list',
    perform(_words, { commands, show }) {
      const rows = commands().map((command) => ({
        ...command,
        usage: `/${command.name} ${command.argument ?? ''}`.trim(),
      }))
      const wide = Math.max(...rows.map(({ usage }) => Math.min(usage.length, maxUsage)))
      show([
        ...rows.map(({ usage, help: text }) => plain(`  ${usage.padEnd(wide)}  ${text}`)),
        quiet(
          'Enter sends · Ctrl-J breaks the line · ↑ ↓ earlier words · Tab completes · Ctrl-O opens calls',
        ),
        quiet(
          'Ctrl-C stops the turn · typing while it works steers · Ctrl-D leaves · // begins words with a slash',
        ),
      ])
    },
  },
  {
    name: 'quit',
    help: 'leave; what is going on is stopped first (Ctrl-D)',
    perform: (_words, session) => session.leave(),
  },
]

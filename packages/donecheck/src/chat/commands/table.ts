/** The slash commands. What is listed, completed, helped and tested comes from here. */
import { oneLine } from '@donecheck/core/base'
import type { Choice, SlashCommand } from './command.ts'
import { approve } from './approve.ts'
import { checks, staleLine, until } from './checks.ts'
import { quiet, plain } from './said.ts'
import { budgetLines } from '@donecheck/engine/report'
import { UsageError } from '@donecheck/engine/base'

const undo: SlashCommand = {
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
}

const diff: SlashCommand = {
  name: 'diff',
  argument: '[last]',
  help: 'what has changed since the session began; last: by the latest message',
  complete: () => [{ value: 'last', description: 'by the latest message' }],
  async perform(words, { steps, show, showDiff }) {
    const { diff: text, lines } = await steps.difference(words === 'last' ? 'last' : 'session')
    show(lines)
    if (text !== '') showDiff(text)
  },
}

const budget: SlashCommand = {
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
}

const goal: SlashCommand = {
  name: 'goal',
  argument: '[set|add|edit|pause|resume|clear|wait …]',
  help: 'show the goal of the run, or change it, as donecheck goal does',
  complete: () => ['set', 'add', 'edit', 'pause', 'resume', 'clear', 'wait'].map(plainChoice),
  async perform(words, { host, run, show }) {
    if (run === undefined) show([quiet('there is no goal yet: say what is to be done')])
    else show(await host.goal(run.runId, words))
  },
}

const model: SlashCommand = {
  name: 'model',
  argument: '[model|agent]',
  help: 'show what drives, or choose another model or agent for the next message',
  async complete({ host }) {
    return (await host.drives()).map(plainChoice)
  },
  async perform(words, { host, show }) {
    if (words !== '') await host.chooseDrive(words)
    const drive = host.drive()
    show([
      plain(drive === '' ? 'nothing is chosen: /model openai/gpt-5, /model claude, …' : `driven by ${drive}`),
    ])
  },
}

const why: SlashCommand = {
  name: 'why',
  argument: '',
  help: 'why the run ended as it did, or why it is not done',
  async perform(_words, { host, run, show, isStale }) {
    show(run === undefined ? [quiet('nothing has run yet')] : await host.explain(run.runId))
    if (isStale && run !== undefined) show([staleLine])
  },
}

const maxRuns = 12

const resume: SlashCommand = {
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
}

const open: SlashCommand = {
  name: 'open',
  argument: '',
  help: 'open what is folded of the latest calls, or fold it (Ctrl-O)',
  perform: (_words, session) => session.toggleCalls(),
}

const help: SlashCommand = {
  name: 'help',
  argument: '',
  help: 'this list',
  perform(_words, { commands, show }) {
    const rows = commands().map((command) => ({
      ...command,
      usage: `/${command.name} ${command.argument}`.trim(),
    }))
    const wide = Math.max(...rows.map(({ usage }) => Math.min(usage.length, maxUsage)))
    show([
      ...rows.map(({ usage, help: text }) => plain(`  ${usage.padEnd(wide)}  ${text}`)),
      quiet('Enter sends · Ctrl-J breaks the line · ↑ ↓ earlier words · Tab completes · Ctrl-O opens calls'),
      quiet(
        'Ctrl-C stops the turn · typing while it works steers · Ctrl-D leaves · // begins words with a slash',
      ),
    ])
  },
}

const maxUsage = 22

const quit: SlashCommand = {
  name: 'quit',
  argument: '',
  help: 'leave; what is going on is stopped first (Ctrl-D)',
  perform: (_words, session) => session.leave(),
}

function plainChoice(value: string): Choice {
  return { value, description: '' }
}

export const slashCommands: readonly SlashCommand[] = [
  until,
  goal,
  checks,
  budget,
  approve,
  undo,
  diff,
  model,
  why,
  resume,
  open,
  help,
  quit,
]

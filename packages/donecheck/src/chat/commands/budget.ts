/** `/budget`: what is left, and more of it. */
import { budgetLines } from '@donecheck/engine/report'
import type { SlashCommand } from './command.ts'
import { plain } from './said.ts'

export const budget: SlashCommand = {
  name: 'budget',
  argument: '[turns=10,…]',
  help: 'what is left of the budget; with amounts, more of it',
  complete: () =>
    ['turns=10', 'tokens=100000', 'cost-usd=1', 'seconds=600'].map((value) => ({
      value,
      description: '',
    })),
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

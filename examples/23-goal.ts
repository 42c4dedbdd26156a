/**
 * A goal with parts, each of which its own check closes. Somebody wants one part more while the run goes on: it is told to the
 * agent before its next turn, and the run is not over before that part is closed too.
 */
import { command, createAgentLoop, scriptedAgent } from 'donecheck'
import type { GoalChange } from '@donecheck/core'
import { progressOf } from '@donecheck/core'
import { hasPassed } from '@donecheck/core'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

const workFolder = mkdtempSync(path.join(tmpdir(), 'donecheck-example-'))
const write = (name: string) => writeFileSync(path.join(workFolder, name), 'hello\n')

const part = (id: string, check: string, after: readonly string[] = []) => {
  return { id, title: `write ${id}`, checks: [check], after, parentId: null, isProposed: false }
}
const more: GoalChange = {
  kind: 'sub-goal-added',
  subGoal: part('translation', 'the translation', ['greeting']),
  checks: [{ name: 'the translation', command: 'test -f bonjour.txt' }],
}

/** As `donecheck goal add last "write translation" --until "test -f bonjour.txt"` does it from a second terminal. */
const mia = (runId: string) => loop.goal.change(runId, more, { by: 'Mia' })

const agent = scriptedAgent(
  [
    async ({ runId }) => (write('hello.txt'), await mia(runId), 'The greeting is there.'),
    () => (write('notes.txt'), 'Now the notes are there: all is done!'),
    () => (write('bonjour.txt'), 'And the translation.'),
  ],
  { description: { sideEffects: true } },
)
const [greeting, notes] = ['test -f hello.txt', 'test -f notes.txt']
const loop = createAgentLoop({
  agent,
  workFolder,
  hardVerifiers: [command(greeting), command(notes)],
  hardCap: { iterations: 10 },
})
const run = loop.run('Write a greeting, and notes on it.', {
  subGoals: [part('greeting', greeting), part('notes', notes)],
})

for await (const { event, state } of run.moments()) {
  if (event.type === 'goal-changed') console.log(`${event.by} wants more: ${event.change.kind}`)
  if (event.type !== 'turn-ended') continue
  const { closed, leaves } = progressOf(state.goal, hasPassed(state))
  console.log(`turn ${event.turn}: ${closed} of ${leaves} parts are closed`)
}
const { transition, state } = await run
rmSync(workFolder, { recursive: true })
console.log(`${transition.outcome}: the goal is ${state.goal.status} after ${state.goal.spent.turns} turns`)

// prints: verified: the goal is complete after 3 turns

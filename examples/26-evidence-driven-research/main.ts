/**
 * Research that follows its evidence: a source that is cited refers to others, each of which becomes a question of its own, and the
 * run is not over before all are answered with words that stand where the report says. Words that were made up are sent back.
 * Where there is nothing to cite, the run ends as blocked, whatever is claimed.
 */
import { command, createAgentLoop, exitCodeOf, scriptedAgent, type AgentLoop, type RunEvent } from 'donecheck'
import { progressOf } from '@donecheck/core'
import { hasPassed } from '@donecheck/core'
import { countingIds, manualClock } from '@donecheck/engine/testing'
import { citations } from '@donecheck/engine/verify'
import assert from 'node:assert/strict'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { assertGolden, decisionsOf } from '../golden.ts'
import { answeredIn, checkOf, gapsOf, question, reportFile, writeReport } from './researcher.ts'

const firstQuestion = 'durable-state'
const inventsInTurn = 2

function researcher(folder: string, loop: () => AgentLoop) {
  const asked = new Set([firstQuestion])
  const answerNext = async (name: string | undefined, runId: string, turn: number) => {
    const questions = [...new Set([...answeredIn(folder), ...(name === undefined ? [] : [name])])]
    writeReport(folder, questions, turn === inventsInTurn)
    for (const gap of name === undefined ? [] : gapsOf(folder, [...asked], name)) {
      asked.add(gap)
      const checks = [{ name: checkOf(gap), command: checkOf(gap) }]
      await loop().goal.change(
        runId,
        { kind: 'sub-goal-added', subGoal: question(gap), checks },
        { by: `a gap in ${name}` },
      )
    }
    return `${questions.length} questions are answered.`
  }
  return scriptedAgent(
    [({ goal, runId, turn }) => answerNext(goal?.open.find(({ isNext }) => isNext)?.id, runId, turn)],
    { repeatLast: true, description: { sideEffects: true } },
  )
}

async function research(corpus: string | null) {
  const folder = mkdtempSync(path.join(tmpdir(), 'donecheck-example-'))
  mkdirSync(path.join(folder, 'corpus'))
  if (corpus !== null) cpSync(corpus, path.join(folder, 'corpus'), { recursive: true })
  const loop = createAgentLoop({
    agent: researcher(folder, () => loop),
    workFolder: folder,
    hardVerifiers: [
      citations({ name: 'citations', sources: ['corpus/*.md'], source: { file: reportFile } }),
      command(checkOf(firstQuestion)),
    ],
    maxParallelChecks: 1,
    guard: { protect: ['corpus/**'] },
    hardCap: { iterations: 10, modelCalls: 20 },
    clock: manualClock(),
    ids: countingIds(),
  })
  const run = loop.run('Compare the ways to keep state in workflows that run for long.', {
    subGoals: [question(firstQuestion)],
  })
  const events: RunEvent[] = []
  for await (const event of run) events.push(event)
  const report = corpus === null ? '' : readFileSync(path.join(folder, reportFile), 'utf8')
  rmSync(folder, { recursive: true })
  return { ...(await run), events, report }
}

const found = await research(path.join(import.meta.dirname, 'corpus'))
for (const event of found.events) {
  if (event.type === 'goal-changed') console.log(`question after ${event.by}: ${event.change.kind}`)
  if (event.type === 'verdict-given' && event.verdict.status === 'failed') console.log(event.verdict.reason)
}
const { verdicts, report, state } = found
const cited = verdicts.find(({ verifier }) => verifier.includes('citations'))
console.log(cited?.reason)
assert.equal(exitCodeOf[found.transition.outcome], 0)
assert.deepEqual(progressOf(state.goal, hasPassed(state)).leaves, 4)
assert.ok(
  report.includes('"Memory may be stale, so it needs evidence and never replaces state." [source: memory]'),
)
assert.equal(cited?.status, 'passed')

const nothing = await research(null)
console.log(nothing.transition.message)
assert.equal(nothing.transition.reason, 'blocked')
assert.equal(exitCodeOf[nothing.transition.outcome], 5)

const decisions = decisionsOf(found.events) + decisionsOf(nothing.events)
assertGolden(path.join(import.meta.dirname, 'decisions.txt'), decisions)
console.log(
  `${found.transition.outcome}: ${state.goal.subGoals.length} questions in ${found.usage.iterations} turns; nothing to cite: ${nothing.transition.outcome}`,
)

// prints: verified: 4 questions in 5 turns; nothing to cite: blocked

/**
 * A text is refined until programs and a critic are content, in four rounds at most: the first draft fails, the second is better,
 * the third mends one thing and breaks three, the fourth passes. A writer that goes back and forth is ended as `stagnated`.
 */
import { createAgentLoop, exitCodeOf, scriptedAgent, type RunEvent } from 'donecheck'
import { judgeCheck } from '@donecheck/engine/judge'
import { countingIds, manualClock } from '@donecheck/engine/testing'
import { forbiddenPatterns, requiredItems, responseLength } from '@donecheck/engine/verify'
import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { assertGolden, decisionsOf } from '../golden.ts'
import { critic, rubric } from './critic.ts'

const task =
  'Explain in 180 to 260 words why a program must decide when an agent is done. Write it to explanation.md.'
const source = { file: 'explanation.md' }
const hardVerifiers = [
  responseLength({ words: { min: 180, max: 260 } }, { name: 'length', source }),
  requiredItems(['For example'], { name: 'example', source }),
  requiredItems(['Generation', 'Verification', 'confirm'], { name: 'two jobs', source }),
  forbiddenPatterns([/studies show|according to/iu], { name: 'no borrowed authority', source }),
  judgeCheck(critic, { rubric, trusted: true }),
]

const draft = (number: number) => readFileSync(path.join(import.meta.dirname, `drafts/${number}.md`), 'utf8')

/** @param order numbers of the drafts that the writer hands in, one a turn */
async function refine(order: readonly number[]) {
  const workFolder = mkdtempSync(path.join(tmpdir(), 'donecheck-example-'))
  const agent = scriptedAgent(
    order.map((number) => () => {
      writeFileSync(path.join(workFolder, source.file), draft(number))
      return draft(number)
    }),
    { description: { sideEffects: true } },
  )
  const loop = createAgentLoop({
    agent,
    workFolder,
    hardVerifiers,
    maxParallelChecks: 1,
    hardCap: { iterations: 10, modelCalls: 15 },
    softVerifiers: { stagnation: { patienceVerifications: 3 } },
    clock: manualClock(),
    ids: countingIds(),
  })
  const run = loop.run(task)
  const events: RunEvent[] = []
  for await (const event of run) events.push(event)
  const text = readFileSync(path.join(workFolder, source.file), 'utf8')
  rmSync(workFolder, { recursive: true })
  return { ...(await run), events, text }
}

const refined = await refine([1, 2, 3, 4])
for (const event of refined.events) {
  if (event.type === 'verdict-given' && event.verdict.status !== 'passed')
    console.log(`${event.verdict.verifier}: ${event.verdict.reason}`)
}
const scores = refined.state.activity.verifications.slice(1).map(({ score }) => Math.round(score * 100))
assert.deepEqual(scores, [25, 92, 25, 100], 'fails, improves, oscillates, passes')
assert.equal(refined.text, draft(4))
assert.equal(refined.transition.reason, 'task_complete')
assert.equal(exitCodeOf[refined.transition.outcome], 0)

const circling = await refine([1, 2, 1, 2, 1, 2, 1, 2])
assert.equal(circling.transition.reason, 'stagnated')
assert.equal(exitCodeOf[circling.transition.outcome], 3)

const decisions = decisionsOf(refined.events) + decisionsOf(circling.events)
assertGolden(path.join(import.meta.dirname, 'decisions.txt'), decisions)
const words = refined.text.trim().split(/\s+/u).length
console.log(
  `${refined.transition.outcome} after ${refined.usage.iterations} rounds, ${words} words; in circles: ${circling.transition.reason}`,
)

// prints: verified after 4 rounds, 229 words; in circles: stagnated

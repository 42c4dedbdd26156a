/**
 * Golden decisions: what is decided after each event of an example stands in a file beside it. A decision that changes, and a file
 * that is missing, make the example fail. `UPDATE_GOLDEN=1 npm run examples` writes the files anew: read the difference.
 */
import assert from 'node:assert/strict'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import type { RunEvent } from 'donecheck'
import { decide } from '@donecheck/core'
import { loopDetection } from '@donecheck/core'
import { stagnation } from '@donecheck/core'
import { evolve, type RunState } from '@donecheck/core'
import { standardJudgement } from '@donecheck/core/testing'

const judgement = {
  ...standardJudgement,
  rules: [...standardJudgement.rules, loopDetection, stagnation],
}

/** What differs from run to run, and texts for people. */
const leftOut: readonly string[] = [
  ...['deadlineMs', 'delayMs', 'maxOutputTokens', 'attempt'],
  ...['feedback', 'summary', 'basedOn', 'numbers', 'advice', 'key'],
]

/** What is decided, a line for each event that brings another decision. Which of its checks a verification still waits for is none. */
export function decisionsOf(events: Iterable<RunEvent>): string {
  let lines = ''
  let last = ''
  let state: RunState | undefined
  for (const event of events) {
    state = evolve(state, event)
    const decision = decide(state, judgement)
    const words = JSON.stringify(decision, (key, value: unknown) =>
      leftOut.includes(key) ? undefined : value,
    )
    const about = decision.kind === 'verify' ? `${decision.kind} ${decision.trigger}` : words
    if (about !== last) lines += `${event.sequence} ${event.type} → ${words}\n`
    last = about
  }
  return lines
}

/** @throws {AssertionError} where the file is missing, or says something else */
export function assertGolden(file: string, decisions: string): void {
  if (process.env['UPDATE_GOLDEN'] === '1') writeFileSync(file, decisions)
  assert.ok(existsSync(file), `${file} is missing: UPDATE_GOLDEN=1 writes it`)
  assert.equal(decisions, readFileSync(file, 'utf8'), `${file} says something else`)
}

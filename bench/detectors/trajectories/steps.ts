import type { Step } from '../detector.ts'
import type { RecordedRun } from './recorded-run.ts'

/** The run as a detector sees it: per turn the reply, its calls, and what was said back. */
export function stepsOf(run: RecordedRun): Step[] {
  const steps: Step[] = []
  let index = 0
  for (const [turn, { text, toolCalls, reply }] of run.turns.entries()) {
    steps.push({ kind: 'reply', turn, text: text ?? '', calls: toolCalls.length })
    for (const { name, ...call } of toolCalls) {
      steps.push({ kind: 'call', index, turn, tool: name, ...call })
      index += 1
    }
    if (reply != null) steps.push({ kind: 'message', turn, text: reply })
  }
  return steps
}

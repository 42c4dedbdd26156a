/** A whole run as Markdown, for a job summary or a comment: the checks, how it ended, and what happened turn by turn. */
import { fold } from '@donecheck/core/state'
import type { RunEvent } from '@donecheck/core/events'
import { finalLine } from '../lines/final-line.ts'
import { timeline } from '../lines/timeline.ts'
import type { CheckedReport } from './check-results.ts'
import { githubReport } from './github.ts'
import { plainText } from './plain-text.ts'

/** UTF-16 units of the timeline: with the tables it is what a comment of GitHub may hold. */
const maxTimeline = 30_000

/** What was said by others stands in cells and fences that it cannot leave. */
export function markdownReport(events: readonly RunEvent[], checked: CheckedReport): string {
  const state = fold(events)
  const lines = timeline(events).map(({ text }) => plainText(text))
  const parts = [
    githubReport(checked).summary.trimEnd(),
    ...(state?.phase.kind === 'stopped' ? [fenced(plainText(finalLine(state)))] : []),
    `<details><summary>Timeline</summary>\n\n${fenced(lastUnits(lines.join('\n')))}\n\n</details>`,
  ]
  return `${parts.join('\n\n')}\n`
}

/** The end says more than the beginning. */
function lastUnits(text: string): string {
  return text.length <= maxTimeline ? text : `…\n${text.slice(-maxTimeline).toWellFormed()}`
}

function fenced(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length))
  const fence = '`'.repeat(longest + 1)
  return `${fence}text\n${text}\n${fence}`
}

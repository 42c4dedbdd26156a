import type picocolors from 'picocolors'
import type { ToolEffect } from '@donecheck/core/events'
import type { ApprovalQuestion } from '@donecheck/engine/ports/gate'
import { detailsOf, visibleLine, visibleText } from '@donecheck/engine/approvals'

export type Colours = ReturnType<typeof picocolors.createColors>

const effects: Readonly<Record<ToolEffect, string>> = {
  read: 'reads',
  write: 'changes files',
  execute: 'runs a command',
}

/** The question as text for a terminal: what would be done, why it is asked, and what would change. Ends with a line feed. */
export function showQuestion(question: ApprovalQuestion, colours: Colours): string {
  const { tool, effect, summary, reason, preview } = question
  const title = `${colours.bold(visibleLine(summary))} ${colours.dim(`(${visibleLine(tool)}: ${effects[effect]})`)}`
  const head = `\n${title}\n${colours.dim(visibleLine(reason))}\n`
  const details = detailsOf(question)
  if (details === '') return head
  const body = preview === undefined ? visibleText(details) : showDiff(details, colours)
  return `${head}${body.trimEnd()}\n`
}

function showDiff(preview: string, colours: Colours): string {
  return visibleText(preview)
    .split('\n')
    .map((line) => colourOf(line, colours)(line))
    .join('\n')
}

function colourOf(line: string, colours: Colours): (text: string) => string {
  if (line.startsWith('+++ ') || line.startsWith('--- ')) return colours.bold
  if (line.startsWith('@@')) return colours.cyan
  if (line.startsWith('+')) return colours.green
  return line.startsWith('-') ? colours.red : String
}

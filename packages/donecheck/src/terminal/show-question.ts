import type { ToolEffect } from '@donecheck/core/events'
import type { ApprovalQuestion } from '@donecheck/engine/ports/gate'
import type { Colours, KeyQuestion } from './key-prompt.ts'
import { guardCallId } from '@donecheck/engine/ports/questions'
import { detailsOf, visibleLine, visibleText } from '@donecheck/engine/approvals'

const effects: Readonly<Record<ToolEffect, string>> = {
  read: 'reads',
  write: 'changes files',
  execute: 'runs a command',
}

/** The question as one line, such as `allow: npm install left-pad`, and what is above it until it is answered. */
export function questionLines(
  question: ApprovalQuestion,
): Pick<KeyQuestion<string>, 'text' | 'textInFull' | 'details' | 'why'> {
  const { tool, effect, reason, action, summary, callId } = question
  const line = visibleLine(summary).replace(/^run /u, '')
  const text = callId === guardCallId ? line : `allow: ${line}`
  const why = visibleLine(reason.replace(/^`[^]*` requires approval: /u, ''))
  if (action?.kind !== 'command')
    return { text, textInFull: line, why: `${why} (${visibleLine(tool)}: ${effects[effect]})` }
  // Whoever allows a command must have seen all of it.
  const details = visibleText(detailsOf(question)).trimEnd()
  return details === '' ? { text, textInFull: line, why } : { text, details: details.split('\n'), why }
}

/** What would be changed, or the arguments of a call: it stays on the screen. Ends with a line feed if it is not empty. */
export function showQuestion(question: ApprovalQuestion, colours: Colours): string {
  if (question.action?.kind === 'command') return ''
  const details = detailsOf(question)
  const body = question.preview === undefined ? visibleText(details) : showDiff(details, colours)
  return details === '' ? '' : `\n${body.trimEnd()}\n`
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

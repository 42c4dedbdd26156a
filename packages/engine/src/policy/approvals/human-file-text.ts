/** The texts of a question and an answer in files. Pure. */
import type { HumanAnswer, HumanQuestion } from '../../ports/checks.ts'
import { visibleLine, visibleText } from './visible.ts'

/** The details are quoted, line by line: nothing that the drive wrote into them can pose as the rest of the file. */
export function questionText(
  { check, question, details }: HumanQuestion,
  id: string,
  answerName: string,
): string {
  const quotedDetails = visibleText(details)
    .split('\n')
    .map((line) => `> ${line}`.trimEnd())
  return [
    `# ${visibleLine(question)}`,
    '',
    `Check: ${visibleLine(check)}`,
    '',
    ...quotedDetails,
    '',
    `To answer, write the file \`${answerName}\` beside this one. Its first line is \`approve\` or \`deny\`:`,
    '',
    '```',
    'approve',
    `question: ${id}`,
    'by: your name',
    'reason: why',
    '```',
    '',
  ].join('\n')
}

/** What stands in an answer's file. Whatever is not clearly an answer to this question is none. */
export function answerIn(text: string, id: string, file: string): HumanAnswer {
  const [verdict = '', ...rest] = text.trim().split(/\r?\n/u)
  const fields = fieldsOf(rest)
  const kind = wordOf(verdict)
  if (kind === undefined) return unansweredYet(`an answer in ${file} whose first line is "approve" or "deny"`)
  if (fields['question'] !== id) return unansweredYet(`an answer in ${file} with the line "question: ${id}"`)
  const { by = '', reason = '' } = fields
  return { kind, by: by === '' ? 'file' : by, reason }
}

function wordOf(line: string): 'approved' | 'denied' | undefined {
  switch (line.trim().toLowerCase()) {
    case 'approve':
      return 'approved'
    case 'deny':
      return 'denied'
    default:
      return undefined
  }
}

/** `name: value`; the reason may go on to the end. */
function fieldsOf(lines: readonly string[]): Readonly<Record<string, string>> {
  const fields: Record<string, string> = {}
  for (const [index, line] of lines.entries()) {
    const [, name = '', value = ''] = /^\s*(question|by|reason)\s*:(.*)$/iu.exec(line) ?? []
    if (name.toLowerCase() === 'reason') {
      fields['reason'] = [value, ...lines.slice(index + 1)].join('\n').trim()
      break
    }
    if (name !== '') fields[name.toLowerCase()] = value.trim()
  }
  return fields
}

function unansweredYet(waitingFor: string): HumanAnswer {
  return { kind: 'unanswered', waitingFor }
}

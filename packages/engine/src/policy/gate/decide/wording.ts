/** The sentences of the gate. Those about rules are worded as in Codex, so that models know them. */
import type { FoundCommand, Obstacle } from '../../../analysis/shell/index.ts'

const maxQuoteLength = 200

/** A command as it stands in the line, on one line and not too long. */
export function quoteCommand(script: string, command: Pick<FoundCommand, 'span' | 'words'>): string {
  const { span, words } = command
  const text = span === null ? words.map(({ written }) => written).join(' ') : script.slice(...span)
  return shortenText(text)
}

export function shortenText(text: string): string {
  const line = text.replaceAll(/\s+/gu, ' ').trim()
  const characters = Array.from(line)
  return characters.length <= maxQuoteLength ? line : `${characters.slice(0, maxQuoteLength - 1).join('')}…`
}

export function rejectionByRule(command: string, prefix: readonly string[], justification?: string): string {
  return justification === undefined
    ? `\`${command}\` rejected: policy forbids commands starting with \`${prefix.join(' ')}\``
    : `\`${command}\` rejected: ${justification}`
}

export function questionByRule(command: string, justification?: string): string {
  return justification === undefined
    ? `\`${command}\` requires approval by policy`
    : `\`${command}\` requires approval: ${justification}`
}

export function undecidable([first, ...others]: readonly Obstacle[]): string {
  const more = others.length === 0 ? '' : `, and ${others.length} more`
  return `it cannot be told what this would run: ${first?.reason ?? 'nothing is known'}${more}`
}

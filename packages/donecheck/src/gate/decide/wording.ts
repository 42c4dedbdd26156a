/** The sentences of the gate. Those about rules are worded as in Codex, so that models know them. */
import type { Decomposition, FoundCommand } from '../../shell/index.ts'

const longestQuote = 200

/** A command as it stands in the line, on one line and not too long. */
export function quoted(script: string, command: Pick<FoundCommand, 'span' | 'words'>): string {
  const { span, words } = command
  const text = span === null ? words.map(({ written }) => written).join(' ') : script.slice(...span)
  return shortened(text)
}

export function shortened(text: string): string {
  const line = text.replaceAll(/\s+/gu, ' ').trim()
  const characters = Array.from(line)
  return characters.length <= longestQuote ? line : `${characters.slice(0, longestQuote - 1).join('')}…`
}

export function rejectedByRule(command: string, prefix: readonly string[], justification?: string): string {
  return justification === undefined
    ? `\`${command}\` rejected: policy forbids commands starting with \`${prefix.join(' ')}\``
    : `\`${command}\` rejected: ${justification}`
}

export function askedByRule(command: string, justification?: string): string {
  return justification === undefined
    ? `\`${command}\` requires approval by policy`
    : `\`${command}\` requires approval: ${justification}`
}

export function undecidable({ obstacles }: Pick<Decomposition, 'obstacles'>): string {
  const [first, ...others] = obstacles
  const more = others.length === 0 ? '' : `, and ${others.length} more`
  return `it cannot be told what this would run: ${first?.reason ?? 'nothing is known'}${more}`
}

import type { Command, HelpConfiguration } from 'commander'
import { wrapText } from '../output/wrap.ts'

const indent = '  '

export const helpLayout: HelpConfiguration = {
  subcommandTerm: (command) => {
    const words = command.registeredArguments.map((argument) => {
      const name = `${argument.name()}${argument.variadic ? '...' : ''}`
      return argument.required ? `<${name}>` : `[${name}]`
    })
    return [command.name(), ...words].join(' ')
  },
  // Longer terms put their description on the next line.
  padWidth: (command, helper) =>
    Math.min(
      Math.floor((helper.helpWidth ?? 80) * 0.38),
      Math.max(
        helper.longestOptionTermLength(command, helper),
        helper.longestSubcommandTermLength(command, helper),
        helper.longestArgumentTermLength(command, helper),
      ),
    ),
  formatItem(term, termColumns, description, { helpWidth = 80 }) {
    const margin = ' '.repeat(termColumns + 2 * indent.length)
    const lines = wrapText(description, helpWidth - margin.length)
    const [first = '', ...rest] = term.length > termColumns ? ['', ...lines] : lines
    const head = `${indent}${term.padEnd(termColumns)}${indent}${first}`.trimEnd()
    return [head, ...rest.map((line) => `${margin}${line}`)].join('\n')
  },
}

/** Wraps the text; commands stay valid when wrapped. */
export function helpText(text: string): (context: { readonly command: Command }) => string {
  return ({ command }) => {
    const columns = command.configureOutput().getOutHelpWidth?.() ?? 80
    const wrapped = (line: string) =>
      line.startsWith(prompt) ? wrapCommand(line, columns) : wrapText(line, columns).join('\n')
    return text.split('\n').map(wrapped).join('\n')
  }
}

const prompt = '  $ '
const shellWord = /(?:"[^"]*"|'[^']*'|[^\s"'])+/g

function wrapCommand(line: string, columns: number): string {
  const lines: string[] = []
  let open = '  $'
  for (const word of line.slice(prompt.length).match(shellWord) ?? []) {
    const isFull = `${open} ${word} \\`.length > columns
    if (isFull) lines.push(`${open} \\`)
    open = isFull ? `      ${word}` : `${open} ${word}`
  }
  return [...lines, open].join('\n')
}

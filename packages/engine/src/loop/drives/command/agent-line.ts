import { UsageError } from '../../../base/index.ts'

const placeholder = '{prompt}'

export interface AgentLine {
  /** For the shell: the prompt is its first argument, `$1`. */
  readonly shell: string
  /** False: the prompt goes to its standard input. */
  readonly takesArgument: boolean
}

/** An escaped character, a quoted text, a text between them, or a quote that nothing closes. */
const token = /\\.|'[^']*'|"(?:\\.|[^"\\])*"|[^\\'"]+|./gs

/**
 * Puts `"$1"` where `{prompt}` stands, with or without quotes around it: the shell hands the prompt on and never reads it.
 * @throws {UsageError} for an empty line, and for a `{prompt}` inside a longer quoted text: a second shell, as in
 * `bash -c "agent {prompt}"`, would read it
 */
export function parseAgentLine(line: string): AgentLine {
  if (line.trim() === '')
    throw new UsageError(`an agent needs a command, such as "my-agent ${placeholder}"; this one is empty`)
  let takesArgument = false
  const shell = line.replace(token, (piece) => {
    if (!piece.includes(placeholder)) return piece
    takesArgument = true
    if (!isQuoted(piece)) return piece.replaceAll(placeholder, '"$1"')
    if (piece.slice(1, -1) === placeholder) return '"$1"'
    throw new UsageError(
      `${placeholder} stands inside a longer quoted text in ${line}; write it as a word of its own, such as --message ${placeholder}`,
    )
  })
  return { shell, takesArgument }
}

function isQuoted(piece: string): boolean {
  return piece.startsWith("'") || piece.startsWith('"')
}

import type {
  Command,
  CommandExpansionPart,
  ProcessSubstitutionPart,
  Redirection,
  Word,
  WordPart,
} from 'unbash'

export type Substitution = CommandExpansionPart | ProcessSubstitutionPart

/** Program and arguments without quotes; expansions stay as they are written. */
export function wordsOf(command: Command): readonly string[] {
  const args = command.args.map((arg) => (arg.type === 'Word' ? arg.value : arg.text))
  return command.name === undefined ? [] : [command.name.value, ...args]
}

/** Whether the word is only known when it runs. */
export function isExpanded({ parts = [] }: Word): boolean {
  return parts.some(isExpansion)
}

function isExpansion(part: WordPart): boolean {
  switch (part.type) {
    case 'SimpleExpansion':
    case 'ParameterExpansion':
    case 'CommandExpansion':
    case 'ArithmeticExpansion':
    case 'ProcessSubstitution':
      return true
    case 'DoubleQuoted':
    case 'LocaleString':
      return part.parts.some(isExpansion)
    case 'Literal':
    case 'Glob':
    case 'SingleQuoted':
    case 'AnsiCQuoted':
    case 'ExtendedGlob':
    case 'BraceExpansion':
      return false
  }
}

/** Every `$(…)`, backtick and `<(…)` of a command's words, assignments and redirections. */
export function substitutionsOf(command: Command): readonly Substitution[] {
  const words = [command.name, ...command.args, ...command.prefix].flatMap((word) => {
    if (word === undefined) return []
    if (word.type === 'Word') return [word]
    if (word.type !== 'Assignment') return redirectionWords(word)
    return word.value.type === 'Word' ? [word.value] : [...word.value.elements]
  })
  return [...words, ...command.redirects.flatMap(redirectionWords)].flatMap(({ parts = [] }) =>
    parts.flatMap(substitutionsIn),
  )
}

function redirectionWords(
  redirection: Redirection,
): readonly { readonly parts?: readonly WordPart[] | undefined }[] {
  if (redirection.type === 'HereDoc') return [redirection.body]
  return redirection.target === undefined ? [] : [redirection.target]
}

export function substitutionsIn(part: WordPart): readonly Substitution[] {
  switch (part.type) {
    case 'CommandExpansion':
    case 'ProcessSubstitution':
      return [part]
    case 'DoubleQuoted':
    case 'LocaleString':
      return part.parts.flatMap(substitutionsIn)
    case 'ParameterExpansion': {
      const operation = part.operation
      return operation?.type === 'Default' ? (operation.operand.parts ?? []).flatMap(substitutionsIn) : []
    }
    default:
      return []
  }
}

/** Shown in a sentence: on one line and not too long. */
export function shownText(text: string): string {
  const line = text.trim().replace(/\s+/g, ' ')
  return line.length > longestShown ? `${line.slice(0, longestShown).toWellFormed()}…` : line
}

const longestShown = 80

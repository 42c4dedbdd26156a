/** Whether it can be told from a line which files it reads, where not all of their names stand in it. */
import { commandWords, type Decomposition, type FoundCommand } from '../../../analysis/shell/index.ts'

/**
 * Names that the line itself sets, and names that programs find in the tree, are followed. What else an expansion may become,
 * or what stands in a file, is not.
 */
export function followsNames(script: string, { commands, reads = [] }: Decomposition): boolean {
  const text = withoutLiterals(script)
  const names = new Set(
    [...script.matchAll(/(?<![\w$])([A-Za-z_]\w*)=|\bfor\s+(\w+)\s+in\b|\bread\s+(?:-r\s+)?(\w+)/gu)].flatMap(
      (found) => found.slice(1),
    ),
  )
  const isKnown = [...text.matchAll(expansion)].every(({ groups }) => {
    const name = groups?.['name'] ?? groups?.['braced']
    return name === undefined ? groups?.['other'] === undefined : names.has(name)
  })
  const flows = new Set(text.match(/\$\(|`|\b(?:xargs|parallel|read|mapfile|readarray)\b/gu))
  if (!isKnown || flows.size === 0) return isKnown
  const readsNames = /\b(?:read|mapfile|readarray)\b/u.test(text) && reads.length > 0
  const openReaders = commands.filter(isOpenReader)
  // What the one prints can be no name of the other.
  const isLast = (found: FoundCommand) => flows.size === 1 && openReaders.length === 1 && isOpenReader(found)
  return (
    !readsNames && commands.every((found) => found.through.length > 0 || isLast(found) || isSource(found))
  )
}

/** `other`: nothing is known of it. The home folder at the beginning of a word is told by its name. */
const expansion =
  /(?<=^|[\s"=:(])\$(?:HOME|PWD|\{HOME\}|\{PWD\})(?=[/"\s]|$)|\$\(|\$[#?$!]|\$\{(?<braced>\w+)\}|\$(?<name>[A-Za-z_]\w*)|(?<other>[$`]|~[+-])/gu

/** Without what stands in single quotes; as it is where a heredoc could have an open one in it. */
function withoutLiterals(script: string): string {
  if (script.includes('<<')) return script
  return script.replaceAll(/\\.|"(?:\\.|[^"\\])*"|(?<!\$)'[^']*'/gsu, (part) =>
    part.startsWith('"') ? part : ' ',
  )
}

function isOpenReader({ words }: FoundCommand): boolean {
  return (
    words.some(({ text, written }) => text === null && /[$`]/u.test(written)) && words[0]?.text !== 'echo'
  )
}

/** It prints names that it finds, or passes on what it is given; what it is told to print is written in the line. */
function isSource(found: FoundCommand): boolean {
  const { program, operands, words, options } = commandWords(found)
  switch (program) {
    case 'echo':
    case 'printf':
      return !words.some(({ text }) => text?.includes('\\') === true && text !== '%s\\n')
    case 'rg':
    case 'grep':
      return (
        operands.length < 2 || options.some((option) => /^(?:-l|--files|--files-with-matches)$/u.test(option))
      )
    case 'sort':
    case 'uniq':
      return operands.length === 0
    case 'head':
    case 'tail':
      return operands.every(({ text }) => /^\d+$/u.test(text ?? ''))
    default:
      return passesNames.test(program ?? '')
  }
}

const passesNames = /^(?:find|fd|git|ls|xargs|basename|dirname|pwd|seq|cd|test|\[|read|which)$/u

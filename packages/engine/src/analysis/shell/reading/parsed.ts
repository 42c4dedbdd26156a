import { parse, type ParsedScript, type Command, type Word } from 'unbash'

/** Undefined: it is nested so deep, or has so many heredocs, that it cannot be read in reasonable time. */
export function parseScript(text: string): ParsedScript | undefined {
  const plain = plainWords(text)
  if (plain !== undefined) return plain
  if (deepest(text) > maxNesting || text.split('<<').length > maxHeredocs) return undefined
  try {
    return parse(text)
  } catch (problem) {
    if (problem instanceof RangeError) return undefined
    throw problem
  }
}

/** Each level is read once more by the parser. */
const maxNesting = 100
/** The parser looks for the end of each in all that follows. */
const maxHeredocs = 2_000

/** Parentheses and braces that stand open at once. */
function deepest(text: string): number {
  let depth = 0
  let most = 0
  for (const letter of text) {
    if (letter === '(' || letter === '{') depth += 1
    if ((letter === ')' || letter === '}') && depth > 0) depth -= 1
    if (depth > most) most = depth
  }
  return most
}

/**
 * What the parser makes of a line of nothing but words (`npm run build --if-present`), which most lines of an agent are: so that
 * it need not be woken for them. Undefined: the line may be more than that.
 */
export function plainWords(text: string): ParsedScript | undefined {
  if (text.length > longest || !plainLine.test(text)) return undefined
  const words: Word[] = []
  let pos = 0
  for (const written of text.split(' ')) {
    const end = pos + written.length
    words.push({ type: 'Word', text: written, value: written, pos, end, parts: undefined })
    pos = end + 1
  }
  const [name, ...args] = words
  if (name === undefined || reserved.has(name.text)) return undefined
  const place = { pos: 0, end: text.length }
  const command: Command = { type: 'Command', ...place, name, prefix: [], suffix: args, args, redirects: [] }
  const statement = { type: 'Statement', ...place, command, background: undefined } as const
  return { type: 'Script', ...place, shebang: undefined, commands: [statement], errors: undefined }
}

const longest = 1_000

/** No letter that means anything to a shell; `=` only in an option, for elsewhere it may set a variable. */
const plainLine = /^[\w./:@%+,-]+(?: (?:[\w./:@%+,-]+|-[\w./:@%+,=-]*))*$/

/** Where a program would stand they are grammar. */
const reserved = new Set(
  'if then elif else fi for select while until do done case esac in function time coproc'.split(' '),
)

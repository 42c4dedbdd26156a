import type { Command, ParsedScript, Word } from 'unbash'

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

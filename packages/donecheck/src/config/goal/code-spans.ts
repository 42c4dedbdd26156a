/** Commands in backticks at the end of a line, by the rule of CommonMark: a span ends at a run of as many backticks as it began with. */

const codeSpan = /(?<![`\\])(?<run>`+)(?!`)(?<code>.+?)(?<!`)\k<run>(?!`)/g
/** Stands for one character of a span, so that places in both texts are the same. */
const mask = '\uFFFC'

/** The text with its code made unreadable, of the same length. */
export function withoutCode(text: string): string {
  return text.replace(codeSpan, (span) => mask.repeat(span.length))
}

function codeOf(text: string): readonly string[] {
  return [...text.matchAll(codeSpan)].map(({ groups }) => (groups?.['code'] ?? '').trim())
}

interface Commanded {
  /** What stands before the commands, code included. */
  readonly words: string
  readonly commands: readonly string[]
}

const commandsAtEnd = new RegExp(
  `^(?<words>.*?)(?<mark>\\s*:|\\s[–—-])?\\s*(?<commands>${mask}+(?:(?:\\s*[,;](?:\\s*and\\s)?|\\s+and\\s)\\s*${mask}+)*)\\s*[.,;]?$`,
)

/** `Words: `one` and `two`.`, the words and the colon left out or not; a string says what is wrong with it. */
export function commandsOf(text: string): Commanded | string {
  const masked = withoutCode(text)
  if (/(?<!\\)`/.test(masked)) return 'a backtick is never closed'
  const { words = masked, mark, commands = '' } = commandsAtEnd.exec(masked)?.groups ?? {}
  const isMarked = commands === '' || mark !== undefined
  if (new RegExp(`:\\s*${mask}`).test(words) || (!isMarked && words.includes(mask)))
    return 'commands stand at the end, after a colon, with "and" or a comma between them'
  const found = commands === '' ? [] : codeOf(text.slice(masked.lastIndexOf(commands)))
  if (found.includes('')) return 'a command is empty'
  return { words: text.slice(0, words.length).trim(), commands: found }
}

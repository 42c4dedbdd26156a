const codeSpan = /(?<![`\\])(?<run>`+)(?!`)(?<code>.+?)(?<!`)\k<run>(?!`)/g
/** Same length as the span, so that offsets stay valid. */
const mask = '\uFFFC'

/** Masks code spans, keeping the length. */
export function withoutCode(text: string): string {
  return text.replace(codeSpan, (span) => mask.repeat(span.length))
}

function codeOf(text: string): readonly string[] {
  return [...text.matchAll(codeSpan)].map(({ groups }) => (groups?.['code'] ?? '').trim())
}

interface Commanded {
  readonly words: string
  readonly commands: readonly string[]
}

const commandsAtEnd = new RegExp(
  `^(?<words>.*?)(?<mark>\\s*:|\\s[–—-])?\\s*(?<commands>${mask}+(?:(?:\\s*[,;](?:\\s*and\\s)?|\\s+and\\s)\\s*${mask}+)*)\\s*[.,;]?$`,
)

/** @returns a string if the text is invalid */
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

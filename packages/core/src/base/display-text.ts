/** Small words for people: numbers, durations, and text that comes from outside. */

export function plural(count: number, noun: string): string {
  return `${thousands(count)} ${noun}${count === 1 ? '' : 's'}`
}

export function thousands(count: number): string {
  // `toLocaleString` takes 30 ms for the first number of a process, and writes the same.
  return Number.isSafeInteger(count)
    ? String(count).replace(/\B(?=(?:\d{3})+$)/g, ',')
    : count.toLocaleString('en-US')
}

export function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`
}

/**
 * Text of a model or a process, safe for a terminal: escape sequences and control characters are made visible, so that
 * no output can move the cursor, hide a line or rename the window. Line ends and tabs stay.
 */
export function harmless(text: string): string {
  return text.replace(/\r\n/g, '\n').replace(controlCharacters, (character) => {
    const code = character.codePointAt(0) ?? 0
    return code < 0x20 ? String.fromCodePoint(0x2400 + code) : '\u{FFFD}'
  })
}

// C0 without tab and line feed, DEL, C1, and the marks that reverse the direction of writing.
// eslint-disable-next-line no-control-regex -- control characters are what is looked for
const controlCharacters = /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u202A-\u202E\u2066-\u2069]/g

/** One line of at most so many characters. */
export function oneLine(text: string, maxCharacters: number): string {
  const line = harmless(text).replace(/\s+/g, ' ').trim()
  return line.length <= maxCharacters ? line : `${line.slice(0, maxCharacters - 1)}…`
}

/** The first lines of a text, indented, with a word on what was left out. */
export function firstLines(text: string, maxLines: number, indent: string): string {
  const lines = harmless(text).trim().split('\n')
  const shown = lines.slice(0, maxLines).map((line) => indent + oneOf(line))
  const rest = lines.length - maxLines
  return [...shown, ...(rest > 0 ? [`${indent}… ${plural(rest, 'more line')}`] : [])].join('\n')
}

const maxLineLength = 400

function oneOf(line: string): string {
  return line.length <= maxLineLength ? line : `${line.slice(0, maxLineLength)}…`
}

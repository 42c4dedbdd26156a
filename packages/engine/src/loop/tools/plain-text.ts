export interface PlainText {
  /** A file whose lines all end in CR LF is shown with line feeds alone; where they are mixed, carriage returns are text. */
  readonly text: string
  readonly lineEnding: 'lf' | 'crlf'
}

/** A text as models and people see it. */
export function plainText(text: string): PlainText {
  const isCrlf = text.includes('\r\n') && !/(?<!\r)\n/.test(text)
  return isCrlf ? { text: text.replaceAll('\r\n', '\n'), lineEnding: 'crlf' } : { text, lineEnding: 'lf' }
}

/** Lines without their ends; the end of the last line begins no further one. */
export function linesOf(text: string): readonly string[] {
  if (text === '') return []
  return (text.endsWith('\n') ? text.slice(0, -1) : text).split('\n')
}

/** A text of the model in one line of bounded length: control characters, line feeds included, as escapes. */
export function oneLine(text: string, maxLength = 200): string {
  const escaped = text.replace(/[\p{Cc}\p{Zl}\p{Zp}\p{Cs}]/gu, (character) =>
    JSON.stringify(character).slice(1, -1),
  )
  return escaped.length > maxLength ? `${escaped.slice(0, maxLength)} ...` : escaped
}

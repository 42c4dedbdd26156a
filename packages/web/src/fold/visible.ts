/** Text of models and tools, which is hostile: characters that hide or turn what stands beside them become marks. */

export interface Piece {
  readonly text: string
  /** It stands for a character that would not be seen. */
  readonly isMark: boolean
}

/**
 * C0 without tab and line feed, DEL, C1, soft hyphen, marks of direction, zero-width and invisible characters, tags, variation
 * selectors of the supplementary plane, and halves of characters.
 */
const unseen =
  // eslint-disable-next-line no-control-regex -- control characters are what is looked for
  /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u00AD\u061C\u180E\u200B-\u200F\u2028-\u202E\u2060-\u206F\uFEFF\uFFF9-\uFFFB]|[\u{E0000}-\u{E01EF}]|\p{Cs}/gu

export function visiblePieces(text: string): readonly Piece[] {
  const pieces: Piece[] = []
  let end = 0
  const whole = text.replaceAll('\r\n', '\n')
  for (const { 0: character, index } of whole.matchAll(unseen)) {
    if (index > end) pieces.push({ text: whole.slice(end, index), isMark: false })
    pieces.push({ text: markOf(character), isMark: true })
    end = index + character.length
  }
  if (end < whole.length) pieces.push({ text: whole.slice(end), isMark: false })
  return pieces
}

function markOf(character: string): string {
  const code = character.codePointAt(0) ?? 0
  return code < 0x20
    ? String.fromCodePoint(0x2400 + code)
    : `U+${code.toString(16).toUpperCase().padStart(4, '0')}`
}

/** Control, bidirectional, invisible and unassigned characters, which make a terminal show something else. */
const hidden = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu

/** Escapes them, such as `\x1b` or `\u{202e}`, including line feeds and tabs. */
export function visibleLine(text: string): string {
  return text.replace(hidden, codeOf)
}

/** As `visibleLine`, but keeps line feeds and tabs. */
export function visibleText(text: string): string {
  return text.replace(hidden, (character) =>
    character === '\n' || character === '\t' ? character : codeOf(character),
  )
}

function codeOf(character: string): string {
  const known = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }[character]
  if (known !== undefined) return known
  const code = (character.codePointAt(0) ?? 0).toString(16)
  return code.length <= 2 ? `\\x${code.padStart(2, '0')}` : `\\u{${code}}`
}

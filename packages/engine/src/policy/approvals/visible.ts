/**
 * Control characters, escape sequences, marks that turn the direction of writing, invisible and unassigned-looking
 * characters: whatever makes a terminal show something else than what is there.
 */
const hidden = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu

/** Every such character as its code, such as `\x1b` or `\u{202e}`; line feeds and tabs too. */
export function visibleLine(text: string): string {
  return text.replace(hidden, codeOf)
}

/** The same for a text of several lines: line feeds and tabs stay. */
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

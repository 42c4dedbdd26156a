/** A text of the model in one line of bounded length: control characters, line feeds included, as escapes. */
export function oneLine(text: string, maxLength = 200): string {
  const escaped = text.replace(/[\p{Cc}\p{Zl}\p{Zp}\p{Cs}]/gu, (character) =>
    JSON.stringify(character).slice(1, -1),
  )
  return escaped.length > maxLength ? `${escaped.slice(0, maxLength)} ...` : escaped
}

/** The end of what begins at a place of a source of Rust: a comment, a string, a character, or one sign. */
export function endOfRustToken(text: string, index: number): number {
  if (text.startsWith('//', index)) return behind(text, '\n', index)
  if (text.startsWith('/*', index)) return endOfComment(text, index)
  const character = text[index] ?? ''
  if (character === '"') return endOfString(text, index)
  if (character === "'") return endOfCharacter(text, index)
  if (/[\w]/u.test(character)) return endOfWord(text, index)
  return index + 1
}

function behind(text: string, ending: string, from: number): number {
  const found = text.indexOf(ending, from)
  return found === -1 ? text.length : found + ending.length
}

/** Comments stand inside each other. */
function endOfComment(text: string, start: number): number {
  let depth = 0
  const ends = /\/\*|\*\//gu
  ends.lastIndex = start
  for (let match = ends.exec(text); match !== null; match = ends.exec(text)) {
    depth += match[0] === '/*' ? 1 : -1
    if (depth === 0) return ends.lastIndex
  }
  return text.length
}

function endOfString(text: string, start: number): number {
  for (let index = start + 1; index < text.length; index += 1) {
    if (text[index] === '\\') index += 1
    else if (text[index] === '"') return index + 1
  }
  return text.length
}

/** `'{'` and `'\''` are characters, `'a` is a lifetime. */
function endOfCharacter(text: string, start: number): number {
  const character = /^'(?:\\(?:u\{[^}]{0,8}\}|x[0-9a-fA-F]{2}|.)|[^\\'\n])'/u.exec(
    text.slice(start, start + 14),
  )
  return start + (character?.[0].length ?? 1)
}

/** A word, or the raw string that it begins. */
function endOfWord(text: string, start: number): number {
  const word = /\w+/uy
  word.lastIndex = start
  word.test(text)
  const raw = /(?<=^(?:r|br|cr))#{0,255}"/u.exec(text.slice(start, start + 260))
  return raw === null
    ? word.lastIndex
    : behind(text, `"${'#'.repeat(raw[0].length - 1)}`, start + raw.index + raw[0].length)
}

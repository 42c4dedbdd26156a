/** White space as Unicode has it (which is not what `trim` of the language takes off), and the lines of a patch. */

const space = /^\p{White_Space}$/u

/** U+FEFF is content, U+0085 is space. Every white space character is one code unit. */
function isSpaceAt(text: string, index: number): boolean {
  const unit = text.charCodeAt(index)
  return !(unit > 0x20 && unit < 0x85) && space.test(text.charAt(index))
}

export function trimEnd(text: string): string {
  let end = text.length
  while (end > 0 && isSpaceAt(text, end - 1)) end -= 1
  return text.slice(0, end)
}

export function trimBoth(text: string): string {
  const trimmed = trimEnd(text)
  let start = 0
  while (start < trimmed.length && isSpaceAt(trimmed, start)) start += 1
  return trimmed.slice(start)
}

/**
 * Split at line feeds; up to two carriage returns before each go too. All other control characters are content.
 * The last line is what follows the last line feed, empty or not, and keeps its carriage returns.
 */
export function patchLinesOf(text: string): string[] {
  const lines = text.split('\n')
  const last = lines.pop() ?? ''
  return lines.map((line) => withoutReturn(withoutReturn(line))).concat(last)
}

function withoutReturn(line: string): string {
  return line.endsWith('\r') ? line.slice(0, -1) : line
}

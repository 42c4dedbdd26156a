/** Characters that mean something to a shell outside of quotes. */
const shellSyntax = /[|&;<>()$`\n*?[\]{}~#!]/

/** A text in quotes, an escaped character, a space, or anything else. */
const token = /'([^']*)'|"((?:\\.|[^"\\])*)"|\\(.)|(\s+)|([^\\'"\s]+)|./gs

/**
 * The words of a simple command line. Undefined: it has no word, or uses more of a shell than quotes, so that only a shell can
 * read it.
 */
export function wordsOfLine(line: string): readonly string[] | undefined {
  const words: string[] = []
  let word: string | undefined
  for (const [, single, double, escaped, space, plain] of line.matchAll(token)) {
    if (space !== undefined) {
      if (word !== undefined) words.push(word)
      word = undefined
      continue
    }
    const text =
      single ?? (double === undefined ? undefined : literalText(double)) ?? escaped ?? simple(plain)
    // A quote that nothing closes, or what only a shell understands.
    if (text === undefined) return undefined
    word = (word ?? '') + text
  }
  if (word !== undefined) words.push(word)
  return words.length === 0 || words[0]?.includes('=') === true ? undefined : words
}

/** Undefined: the shell would put something else in its place. */
function literalText(text: string): string | undefined {
  return /(?<!\\)[$`]/.test(text) ? undefined : text.replace(/\\(["\\$`])/g, '$1')
}

function simple(text: string | undefined): string | undefined {
  return text === undefined || shellSyntax.test(text) ? undefined : text
}

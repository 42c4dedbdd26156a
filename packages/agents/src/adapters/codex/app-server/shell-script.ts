/** The program and its option, as Codex starts the commands of its model: `/bin/bash -lc 'script'`. */
const shells = /^(?:\S*\/)?(?:ba|z|da|k)?sh$/

/**
 * What the shell is to run, out of a command line whose words Codex has quoted. Undefined: it is not of that form, and the
 * line itself says all.
 */
export function scriptOf(command: string): string | undefined {
  const words = splitQuotedWords(command)
  if (words?.length !== 3) return undefined
  const [program = '', option = '', script] = words
  return shells.test(program) && /^-l?c$/.test(option) ? script : undefined
}

/** A backslash and what it takes, a quoted text, white space, or anything else. */
const token = /\\(.)|'([^']*)'|"((?:\\.|[^"\\])*)"|(\s+)|([^\s\\'"]+|.)/gsy

/** Undefined: a quote that nothing closes. */
function splitQuotedWords(line: string): readonly string[] | undefined {
  const words: string[] = []
  let word: string | undefined
  for (const [, escaped, single, double, space, plain] of line.matchAll(token)) {
    if (space !== undefined) {
      if (word !== undefined) words.push(word)
      word = undefined
      continue
    }
    if (plain === '"' || plain === "'" || plain === '\\') return undefined
    word = (word ?? '') + (escaped ?? single ?? double?.replaceAll(/\\(["\\$`])/g, '$1') ?? plain ?? '')
  }
  return word === undefined ? words : [...words, word]
}

/** Splits an example into words as a shell would, without any expansion. */

interface State {
  readonly words: string[]
  /** Null between two words. */
  word: string | null
  at: number
}

const blank = (char: string) => char === ' ' || char === '\t' || char === '\n'

/** Undefined where a quote or an escape is not closed. `#` at the start of a word begins a comment. */
export function splitWords(text: string): readonly string[] | undefined {
  const state: State = { words: [], word: null, at: 0 }
  while (state.at < text.length) if (!step(text, state)) return undefined
  if (state.word !== null) state.words.push(state.word)
  return state.words
}

function step(text: string, state: State): boolean {
  const char = text.charAt(state.at)
  state.at += 1
  if (blank(char)) {
    if (state.word !== null) state.words.push(state.word)
    state.word = null
    return true
  }
  if (char === '#' && state.word === null) return skipComment(text, state)
  if (char === "'") return singleQuoted(text, state)
  if (char === '"') return doubleQuoted(text, state)
  if (char === '\\') return escaped(text, state)
  return add(state, char)
}

function skipComment(text: string, state: State): true {
  const end = text.indexOf('\n', state.at)
  state.at = end === -1 ? text.length : end
  return true
}

function singleQuoted(text: string, state: State): boolean {
  const end = text.indexOf("'", state.at)
  if (end === -1) return false
  add(state, text.slice(state.at, end))
  state.at = end + 1
  return true
}

function doubleQuoted(text: string, state: State): boolean {
  let quoted = ''
  for (; state.at < text.length; state.at += 1) {
    const char = text.charAt(state.at)
    if (char === '"') {
      state.at += 1
      return add(state, quoted)
    }
    if (char !== '\\') {
      quoted += char
      continue
    }
    state.at += 1
    const next = text.charAt(state.at)
    if (next === '') return false
    if (next !== '\n') quoted += '$`"\\'.includes(next) ? next : `\\${next}`
  }
  return false
}

/** A backslash at a line end joins the lines. */
function escaped(text: string, state: State): boolean {
  const next = text.charAt(state.at)
  if (next === '') return false
  state.at += 1
  return add(state, next === '\n' ? '' : next)
}

/** From now on there is a word, were it empty. */
function add(state: State, text: string): true {
  state.word = (state.word ?? '') + text
  return true
}

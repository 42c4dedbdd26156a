export type Tone = 'plain' | 'quiet' | 'good' | 'bad' | 'warning' | 'strong'

/** A line for a screen. */
export interface Line {
  readonly tone: Tone
  readonly text: string
}

export function line(tone: Tone, text: string): Line {
  return { tone, text }
}

export function plural(count: number, noun: string): string {
  return `${thousands(count)} ${noun}${count === 1 ? '' : 's'}`
}

export function thousands(count: number): string {
  // `toLocaleString` takes 30 ms for the first number of a process.
  return Number.isSafeInteger(count)
    ? String(count).replace(/\B(?=(?:\d{3})+$)/g, ',')
    : count.toLocaleString('en-US')
}

export function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`
}

/** Escapes control characters, so that output cannot move the cursor, hide a line or rename the window. */
export function harmless(text: string): string {
  return text.replace(/\r\n/g, '\n').replace(controlCharacters, (character) => {
    const code = character.codePointAt(0) ?? 0
    return code < 0x20 ? String.fromCodePoint(0x2400 + code) : '\u{FFFD}'
  })
}

// C0 without tab and line feed, DEL, C1, and the marks that reverse the direction of writing.
// eslint-disable-next-line no-control-regex -- control characters are what is looked for
const controlCharacters = /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u202A-\u202E\u2066-\u2069]/g

export function oneLine(text: string, maxCharacters: number): string {
  const flat = harmless(text).replace(/\s+/g, ' ').trim()
  return flat.length <= maxCharacters ? flat : `${flat.slice(0, maxCharacters - 1)}…`
}

/** The first lines, indented, with a note on how many were left out. */
export function firstLines(text: string, maxLines: number, indent: string): string {
  const lines = harmless(text).trim().split('\n')
  const shown = lines.slice(0, maxLines).map((one) => indent + cutLine(one))
  const rest = lines.length - maxLines
  return [...shown, ...(rest > 0 ? [`${indent}… ${plural(rest, 'more line')}`] : [])].join('\n')
}

const maxLineLength = 400

function cutLine(text: string): string {
  return text.length <= maxLineLength ? text : `${text.slice(0, maxLineLength)}…`
}

/** Returns the known word within a small edit distance, ignoring case, or undefined. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  const mostLetters = Math.max(2, Math.floor(word.length / 3))
  return known
    .map((name) => ({ name, letters: lettersApart(word.toLowerCase(), name.toLowerCase()) }))
    .filter(({ letters }) => letters <= mostLetters)
    .toSorted((one, other) => one.letters - other.letters)[0]?.name
}

/** Levenshtein distance. */
function lettersApart(one: string, other: string): number {
  const letters = Array.from(other)
  const empty = [0, ...letters.map((_, at) => at + 1)]
  const last = Array.from(one).reduce((above, letter, index) => {
    const row = [index + 1]
    for (const [at, wanted] of letters.entries()) {
      const changed = (above[at] ?? 0) + (letter === wanted ? 0 : 1)
      row.push(Math.min(changed, (above[at + 1] ?? 0) + 1, (row[at] ?? 0) + 1))
    }
    return row
  }, empty)
  return last.at(-1) ?? 0
}

/** The first match wins: models first, then vendors and their agents. */
const families: readonly (readonly [family: string, names: RegExp])[] = [
  ['deepseek', /deepseek/],
  ['claude', /claude/],
  ['gpt', /\b(chat)?gpt|\bo[1-9](-|$|\b)|\bcodex\b/],
  ['gemini', /gemini|gemma/],
  ['llama', /llama/],
  ['qwen', /qwen|\bqwq\b/],
  ['mistral', /(mis|mix|codes|devs|minis|magis)tral/],
  ['grok', /\bgrok/],
  ['kimi', /\bkimi\b|moonshot/],
  ['glm', /\bglm\b|\bglm-/],
  ['command', /\bcommand-[ar]/],
  ['phi', /\bphi-?\d/],
  ['nova', /\bnova-/],
  ['claude', /anthropic/],
  ['gpt', /openai(?!-compatible)/],
  ['gemini', /google/],
]

/** The family of a model or agent name, such as `anthropic/claude-opus-4-5`; undefined if unknown. */
export function familyOf(name: string): string | undefined {
  // "Ollama" names the server, not the model family.
  const known = name.toLowerCase().replaceAll('ollama', '')
  return families.find(([, names]) => names.test(known))?.[0]
}

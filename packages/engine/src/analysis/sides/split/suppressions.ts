/** Comments in sources that tell a linter, a type checker or a tool for coverage to look away. */

const slashComment =
  /\/[/*][^\S\n]*(?:eslint-disable|@ts-(?:ignore|expect-error|nocheck)|biome-ignore|oxlint-disable|deno-lint-ignore|(?:istanbul|c8|v8)[^\S\n]+ignore|node:coverage[^\S\n]+(?:disable|ignore)|nolint|lint:(?:file-)?ignore|#nosec)\b/u
const hashComment =
  /#[^\S\n]*(?:type:[^\S\n]*ignore|noqa|(?:ruff|flake8):[^\S\n]*noqa|pylint:[^\S\n]*(?:disable|skip-file)|pyright:[^\S\n]*(?:ignore|basic)|mypy:|pragma:[^\S\n]*no[^\S\n]+(?:cover|branch)|nosec|pyre-(?:ignore|fixme)|pytype:[^\S\n]*(?:disable|skip-file))/u
const attribute = /#!?\[(?:allow|expect)\([^\]\n]*\)\]/u
/** Up to the end of the comment, or of the line. */
const rest = String.raw`(?:(?<=\/\*[^\n]*)[^\n]*?(?:\*\/|$)|[^\n]*)`

function commentOf({ source }: RegExp): RegExp {
  return new RegExp(`(?:${source})${rest}`, 'gmu')
}

const suppressions: readonly (readonly [RegExp, RegExp])[] = [
  [/\.(?:[cm]?[jt]sx?|vue|svelte|go)$/u, commentOf(slashComment)],
  [/\.pyi?$/u, commentOf(hashComment)],
  [/\.rs$/u, new RegExp(attribute.source, 'gu')],
]

/** What makes a value of TypeScript fit everywhere. */
const anyCast = / as (?:any|never|unknown as [\w.<>[\]]+)\b/gu

/** Whether a file of this name is a source in which a checker can be told to look away. */
export function canSuppress(path: string): boolean {
  return suppressions.some(([name]) => name.test(path))
}

/**
 * The text without the suppressions that the earlier one did not have, on the same lines. A cast to `any` is one where
 * nothing else of its line changed.
 */
export function withoutNewSuppressions(path: string, before: string, after: string): string {
  const pattern = suppressions.find(([name]) => name.test(path))?.[1]
  if (pattern === undefined) return after
  const known = new Map<string, number>()
  for (const [text] of before.matchAll(pattern)) known.set(wordsOf(text), (known.get(wordsOf(text)) ?? 0) + 1)
  const text = after.replaceAll(pattern, (found) => {
    const left = known.get(wordsOf(found)) ?? 0
    known.set(wordsOf(found), left - 1)
    return left > 0 ? found : ''
  })
  return /\.[cm]?tsx?$/u.test(path) ? withoutNewCasts(before, text) : text
}

function withoutNewCasts(before: string, after: string): string {
  const earlier = new Set(before.split('\n'))
  const uncast = (line: string): string => {
    const plain = line.replaceAll(anyCast, '')
    return plain !== line && !earlier.has(line) && earlier.has(plain) ? plain : line
  }
  return after.split('\n').map(uncast).join('\n')
}

function wordsOf(text: string): string {
  return text.replaceAll(/\s+/gu, ' ').trim()
}

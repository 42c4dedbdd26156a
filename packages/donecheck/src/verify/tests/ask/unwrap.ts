import { unwrapWords } from '../../../shell/index.ts'

/** Programs that run the rest of their words, and do nothing else that matters to a report. */
const wrappers = new Set(
  'env cross-env time timeout nice npx bunx c8 nyc xvfb-run pnpm yarn uv poetry pipenv pdm rye hatch bundle'.split(
    ' ',
  ),
)

/** The words without wrappers. Where a wrapper is not understood, its own words stay. */
export function unwrap(words: readonly string[]): readonly string[] {
  return unwrapWords(words, wrappers).words
}

/** `./node_modules/.bin/vitest` and `vitest.mjs` are both `vitest`. */
export function programOf(word: string): string {
  return (word.split(/[/\\]/).at(-1) ?? word).replace(/\.(?:[cm]?js|cmd|exe|bat)$/, '')
}

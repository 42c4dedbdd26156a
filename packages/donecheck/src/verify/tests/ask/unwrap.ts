/** Programs that run the rest of their words, and do nothing else that matters to a report. */
type Wrapper = (rest: readonly string[]) => readonly string[] | undefined

const flags = (rest: readonly string[]) => rest.slice(rest.findIndex((word) => !word.startsWith('-')))
const behindFlags: Wrapper = (rest) => (rest.some((word) => !word.startsWith('-')) ? flags(rest) : undefined)
const behindAssignments: Wrapper = (rest) => {
  const first = rest.findIndex((word) => !/^\w+=/.test(word))
  return first < 0 ? undefined : rest.slice(first)
}
const behindWord =
  (...words: readonly string[]): Wrapper =>
  (rest) =>
    words.includes(rest[0] ?? '') ? behindFlags(rest.slice(1)) : undefined

const wrappers: Readonly<Record<string, Wrapper>> = {
  env: behindAssignments,
  'cross-env': behindAssignments,
  'cross-env-shell': () => undefined,
  time: behindFlags,
  timeout: (rest) => behindFlags(rest)?.slice(1),
  nice: behindFlags,
  npx: behindFlags,
  bunx: behindFlags,
  c8: behindFlags,
  nyc: behindFlags,
  'xvfb-run': behindFlags,
  pnpm: behindWord('exec', 'dlx'),
  yarn: behindWord('exec', 'dlx'),
  uv: behindWord('run'),
  poetry: behindWord('run'),
  pipenv: behindWord('run'),
  pdm: behindWord('run'),
  rye: behindWord('run'),
  hatch: behindWord('run'),
  bundle: behindWord('exec'),
}

/** The words without wrappers, and the names that these set. Where a wrapper is not understood, its own words stay. */
export function unwrap(words: readonly string[]): readonly string[] {
  let bare = words
  for (let depth = 0; depth < 10; depth += 1) {
    const [name = '', ...rest] = bare
    const inner = wrappers[programOf(name)]?.(rest)
    if (inner === undefined || inner.length === 0) return bare
    bare = inner
  }
  return bare
}

/** `./node_modules/.bin/vitest` and `vitest.mjs` are both `vitest`. */
export function programOf(word: string): string {
  return (word.split(/[/\\]/).at(-1) ?? word).replace(/\.(?:[cm]?js|cmd|exe|bat)$/, '')
}

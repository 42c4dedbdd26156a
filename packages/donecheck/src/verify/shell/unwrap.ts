/** Programs that run another program and answer with its exit code. */

/** Options that take a value of their own, by program. */
const valued: Readonly<Record<string, RegExp>> = {
  env: /^(-u|--unset|-C|--chdir|-S)$/,
  timeout: /^(-k|--kill-after|-s|--signal)$/,
  nice: /^(-n|--adjustment)$/,
  ionice: /^-[cnp]$/,
  sudo: /^-[ugpCDhrt]$/,
  time: /^(-f|-o)$/,
  stdbuf: /^-[ioe]$/,
  npx: /^(-p|--package)$/,
  'xvfb-run': /^(-n|-s|-e|-f|-w)$/,
  'with-cwd': /^$/,
  xargs: /^-[aEIdLnPs]$/,
  dotenv: /^(-e|-c|-v|-p)$/,
}

/** Words of the program's own that stand before the program that it runs. */
const operands: Readonly<Record<string, number>> = { timeout: 1, flock: 1, chroot: 1 }

const wrappers = new Set(
  'env timeout gtimeout nice ionice nohup time command exec builtin sudo doas stdbuf setsid flock chronic npx bunx pnpx xvfb-run cross-env cross-env-shell dotenv caffeinate xargs noglob unbuffer'.split(
    ' ',
  ),
)

const twoWords = [
  /^(pnpm|yarn|npm|bun) (exec|dlx|x)$/,
  /^(uv|poetry|pipenv|hatch|pdm|rye|pixi) run$/,
  /^bundle exec$/,
]

/** The program that is run in the end, with its arguments; variables that are set on the way come apart. */
export interface Unwrapped {
  readonly words: readonly string[]
  readonly variables: readonly string[]
}

export function unwrap(words: readonly string[]): Unwrapped {
  const variables: string[] = []
  let rest = words
  for (;;) {
    const next = unwrapOnce(rest, variables)
    if (next === undefined || next.length === 0) return { words: rest, variables }
    rest = next
  }
}

function unwrapOnce(words: readonly string[], variables: string[]): readonly string[] | undefined {
  const [first = '', second = ''] = words
  const name = first.slice(first.lastIndexOf('/') + 1)
  // `command -v name` asks for a program, and runs none.
  if (name === 'command' && /^-[vV]$/.test(second)) return undefined
  if (twoWords.some((pattern) => pattern.test(`${name} ${second}`)))
    return afterOptions(words.slice(2), name, variables)
  if (!wrappers.has(name)) return undefined
  return afterOptions(words.slice(1), name === 'gtimeout' ? 'timeout' : name, variables)
}

function afterOptions(words: readonly string[], name: string, variables: string[]): readonly string[] {
  let index = 0
  let toSkip = operands[name] ?? 0
  for (; index < words.length; index += 1) {
    const word = words[index] ?? ''
    if (word === '--') continue
    if (word.startsWith('-')) {
      if (valued[name]?.test(word) === true) index += 1
    } else if (/^[A-Za-z_]\w*=/.test(word)) variables.push(word)
    else if (toSkip > 0) toSkip -= 1
    else break
  }
  return words.slice(index)
}

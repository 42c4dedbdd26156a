/** Options of a command that stand between the words of a rule. */
import type { PrefixRule } from './rule.ts'

/**
 * In doubt a match: right for what is stopped, and for what takes a permission away. In doubt none: right for what is let
 * through, and for what takes a prohibition away.
 */
type Uncertainty = 'match' | 'no-match'

/** How far one reading of the words has come. */
interface Reading {
  readonly matched: readonly number[]
  /** `--` has been read: no word is an option any more. */
  readonly isEnded: boolean
}

type Steps = readonly (Reading & { readonly next: number })[] | 'no'

/**
 * In doubt a match: an option that is not known may have its value in the next word or not, and one of the readings must
 * match. In doubt none: only known options are passed over, and of those none that changes what the program would run.
 */
export function matchPassingOptions(
  pattern: PrefixRule['pattern'],
  words: readonly string[],
  uncertainty: Uncertainty,
): readonly number[] | undefined {
  const [program] = words
  if (program === undefined || !pattern[0].includes(program)) return undefined
  const waiting: Reading[][] = [[], [{ matched: [0], isEnded: false }]]
  let complete: readonly number[] | undefined
  for (let index = 1; index < waiting.length; index += 1) {
    for (const reading of distinct(waiting[index] ?? [])) {
      if (reading.matched.length === pattern.length) {
        if (uncertainty === 'match') return reading.matched
        complete ??= reading.matched
        continue
      }
      const steps = stepsOf(pattern, words, index, reading, uncertainty)
      if (steps === 'no' && uncertainty === 'no-match') return undefined
      if (steps === 'no') continue
      for (const { next, ...further } of steps) (waiting[next] ??= []).push(further)
    }
    for (let gap = index + 1; gap < waiting.length; gap += 1) waiting[gap] ??= []
  }
  return complete
}

/** Of readings that have come equally far one is enough. */
function distinct(readings: readonly Reading[]): readonly Reading[] {
  const known = new Map<string, Reading>()
  for (const reading of readings) {
    const key = `${reading.matched.length} ${reading.isEnded}`
    if (!known.has(key)) known.set(key, reading)
  }
  return [...known.values()]
}

function stepsOf(
  pattern: PrefixRule['pattern'],
  words: readonly string[],
  index: number,
  reading: Reading,
  uncertainty: Uncertainty,
): Steps {
  const word = words[index]
  const token = pattern[reading.matched.length]
  if (word === undefined || token === undefined) return 'no'
  const taken = { ...reading, matched: [...reading.matched, index], next: index + 1 }
  const isOption = !reading.isEnded && word.startsWith('-') && word !== '-'
  if (token.includes(word))
    return isOption && uncertainty === 'match'
      ? [taken, ...passOption(words, index, reading, uncertainty)]
      : [taken]
  if (!isOption) return 'no'
  const further = passOption(words, index, reading, uncertainty)
  return further.length === 0 ? 'no' : further
}

function passOption(
  words: readonly string[],
  index: number,
  reading: Reading,
  uncertainty: Uncertainty,
): readonly (Reading & { readonly next: number })[] {
  const word = words[index] ?? ''
  if (word === '--') return [{ ...reading, isEnded: true, next: index + 1 }]
  const alone = { ...reading, next: index + 1 }
  const withValue = { ...reading, next: index + 2 }
  switch (kindOfOption(words[0] ?? '', word)) {
    case 'alone':
      return [alone]
    case 'with-value':
      return index + 1 < words.length ? [withValue] : []
    case 'redirects':
    case 'unknown':
      return uncertainty === 'match' ? [alone, withValue] : []
  }
}

/** Options that stand before the subcommand of well-known programs. */
type OptionKind =
  /** Has no value, or has it in the same word. */
  | 'alone'
  /** The next word is its value. */
  | 'with-value'
  /** Changes what the program would run, or on whose behalf. */
  | 'redirects'
  | 'unknown'

interface KnownOptions {
  readonly alone?: readonly string[]
  readonly withValue?: readonly string[]
  readonly redirects?: readonly string[]
}

const node: KnownOptions = {
  alone: ['-s', '--silent', '-q', '--quiet', '--verbose', '--no-color', '--json'],
  withValue: ['-w', '--workspace', '--loglevel', '--filter', '-F'],
  redirects: [
    '-C',
    '--prefix',
    '--dir',
    '--cwd',
    '--script-shell',
    '--node-options',
    '--userconfig',
    '--globalconfig',
  ],
}

const known: ReadonlyMap<string, KnownOptions> = new Map(
  Object.entries({
    git: {
      alone: ['-p', '--paginate', '-P', '--no-pager', '--no-optional-locks', '--literal-pathspecs', '--bare'],
      withValue: ['-C', '--git-dir', '--work-tree', '--namespace'],
      redirects: ['-c', '--config-env', '--exec-path'],
    },
    npm: node,
    pnpm: node,
    yarn: node,
    bun: node,
    cargo: {
      alone: ['-v', '-vv', '-q', '--verbose', '--quiet', '--locked', '--offline', '--frozen'],
      withValue: ['--color'],
      redirects: ['--config', '-C', '-Z'],
    },
    docker: {
      alone: ['-D', '--debug'],
      withValue: ['-l', '--log-level'],
      redirects: ['-H', '--host', '-c', '--context', '--config'],
    },
    kubectl: {
      withValue: ['-n', '--namespace', '--request-timeout'],
      redirects: ['--kubeconfig', '--context', '--cluster', '--user', '-s', '--server', '--as', '--token'],
    },
    go: { redirects: ['-C'] },
    systemctl: {
      alone: ['--user', '--system', '-q', '--quiet', '--no-pager'],
      redirects: ['-H', '-M', '--host'],
    },
  } satisfies Record<string, KnownOptions>),
)

/** `program` by its name; a path is not known. */
export function kindOfOption(program: string, word: string): OptionKind {
  const options = known.get(program)
  const equals = word.startsWith('--') ? word.indexOf('=') : -1
  const name = equals === -1 ? word : word.slice(0, equals)
  const isShortWithValue = !word.startsWith('--') && word.length > 2
  const letter = isShortWithValue ? word.slice(0, 2) : name
  if (options?.redirects?.some((option) => option === name || option === letter)) return 'redirects'
  if (equals !== -1) return options?.withValue?.includes(name) === true ? 'alone' : 'unknown'
  if (options?.alone?.includes(name) === true) return 'alone'
  if (options?.withValue?.includes(name) === true) return 'with-value'
  if (isShortWithValue && options?.withValue?.includes(letter) === true) return 'alone'
  return 'unknown'
}

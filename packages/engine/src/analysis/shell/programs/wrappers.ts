import { programName } from '../decomposition.ts'
import { literalWord, type ReadWord } from '../reading/words.ts'

export interface Wrapper {
  readonly options: OptionTable
  readonly operands: number
  /** Allows `NAME=value` before the program. */
  readonly takesVariables: boolean
  /** It only starts the other one. */
  readonly isTransparent: boolean
  /** Why the command is not run here and now as this user: end of a sentence that starts with its name. */
  readonly elsewhere?: string
  /** Options whose value is a text for a shell. */
  readonly scripts: readonly string[]
  readonly readsInput: boolean
  /** Words after the program belong to it, and its report goes where it would without the wrapper. */
  readonly leavesReport: boolean
}

/** Option names without dashes. `change`: takes a value and changes what is run or where. */
export type OptionTable = ReadonlyMap<string, 'flag' | 'value' | 'change'>

const tables = new Map<string, OptionTable>()

/** Parses a table such as `'n u: C! user:'`: `:` or `!` follows options with a value, `#` is any number. */
export function optionTable(text: string): OptionTable {
  const known = tables.get(text)
  if (known !== undefined) return known
  const names = text.split(' ').filter((name) => name !== '')
  const made: OptionTable = new Map(names.map((name) => [name.replace(/[:!]$/, ''), kindIn(name)] as const))
  tables.set(text, made)
  return made
}

function kindIn(name: string): 'flag' | 'value' | 'change' {
  if (name.endsWith(':')) return 'value'
  return name.endsWith('!') ? 'change' : 'flag'
}

interface Row extends Partial<Omit<Wrapper, 'options'>> {
  readonly behind?: RegExp
}

const otherRights = {
  isTransparent: false,
  elsewhere: 'runs it with other rights',
  readsInput: true,
} as const
const own = { isTransparent: false } as const
const reports = { leavesReport: true } as const
const packageOptions = 'y r q yes no c: call: p: package: w: workspace: F: filter: C: dir: bun'
const pythonOptions =
  'q v active frozen locked p: python: w: with: extra: group: package: project: env-file: gemfile:'

const rows: readonly (readonly [names: string, options: string, row: Row])[] = [
  ['env', '0 v u! C! P! a! unset! chdir! argv0!', { takesVariables: true, ...reports }],
  ['nice ionice', '# n: c: t adjustment: class: classdata:', reports],
  ['nohup setsid builtin nocorrect coproc caffeinate unbuffer', 'c w f p', {}],
  ['command exec noglob', 'p c l a:', reports],
  ['stdbuf', 'i: o: e: input: output: error:', reports],
  ['time gtime', 'p v f: o!', reports],
  [
    'timeout gtimeout',
    'p v f k: s: kill-after: signal: foreground preserve-status verbose',
    { operands: 1, ...reports },
  ],
  [
    'sudo doas pkexec',
    'A b E e H i K k n P S s V v C: D: g: h: p: R: r: T: t: U: u: user: group:',
    { ...otherRights, takesVariables: true },
  ],
  ['su runuser', '- f l m p c: g: s: u: user: command:', { ...otherRights, scripts: ['c', 'command'] }],
  [
    'xargs gxargs',
    '0 r t p x i null no-run-if-empty a: d: E: I: J: L: n: P: R: S: s: max-args: max-procs: arg-file: delimiter: replace',
    { ...own, elsewhere: 'runs it with words of its input' },
  ],
  [
    'flock script',
    'a e f q x s u n o E: w: c: command: timeout: wait:',
    { ...own, operands: 1, scripts: ['c'] },
  ],
  ['chroot', 'groups: userspec:', { ...own, operands: 1, elsewhere: 'runs it in another place' }],
  ['cross-env cross-env-shell dotenv', 'e: c f: o', { ...own, takesVariables: true, ...reports }],
  ['c8 nyc', 'all clean r: reporter: o: n: include: x: exclude:', { ...own, ...reports }],
  ['npx pnpx bunx', packageOptions, { ...own, scripts: ['c', 'call'], ...reports }],
  ['npm', packageOptions, { ...own, behind: /^(?:exec|x)$/, scripts: ['c', 'call'] }],
  ['pnpm yarn bun', packageOptions, { ...own, behind: /^(?:exec|dlx|x)$/, scripts: ['c'], ...reports }],
  ['uv poetry pipenv pdm rye hatch pixi', pythonOptions, { ...own, behind: /^run$/, ...reports }],
  ['bundle', pythonOptions, { ...own, behind: /^exec$/, ...reports }],
  ['mise asdf rbenv pyenv nodenv fnm volta conda direnv', 'n: p:', { ...own, behind: /^(?:exec|x|run)$/ }],
]

const wrappers: ReadonlyMap<string, readonly [options: string, row: Row]> = new Map(
  rows.flatMap(([names, options, row]) => names.split(' ').map((name) => [name, [options, row]] as const)),
)

export function isWrapper(name: string): boolean {
  return wrappers.has(name)
}

export interface FoundWrapper {
  readonly wrapper: Wrapper
  readonly from: number
  readonly through: string
}

/** @returns undefined if the program starts none of its words */
export function wrapperOf(name: string, words: readonly Pick<ReadWord, 'text'>[]): FoundWrapper | undefined {
  const found = wrappers.get(name)
  // `command -v name` asks for a program, and runs none.
  if (found === undefined || (name === 'command' && /^-\w*[vV]/.test(words[1]?.text ?? ''))) return undefined
  const [options, { behind, ...row }] = found
  const wrapper: Wrapper = {
    ...{ operands: 0, takesVariables: false, isTransparent: true, scripts: [] },
    ...{ readsInput: false, leavesReport: false, ...row, options: optionTable(options) },
  }
  if (behind === undefined) return { wrapper, from: 1, through: name }
  const at = words.findIndex(({ text }, index) => index > 0 && text?.startsWith('-') !== true)
  const verb = words[at]?.text ?? ''
  return behind.test(verb) ? { wrapper, from: at + 1, through: `${name} ${verb}` } : undefined
}

interface ReadOptions {
  readonly end: number
  readonly used: readonly { readonly name: string; readonly value: ReadWord | undefined }[]
  /** All options are known and change neither the program nor where it runs. */
  readonly isKnown: boolean
  /** Ended by `--`: no later word is an option. */
  readonly isEnded: boolean
}

/** Reads options up to the first operand, as `getopt` does. Unknown options are assumed to take no value. */
export function readOptions(words: readonly ReadWord[], from: number, table: OptionTable): ReadOptions {
  const used: ReadOptions['used'][number][] = []
  let isKnown = true
  let index = from
  for (; index < words.length; index += 1) {
    const { text, written } = words[index] ?? literalWord('')
    if (text === null || !text.startsWith('-') || (text === '-' && !table.has('-'))) break
    if (text === '--') return { end: index + 1, used, isKnown, isEnded: true }
    if (/^-\d+$/.test(text) && table.has('#')) continue
    const [, long, attached] = /^--([^=]+)(?:=(.*))?$/s.exec(text) ?? []
    const letters = long === undefined ? (text === '-' ? ['-'] : Array.from(text.slice(1))) : []
    const last = letters.findIndex((letter) => hasValue(table, letter))
    const names = long === undefined ? letters.slice(0, last === -1 ? letters.length : last + 1) : [long]
    const rest = long === undefined && last !== -1 ? letters.slice(last + 1).join('') : attached
    const takesNext = hasValue(table, names.at(-1) ?? '') && (rest === undefined || rest === '')
    isKnown &&= names.every((name) => table.has(name) && table.get(name) !== 'change')
    const value = takesNext ? words[index + 1] : rest === undefined ? undefined : literalWord(rest, written)
    used.push(...names.map((name, at) => ({ name, value: at === names.length - 1 ? value : undefined })))
    if (takesNext) index += 1
  }
  return { end: Math.min(index, words.length), used, isKnown, isEnded: false }
}

function hasValue(table: OptionTable, name: string): boolean {
  return (table.get(name) ?? 'flag') !== 'flag'
}

/** Splits off leading `NAME=value` words. `env` takes any word with `=`. */
export function readVariables(words: readonly ReadWord[], { takesVariables }: Wrapper) {
  const first = takesVariables ? words.findIndex(({ guess }) => !/^[^=-][^=]*=/.test(guess)) : 0
  const end = first < 0 ? words.length : first
  return { variables: words.slice(0, end), rest: words.slice(end) }
}

const maxWrappers = 10

/** Unwraps wrappers that run the rest of their words and keep its report. Unknown words stay. */
export function unwrapWords(words: readonly string[]): readonly string[] {
  let rest = words
  for (let depth = 0; depth < maxWrappers; depth += 1) {
    const read = rest.map((word) => literalWord(word))
    const found = wrapperOf(programName(rest[0] ?? ''), read)
    if (found?.wrapper.leavesReport !== true) break
    const { end } = readOptions(read, found.from, found.wrapper.options)
    const inner = readVariables(read.slice(end), found.wrapper).rest.slice(found.wrapper.operands)
    if (inner.length === 0) break
    rest = inner.map(({ guess }) => guess)
  }
  return rest
}

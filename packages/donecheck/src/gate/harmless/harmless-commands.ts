/** Commands that only read, whatever else is true: they may run without a question. */
import type { FoundCommand } from '../../shell/index.ts'

/** Whatever their arguments are. */
const withAnyArguments: ReadonlySet<string> = new Set([
  ...[
    'basename',
    'cat',
    'cd',
    'cmp',
    'comm',
    'cut',
    'df',
    'diff',
    'dirname',
    'du',
    'echo',
    'expr',
    'false',
    'fold',
  ],
  ...['grep', 'egrep', 'fgrep', 'head', 'id', 'ls', 'md5sum', 'nl', 'nproc', 'od', 'paste', 'printf', 'pwd'],
  ...[
    'readlink',
    'realpath',
    'rev',
    'seq',
    'sha1sum',
    'sha256sum',
    'sha512sum',
    'cksum',
    'sleep',
    'stat',
    'strings',
  ],
  ...[
    'tac',
    'tail',
    'test',
    '[',
    '[[',
    'tr',
    'true',
    ':',
    'type',
    'uname',
    'wc',
    'which',
    'whoami',
    'hexdump',
  ],
  ...['numfmt', 'exit', 'return', 'break', 'continue', 'shift', 'wait'],
])

type Words = readonly (string | null)[]

/** These only with arguments that are known and write or run nothing. */
const withSomeArguments: Readonly<Record<string, (args: Words) => boolean>> = {
  command: ([option]) => option === '-v' || option === '-V',
  base64: none(/^(?:-\w*o|--o)/u),
  date: none(/^(?:-\w*s|--s|\d)/u),
  fd: none(/^(?:-\w*[xX]|--exec)/u),
  file: none(/^(?:-\w*C|--compile)/u),
  find: none(/^-(?:exec|execdir|ok|okdir|delete|fls|fprint)/u),
  jq: none(/^(?:-\w*L|--library)/u),
  rg: none(/^(?:--pre|--hostname-bin|--search-zip|-\w*z)/u),
  sed: isPrintingSed,
  set: (args) =>
    args.every(
      (word) =>
        word !== null && /^[-+](?:[euxo]+|o|pipefail)$|^(?:pipefail|errexit|nounset|xtrace)$/u.test(word),
    ),
  sort: none(/^(?:-\w*[oT]|--o|--compress|--temp)/u),
  tree: none(/^(?:-\w*o|-R)/u),
  // A second file would be written to.
  uniq: (args) => none(/^\0/u)(args) && operandsOf(args) < 2,
  xxd: (args) => none(/^(?:-\w*r|-revert)/u)(args) && operandsOf(args) < 2,
}

function none(forbidden: RegExp): (args: Words) => boolean {
  return (args) => args.every((word) => word !== null && !forbidden.test(word))
}

function operandsOf(args: Words): number {
  return args.filter((word) => !isOption(word)).length
}

function isOption(word: string | null | undefined): boolean {
  return word?.startsWith('-') === true
}

/** `sed -n 5p`, `sed -n 5,9p`, with at most one file. */
function isPrintingSed(args: Words): boolean {
  const [quiet, script, file, ...more] = args
  const isPrinting = typeof script === 'string' && /^\d+(?:,(?:\d+|\$))?p$/u.test(script)
  return quiet === '-n' && isPrinting && more.length === 0 && file !== null && !isOption(file)
}

/** It changes nothing; words that are only known when it runs are allowed where they cannot matter. */
export function isHarmless({ words }: FoundCommand): boolean {
  const program = bareName(words[0]?.text ?? null)
  if (program === null) return false
  if (withAnyArguments.has(program)) return true
  const isFine = Object.hasOwn(withSomeArguments, program) ? withSomeArguments[program] : undefined
  return isFine?.(words.slice(1).map(({ text }) => text)) ?? false
}

/** Whether its arguments cannot make it do anything but read. */
export function isHarmlessWithAnyArguments({ words }: FoundCommand): boolean {
  const program = bareName(words[0]?.text ?? null)
  return program !== null && withAnyArguments.has(program)
}

/** A program at another place may be another program. */
function bareName(program: string | null): string | null {
  const name = program?.replace(/^(?:\/usr)?\/bin\//u, '') ?? null
  return name === null || (name.includes('/') && name !== '/') ? null : name
}

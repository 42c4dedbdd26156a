import { type FoundCommand, type FoundWord, isSteady } from './decomposition.ts'
import { optionTable, type OptionTable, readOptions } from './programs/wrappers.ts'

/** Whether the command changes nothing, whatever its unknown words become. */
export function onlyReads({ words }: FoundCommand): boolean {
  const program = bareName(words[0]?.text ?? null)
  if (program === null) return false
  if (withAnyArguments.has(program)) return true
  const args = words.slice(1)
  const reads = programs.get(program)
  if (reads !== undefined) return reads(args)
  return (isVersion(args) && tellsVersion.has(program)) || readsBySubcommand(program, args)
}

/** Whether it only reads with any arguments. */
export function onlyReadsWithAny({ words }: FoundCommand): boolean {
  const program = bareName(words[0]?.text ?? null)
  return program !== null && withAnyArguments.has(program)
}

/** Null for a path: it may be another program of that name. */
function bareName(program: string | null): string | null {
  const name = program?.replace(/^(?:\/usr)?\/bin\//u, '') ?? null
  return name === null || (name.includes('/') && name !== '/') ? null : name
}

const withAnyArguments: ReadonlySet<string> = new Set(
  (
    'basename cat cd cmp comm cut df diff dirname du echo expr false fold grep egrep fgrep head id ls md5sum nl nproc od paste printf ' +
    'pwd readlink realpath rev seq sha1sum sha256sum sha512sum cksum sleep stat tac tail test [ [[ tr true : type uname wc which ' +
    'whoami hexdump numfmt exit return break continue shift free uptime zcat read'
  ).split(' '),
)

/** Programs that print a version without reading it from the project. */
const tellsVersion = new Set(
  (
    'node npm python python3 ruby java javac gcc g++ clang make cmake tsc deno bun git docker kubectl helm terraform go php perl ' +
    'pip pip3 jq rg curl wget bash zsh uv poetry pyenv nvm gh ffmpeg sqlite3 psql tar'
  ).split(' '),
)

function isVersion([first, ...others]: readonly FoundWord[]): boolean {
  return others.length === 0 && /^(?:--version|-version|-v|-V|version)$/u.test(first?.text ?? '')
}

type Reads = (args: readonly FoundWord[]) => boolean

const binary = 'a C D g u A n r S B P d h x t: T s p R e: f o j: M: # defined-only demangle extern-only'

const programs: ReadonlyMap<string, Reads> = new Map(
  Object.entries({
    awk: isReadingAwk,
    gawk: isReadingAwk,
    mawk: isReadingAwk,
    base64: withOptions('d D i w: decode ignore-garbage wrap:'),
    column: withOptions('t s: n e o: c: N: R: J x table'),
    command: ([option]) => option?.text === '-v' || option?.text === '-V',
    date: (args) => {
      const read = readWords(args, optionTable('u R I d: r: utc rfc-3339 iso-8601 date: reference:'))
      return read?.operands.every(({ text }) => text?.startsWith('+')) === true
    },
    fd: without('x X exec exec-batch'),
    file: withOptions('b i k L r s 0 N h mime mime-type mime-encoding brief dereference'),
    find: isReadingFind,
    gunzip: isUnpacking,
    gzip: isUnpacking,
    hostname: withOptions('f i I s d', 0),
    // A filter can print the environment, which may hold keys, or load a file.
    jq: (args) => readsByJq(args) && !args.some(({ text, written }) => readsBeyond.test(text ?? written)),
    less: isPager,
    lsof: (args) =>
      args.every(({ text }) => text !== null && /^(?:-[inPtalUpcu]+|-i[\w:@.]*|[\w:@.,/]+)$/u.test(text)),
    man: withOptions('k f'),
    more: isPager,
    netstat: withOptions('t u l n p a r s i e', 0),
    nm: withOptions(binary),
    objdump: withOptions(binary),
    // `ps e` and `ps auxe` show the environment of others.
    ps: (args) =>
      args.every(({ text }) => text !== null && !/^[a-zA-Z]*[eE][a-zA-Z]*$|^-[a-zA-Z]*E/u.test(text)),
    pgrep: withOptions('f l a n o x u: c d: v i full list-name'),
    printenv: (args) =>
      args.length > 0 &&
      args.every(
        ({ text }) => text !== null && !/key|token|secret|pass|auth|cred|cookie|dsn|^-/iu.test(text),
      ),
    rg: without('z search-zip pre pre-glob hostname-bin'),
    sed: isReadingSed,
    set: (args) =>
      args.every(
        ({ text }) =>
          text !== null && /^[-+](?:[euxo]+|o|pipefail)$|^(?:pipefail|errexit|nounset|xtrace)$/u.test(text),
      ),
    sort: without(
      'o T output temporary-directory compress-program files0-from parallel batch-size random-source',
    ),
    ss: without('K D F kill diag filter'),
    strings: withOptions(binary),
    tar: isListing,
    tree: without('o R output fromfile'),
    // A second operand is a file that is written.
    uniq: withOptions('c d D i u z f: s: w: # count repeated unique ignore-case', 1),
    unzip: ([first, ...others]) =>
      /^-(?:l|lv|v|Z1?|t)$/u.test(first?.text ?? '') &&
      others.every(({ text }) => text?.startsWith('-') === false),
    wait: (args) => args.every(({ text, written }) => written === '$!' || /^[%\d]/u.test(text ?? '')),
    xargs: isStarting,
    xxd: withOptions('a b e E i p u l: s: c: g: o:', 1),
    yq: withOptions('r e P C M N n'),
  } satisfies Record<string, Reads>),
)

/** `xargs` starts a command that is listed separately. */
function isStarting(args: readonly FoundWord[]): boolean {
  const known = '0 r t n: P: L: I: d: s: x null no-run-if-empty max-args max-procs max-lines'
  const end = args.findIndex(
    ({ text }, at) =>
      text === null || !(text.startsWith('-') || /^-[nPLIds]$/u.test(args[at - 1]?.text ?? '')),
  )
  const options = end < 0 ? args : args.slice(0, end)
  return args[end]?.text !== null && readWords(options, optionTable(known)) !== undefined
}

/** Only reads with these options and at most `maxOperands` operands. */
function withOptions(options: string, maxOperands = Number.POSITIVE_INFINITY): Reads {
  return (args) => {
    const operands = readWords(args, optionTable(options))?.operands
    if (operands === undefined || operands.length > maxOperands) return false
    // A glob may become several operands.
    return maxOperands === Number.POSITIVE_INFINITY || operands.every(({ text }) => text !== null)
  }
}

/** Only reads without these options. Long ones may be abbreviated. */
function without(options: string): Reads {
  const banned = options.split(' ')
  return (args) => args.every((word) => isSteady(word) && !usesOneOf(word.text ?? '', banned))
}

function usesOneOf(text: string, banned: readonly string[]): boolean {
  const [, long] = /^--([^=]+)/.exec(text) ?? []
  if (long !== undefined) return banned.some((name) => name.length > 1 && name.startsWith(long))
  return /^-[^-\d]/.test(text) && banned.some((name) => name.length === 1 && text.includes(name, 1))
}

interface ReadWords {
  readonly options: readonly string[]
  readonly operands: readonly FoundWord[]
}

/** @returns undefined if an option is unknown, or an unknown word may be one */
function readWords(words: readonly FoundWord[], known: OptionTable): ReadWords | undefined {
  const all = words.map((word) => ({ ...word, guess: word.text ?? word.written }))
  const options: string[] = []
  const operands: FoundWord[] = []
  for (let from = 0; from < all.length; from += 1) {
    const { end, used, isKnown, isEnded } = readOptions(all, from, known)
    if (!isKnown) return undefined
    options.push(...used.map(({ name }) => name))
    if (isEnded) return { options, operands: [...operands, ...words.slice(end)] }
    const operand = words[end]
    if (operand !== undefined && !isSteady(operand)) return undefined
    operands.push(...(operand === undefined ? [] : [operand]))
    from = end
  }
  return { options, operands }
}

const readsByJq = withOptions(
  'r c n s e S M C a j R exit-status raw-output compact-output null-input slurp sort-keys monochrome-output color-output ' +
    'raw-input join-output tab indent arg argjson args jsonargs slurpfile rawfile',
)

/** In a filter of `jq`. */
const readsBeyond = /\$ENV\b|(?<![\w.$-])(?:env|import|include|input_filename)\b|\$__prog/u

function isReadingFind(args: readonly FoundWord[]): boolean {
  let isExecuted = false
  return (
    args.every(({ text, written }) => {
      if (isExecuted) {
        isExecuted = text !== ';' && text !== '+'
        return true
      }
      isExecuted = text === '-exec' || text === '-execdir'
      if (text === null) return /^(?:~|[\w.@])[\w./@*?+-]*$/u.test(written)
      return !/^-(?:delete|ok|okdir|fls|fprint.*|files0-from)$/u.test(text)
    }) && !isExecuted
  )
}

function isUnpacking(args: readonly FoundWord[]): boolean {
  const read = readWords(args, optionTable('c d k f q l t v stdout decompress to-stdout list test'))
  return read?.options.some((option) => /^(?:c|l|t|stdout|to-stdout|list|test)$/u.test(option)) === true
}

/** A word with a colon names another machine. */
function isListing([mode, ...files]: readonly FoundWord[]): boolean {
  const isList = /^(?=.*t)-?[tvzjJaf]+$|^--list$/u.test(mode?.text ?? '')
  return isList && files.every(({ text }) => text !== null && !/^-|:/u.test(text))
}

/** A word with `+` is a command. */
function isPager(args: readonly FoundWord[]): boolean {
  const operands = readWords(args, optionTable('N S R F X i n r'))?.operands
  return operands?.every(({ text }) => text?.startsWith('+') === false) === true
}

/** Whether the script has only addresses and commands that do not write, read other files or run anything. */
function isReadingSed(args: readonly FoundWord[]): boolean {
  const read = readWords(
    args,
    optionTable('n E r e: s u z quiet silent regexp-extended expression null-data separate unbuffered'),
  )
  if (read === undefined) return false
  const behind = args.flatMap(({ text }, index) => {
    const attached = /^(?:-[nErsuz]*e|--expression=)(?<script>.+)$/su.exec(text ?? '')?.groups?.['script']
    if (attached !== undefined) return [attached]
    return /^(?:-[nErsuz]*e|--expression)$/u.test(text ?? '') ? [args[index + 1]?.text ?? null] : []
  })
  const scripts = behind.length > 0 ? behind : [read.operands[0]?.text ?? null]
  return scripts.every((script) => script !== null && script.length < maxScriptLength && isPrinting(script))
}

const maxScriptLength = 2_000

const address = String.raw`(?:\d+(?:~\d+)?|\$|/(?:\\.|\[[^\]\n]*\]|[^/\\\n\[])*/I?)`
const substitution = String.raw`s([^\w\s\\])(?:\\.|(?!\1)[^\\\n])*\1(?:\\.|(?!\1)[^\\\n])*\1[gpiIM\d]*`
const transliteration = String.raw`y([^\w\s\\])(?:\\.|(?!\2)[^\\\n])*\2(?:\\.|(?!\2)[^\\\n])*\2`
const sedCommand = new RegExp(
  String.raw`[\s;]*(?:${address}(?:\s*,\s*(?:\+?${address}))?)?\s*!?\s*(?:${substitution}|${transliteration}|[pdDPnNhHgGxl=]|[qQ]\d*)\s*(?:[;\n]|$)`,
  'uy',
)

function isPrinting(script: string): boolean {
  let at = 0
  while (at < script.length) {
    sedCommand.lastIndex = at
    const found = sedCommand.exec(script)
    if (found === null || found[0] === '') return false
    at += found[0].length
  }
  return at > 0
}

/** Whether it starts nothing, writes nothing and reads only the listed files. */
function isReadingAwk(args: readonly FoundWord[]): boolean {
  const program = readWords(args, optionTable('F: v: field-separator assign'))?.operands[0]?.text ?? null
  if (program === null || /\b(?:system|getline|close|fflush|ARGV|ARGC|ENVIRON|PROCINFO)\b|@/u.test(program))
    return false
  const prints = /\bprintf?\b/u.test(program)
  return !/(?<!\|)\|(?!\|)/u.test(program) && !(prints && program.includes('>'))
}

interface Subcommand {
  /** First words, such as `stash list|show`: one each, with alternatives. */
  readonly words: string
  /** Options with which it does not only read. */
  readonly banned: string
  readonly reads?: (operands: readonly (string | null)[], args: readonly FoundWord[]) => boolean
}

function row(words: string, banned = '', reads?: Subcommand['reads']): Subcommand {
  return { words, banned, ...(reads === undefined ? {} : { reads }) }
}

const takesNone: Subcommand['reads'] = (operands) => operands.length === 0
const hasOne = (args: readonly FoundWord[], option: RegExp) =>
  args.some(({ text }) => option.test(text ?? ''))

/** With a listing option operands are patterns, otherwise names to create. */
const lists: Subcommand['reads'] = (operands, args) =>
  operands.length === 0 || hasOne(args, /^(?:-l|--(?:list|contains|no-contains|merged|no-merged|points-at))/u)
const tellsNoSecret: Subcommand['reads'] = (operands) =>
  operands.every((text) => text !== null && !/secret|auth|token|pass/iu.test(text))

const ofDiff = 'O output ext-diff textconv open-files-in-pager'
const pip = [row('list|show|freeze|check|inspect', 'log cache-dir path'), row('config list|get')]

const subcommands: Readonly<Record<string, readonly Subcommand[]>> = {
  git: [
    row('status'),
    row(
      'log|show|diff|shortlog|whatchanged|rev-list|diff-tree|diff-index|diff-files|range-diff|cherry',
      ofDiff,
    ),
    row('stash list|show', ofDiff),
    row('reflog', ofDiff, ([first]) => !/^(?:expire|delete|drop|write)$/u.test(first ?? '')),
    row(
      'branch',
      'd D m M c C f u t delete move copy force set-upstream-to unset-upstream edit-description track create-reflog',
      lists,
    ),
    row('tag', 'a s d f m F u e delete annotate sign force message file edit', lists),
    row('remote', '', takesNone),
    row('remote get-url|show'),
    row('rev-parse|ls-files|ls-tree|describe|for-each-ref|count-objects|cat-file', 'textconv filters'),
    row('blame|annotate', 'contents'),
    row(
      'name-rev|merge-base|show-ref|symbolic-ref|var|show-branch',
      'd delete m',
      (operands) => operands.length < 3 && operands[0] !== 'HEAD',
    ),
    row(
      'config',
      'e f add replace-all unset unset-all rename-section remove-section edit file blob',
      ([first, ...others], args) =>
        first !== 'edit' && (others.length === 0 || hasOne(args, /^(?:-l|--list|--get.*)$/u)),
    ),
    row('worktree list'),
    row('submodule status|summary'),
    row('check-ignore|check-attr|check-ref-format'),
    row('grep', 'O open-files-in-pager textconv'),
  ],
  gh: [
    row('pr|issue|run|repo|release|workflow|gist|label|ruleset|cache view|list|status|diff|checks', 'w web'),
    row('auth status', 't show-token'),
    row('search code|commits|issues|prs|repos', 'w web'),
  ],
  docker: [
    row('ps|images|logs|inspect|version|info|history|top|port|stats|diff|search'),
    row('compose ps|logs|images|top|version|ls|port'),
    row('volume|network|container|image|context|builder ls|list|inspect|logs|top|stats|history|show|du'),
    row('system df|info'),
  ],
  kubectl: [
    row(
      'get|describe|logs|top|explain|api-resources|api-versions|version',
      'f filename kubeconfig server token raw k',
      tellsNoSecret,
    ),
    row('config current-context|get-contexts|get-clusters', 'kubeconfig'),
    row('rollout status|history', 'kubeconfig f filename k'),
    row('auth can-i|whoami', 'kubeconfig'),
  ],
  helm: [row('list|ls|status|history|version', 'kubeconfig')],
  npm: [
    row(
      'ls|list|ll|la|view|info|v|show|outdated|root|prefix|why|explain|search|ping|whoami|fund',
      'C prefix userconfig globalconfig registry cache script-shell',
    ),
    row('config|c get|list|ls', 'C prefix userconfig', tellsNoSecret),
  ],
  pip,
  pip3: pip,
  go: [row('version'), row('env', 'w u'), row('list', 'toolexec overlay modfile C exec'), row('doc', 'C')],
}

function readsBySubcommand(program: string, args: readonly FoundWord[]): boolean {
  const all = Object.hasOwn(subcommands, program) ? (subcommands[program] ?? []) : []
  if (
    program === 'gh' &&
    args.some(({ text, written }) => readsBeyond.test(text ?? written) && hasOne(args, /^(?:-q|--jq)/u))
  )
    return false
  const own = program === 'git' ? withoutGlobalOptions(args) : args
  return all.some(({ words, banned, reads }) => {
    const names = words.split(' ')
    const rest = own.slice(names.length)
    const isIt = names.every((name, index) => name.split('|').includes(own[index]?.text ?? ''))
    if (!isIt || !without(banned)(rest)) return false
    const operands = rest.map(({ text }) => text).filter((text) => text?.startsWith('-') !== true)
    return reads?.(operands, rest) ?? true
  })
}

/** Accepts `--no-pager`, and `-C` for a folder below this one. */
function withoutGlobalOptions(args: readonly FoundWord[]): readonly FoundWord[] {
  const [first, second, ...others] = args
  if (/^(?:--no-pager|-P|--no-optional-locks|--literal-pathspecs)$/u.test(first?.text ?? ''))
    return withoutGlobalOptions(args.slice(1))
  const isBelow = first?.text === '-C' && /^(?!.*\.\.)[\w.][\w./@+-]*$/u.test(second?.text ?? '')
  return isBelow ? withoutGlobalOptions(others) : args
}

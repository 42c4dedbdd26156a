/** Commands that only read, whatever else is true: they may run without a question. */
import { type FoundWord, isSteady } from './decomposition.ts'
import { optionTable, type OptionTable } from './programs/started.ts'

type Reads = (args: readonly FoundWord[]) => boolean

/** Undefined: none of them. */
export function readingProgram(program: string): Reads | undefined {
  return Object.hasOwn(programs, program) ? programs[program] : undefined
}

const binary = 'a C D g u A n r S B P d h x t: T s p R e: f o j: M: # defined-only demangle extern-only'

const programs: Readonly<Record<string, Reads>> = {
  awk: isReadingAwk,
  gawk: isReadingAwk,
  mawk: isReadingAwk,
  base64: withOptions('d D i w: decode ignore-garbage wrap:'),
  column: withOptions('t s: n e o: c: N: R: J x table'),
  command: ([option]) => option?.text === '-v' || option?.text === '-V',
  date: (args) =>
    operandsOf(args, 'u R I d: r: utc rfc-3339 iso-8601 date: reference:')?.every((text) =>
      text?.startsWith('+'),
    ) === true,
  fd: withOptions(
    'e: t: H I u a d: E: g s i F p L 0 1 S: extension: type: hidden no-ignore max-depth: exclude: glob fixed-strings full-path absolute-path',
  ),
  file: withOptions('b i k L r s 0 N h mime mime-type mime-encoding brief dereference'),
  find: isReadingFind,
  gunzip: isUnpacking,
  gzip: isUnpacking,
  hostname: withOptions('f i I s d', 0),
  // The environment holds keys, and a module may be any file.
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
    args.every(({ text }) => text !== null && !/key|token|secret|pass|auth|cred|cookie|dsn|^-/iu.test(text)),
  rg: withOptions(
    'n i l L c v w x o e: f: g: t: T: A: B: C: m: F P U u s S H I h N 0 a q r: . j: M: files glob iglob type type-not hidden no-ignore ' +
      'ignore-case smart-case case-sensitive files-with-matches files-without-match count count-matches line-number no-line-number ' +
      'with-filename no-filename fixed-strings word-regexp line-regexp regexp context after-context before-context max-count ' +
      'max-depth json stats sort sortr multiline pcre2 only-matching invert-match heading no-heading color vimgrep trim type-list ' +
      'null max-columns no-messages follow no-config passthru replace text unrestricted',
  ),
  sed: isReadingSed,
  set: (args) =>
    args.every(
      ({ text }) =>
        text !== null && /^[-+](?:[euxo]+|o|pipefail)$|^(?:pipefail|errexit|nounset|xtrace)$/u.test(text),
    ),
  sort: withOptions(
    'b d f g h i M n r R V c C u z s m k: t: S: reverse numeric-sort unique key field-separator ignore-case human-numeric-sort ' +
      'version-sort general-numeric-sort month-sort ignore-leading-blanks dictionary-order stable zero-terminated check',
  ),
  ss: withOptions('t u l n p a 4 6 s x e m o H'),
  strings: withOptions(binary),
  tar: isListing,
  tree: withOptions(
    'L: a d f i s h D p u g C n I: P: J X Q N F r t dirsfirst noreport gitignore prune filelimit',
  ),
  // A second file would be written to.
  uniq: withOptions('c d D i u z f: s: w: # count repeated unique ignore-case', 1),
  unzip: ([first, ...others]) =>
    /^-(?:l|lv|v|Z1?|t)$/u.test(first?.text ?? '') &&
    others.every(({ text }) => text?.startsWith('-') === false),
  wait: (args) => args.every(({ text, written }) => written === '$!' || /^[%\d]/u.test(text ?? '')),
  // What it runs is found beside it.
  xargs: isStarting,
  xxd: withOptions('a b e E i p u l: s: c: g: o:', 1),
  yq: withOptions('r e P C M N n'),
}

function operandsOf(args: readonly FoundWord[], options: string): readonly (string | null)[] | undefined {
  return readWords(args, optionTable(options))?.operands.map(({ text }) => text)
}

/** @param maxOperands more would be written to */
function withOptions(options: string, maxOperands = Number.POSITIVE_INFINITY): Reads {
  const known = optionTable(options)
  return (args) => {
    const operands = readWords(args, known)?.operands
    if (operands === undefined || operands.length > maxOperands) return false
    // A glob may be several.
    return maxOperands === Number.POSITIVE_INFINITY || operands.every(({ text }) => text !== null)
  }
}

const readsByJq = withOptions(
  'r c n s e S M C a j R exit-status raw-output compact-output null-input slurp sort-keys monochrome-output color-output ' +
    'raw-input join-output tab indent arg argjson args jsonargs slurpfile rawfile',
)

/** Of a filter of `jq`. */
export const readsBeyond = /\$ENV\b|(?<![\w.$-])(?:env|import|include|input_filename)\b|\$__prog/u

const findTests = new Set(
  (
    'name iname path ipath wholename type xtype not o a or and maxdepth mindepth depth size mtime mmin atime amin ctime cmin newer ' +
    'newermt empty print print0 printf prune regex iregex regextype perm user group uid gid links inum lname readable writable ' +
    'executable samefile true false ls quit L H P E mount xdev daystart'
  ).split(' '),
)

/** What `-exec` runs is found beside it. */
function isReadingFind(args: readonly FoundWord[]): boolean {
  for (let index = 0; index < args.length; index += 1) {
    const word = args[index]
    const text = word?.text
    if (word === undefined || text === undefined) break
    if (text === null && !/^(?:~|[\w.@])[\w./@*?+-]*$/u.test(word.written)) return false
    if (text === '-exec' || text === '-execdir') {
      const end = args.findIndex(({ text: later }, at) => at > index && (later === ';' || later === '+'))
      if (end === -1) return false
      index = end
    } else if (
      text?.startsWith('-') === true &&
      !findTests.has(text.slice(1)) &&
      !findValues.test(args[index - 1]?.text ?? '')
    )
      return false
  }
  return true
}

/** `-size -10k`, `-mtime -1`, `-perm -u+x`. */
const findValues = /^-(?:size|[acm]time|[acm]min|perm|links|uid|gid|inum)$/u

function isStarting(args: readonly FoundWord[]): boolean {
  const known = optionTable('0 r t n: P: L: I: d: s: x null no-run-if-empty max-args max-procs max-lines')
  for (let index = 0; index < args.length; index += 1) {
    const text = args[index]?.text
    if (typeof text !== 'string') return false
    if (!text.startsWith('-')) return true
    if (readWords(args.slice(index, index + 1), known) === undefined) return false
    if (/^-[nPLIds]$/u.test(text)) index += 1
  }
  return true
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

/** A word with `+` is a command of its own. */
function isPager(args: readonly FoundWord[]): boolean {
  const operands = operandsOf(args, 'N S R F X i n r')
  return operands?.every((text) => text?.startsWith('+') === false) === true
}

interface ReadWords {
  /** Without dashes. */
  readonly options: readonly string[]
  /** Without the values of options, as far as those are known. */
  readonly operands: readonly FoundWord[]
}

/**
 * Long options are known by their whole name, for an abbreviation may be that of another. Undefined: an option is not known, or a
 * word that is only known when it runs may be one.
 */
export function readWords(words: readonly FoundWord[], known: OptionTable): ReadWords | undefined {
  const options: string[] = []
  const operands: FoundWord[] = []
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index]
    if (word === undefined) break
    const { text } = word
    if (text === '--') return { options, operands: [...operands, ...words.slice(index + 1)] }
    if (text === null && !isSteady(word)) return undefined
    if (text === null || text === '-' || !text.startsWith('-')) {
      operands.push(word)
      continue
    }
    const names = optionsIn(text, known)
    if (names === undefined) return undefined
    options.push(...names)
    const last = names.at(-1) ?? ''
    if (known.takesValue(last) && text.endsWith(last)) index += 1
  }
  return { options, operands }
}

function optionsIn(text: string, known: OptionTable): readonly string[] | undefined {
  if (/^-\d+$/u.test(text) && known.has('#')) return ['#']
  if (text.startsWith('--')) {
    const name = text.slice(2).split('=', 1)[0] ?? ''
    return name.length > 1 && known.has(name) ? [name] : undefined
  }
  const names: string[] = []
  for (const letter of text.slice(1)) {
    if (!known.has(letter)) return undefined
    names.push(letter)
    if (known.takesValue(letter)) break
  }
  return names
}

const sedOptions = optionTable(
  'n E r e: s u z quiet silent regexp-extended expression null-data separate unbuffered',
)

/** Every script is made of addresses and of commands that neither write, read other files, nor run anything. */
function isReadingSed(args: readonly FoundWord[]): boolean {
  const read = readWords(args, sedOptions)
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

const awkOptions = optionTable('F: v: field-separator assign')

/** It starts nothing, writes no file, and reads none but those that are named. */
function isReadingAwk(args: readonly FoundWord[]): boolean {
  const operands = readWords(args, awkOptions)?.operands
  const program = operands?.[0]?.text ?? null
  if (program === null || /\b(?:system|getline|close|fflush|ARGV|ARGC|ENVIRON|PROCINFO)\b|@/u.test(program))
    return false
  const prints = /\bprintf?\b/u.test(program)
  return !/(?<!\|)\|(?!\|)/u.test(program) && !(prints && program.includes('>'))
}

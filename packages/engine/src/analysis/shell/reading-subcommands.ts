/** Programs of many commands, of which some only read. */
import type { FoundWord, FoundCommand } from './decomposition.ts'
import { readsBeyond, readWords, readingProgram } from './harmless.ts'
import { optionTable, type OptionTable } from './programs/started.ts'

/** Whether a command reads with these operands and options. */
type Reads = (operands: readonly (string | null)[], options: readonly string[]) => boolean

interface ReadingCommand {
  readonly of: readonly RegExp[]
  readonly options: OptionTable
  /** Undefined: it reads whatever they are. */
  readonly reads: Reads | undefined
}

/** Whether a program of many commands only reads with these words; undefined: it is none. */
function readsBySubcommand(program: string, args: readonly FoundWord[]): boolean | undefined {
  const isVersion = args.length === 1 && /^(?:--version|-version|-v|-V|version)$/u.test(args[0]?.text ?? '')
  if (isVersion && tellsVersion.has(program)) return true
  if (!Object.hasOwn(commands, program)) return undefined
  if (program === 'gh' && args.some(isFilterBeyond)) return false
  const own = program === 'git' ? withoutGlobalOptions(args) : args
  return commands[program]?.some((command) => fits(command, own)) === true
}

/** None of them looks into the project for it. */
const tellsVersion = new Set(
  (
    'node npm python python3 ruby java javac gcc g++ clang make cmake tsc deno bun git docker kubectl helm terraform go php perl ' +
    'pip pip3 jq rg curl wget bash zsh uv poetry pyenv nvm gh ffmpeg sqlite3 psql tar'
  ).split(' '),
)

/** The filter of `gh … --jq`. */
function isFilterBeyond({ text, written }: FoundWord, index: number, args: readonly FoundWord[]): boolean {
  const isFilter = [args[index - 1]?.text, text?.slice(0, 6)].some((one) =>
    /^(?:-q|--jq=?)$/u.test(one ?? ''),
  )
  return isFilter && readsBeyond.test(text ?? written)
}

function fits({ of, options, reads }: ReadingCommand, args: readonly FoundWord[]): boolean {
  if (!of.every((name, index) => name.test(args[index]?.text ?? ''))) return false
  const read = readWords(args.slice(of.length), options)
  if (read === undefined) return false
  const operands = read.operands.map(({ text }) => text)
  return reads?.(operands, read.options) ?? true
}

/** By their words, such as `stash list|show`: one word each, with alternatives. */
type Rows = Readonly<Record<string, string | readonly [options: string, reads: Reads]>>

function reading(rows: Rows): readonly ReadingCommand[] {
  return Object.entries(rows).map(([names, row]) => {
    const [options, reads] = typeof row === 'string' ? [row] : row
    const of = names.split(' ').map((name) => new RegExp(`^(?:${name})$`, 'u'))
    return { of, options: optionTable(options), reads }
  })
}

/** `--no-pager`, and `-C` for a folder below this one. */
function withoutGlobalOptions(args: readonly FoundWord[]): readonly FoundWord[] {
  const [first, second, ...others] = args
  if (/^(?:--no-pager|-P|--no-optional-locks|--literal-pathspecs)$/u.test(first?.text ?? ''))
    return withoutGlobalOptions(args.slice(1))
  const isBelow = first?.text === '-C' && /^(?!.*\.\.)[\w.][\w./@+-]*$/u.test(second?.text ?? '')
  return isBelow ? withoutGlobalOptions(others) : args
}

const isAlone: Reads = (operands) => operands.length === 0

/** With an option that lists, operands are patterns; otherwise they are made. */
const isListing: Reads = (operands, options) =>
  operands.length === 0 ||
  options.some((option) => /^(?:l|list|contains|no-contains|merged|no-merged|points-at)$/u.test(option))

const history =
  'p u s U: n: # S: G: L: M C R w b z q a i E F P g c m t r 1 stat shortstat numstat name-only name-status summary patch no-patch oneline ' +
  'graph all decorate no-decorate format pretty author committer since until after before grep max-count skip follow reverse ' +
  'first-parent merges no-merges date date-order topo-order author-date-order abbrev-commit abbrev no-abbrev-commit cached staged ' +
  'color no-color word-diff word-diff-regex color-words color-moved unified minimal patience histogram diff-filter diff-algorithm ' +
  'ignore-all-space ignore-space-change ignore-blank-lines ignore-space-at-eol ignore-cr-at-eol check quiet exit-code no-ext-diff ' +
  'no-textconv relative raw full-index binary find-renames find-copies no-renames merge-base no-index branches tags remotes ' +
  'left-right cherry-pick cherry-mark left-only right-only no-prefix function-context compact-summary dirstat submodule ' +
  'inter-hunk-context pickaxe-regex pickaxe-all simplify-by-decoration ancestry-path no-walk numbered email text encoding cc ' +
  'source count objects walk-reflogs no-notes boundary invert-grep all-match regexp-ignore-case fixed-strings extended-regexp'

const pip: Rows = {
  'list|show|freeze|check|inspect':
    'o u l f v e outdated uptodate editable not-required user local format files verbose all exclude exclude-editable pre',
  'config list|get': 'v verbose user global site',
}

const commands: Readonly<Record<string, readonly ReadingCommand[]>> = {
  git: reading({
    status:
      's b v u: z short branch porcelain long untracked-files ignored verbose ahead-behind no-ahead-behind show-stash no-renames',
    'log|show|diff|shortlog|whatchanged|rev-list|diff-tree|diff-index|diff-files|range-diff|cherry':
      history + ' e',
    'stash list|show': history,
    reflog: [history, ([first]) => !/^(?:expire|delete|drop|write)$/u.test(first ?? '')],
    branch: [
      'a r v l q all remotes verbose list show-current contains no-contains merged no-merged sort format column points-at color no-color abbrev',
      isListing,
    ],
    tag: ['l n list sort contains no-contains merged no-merged points-at format column', isListing],
    remote: ['v verbose', isAlone],
    'remote get-url|show': 'n all push',
    'rev-parse':
      'q abbrev-ref short show-toplevel verify quiet is-inside-work-tree is-bare-repository git-dir absolute-git-dir git-common-dir show-prefix show-cdup symbolic-full-name all branches tags',
    'ls-files':
      'o c m d s u z t i k v x: others cached modified deleted exclude-standard stage full-name error-unmatch exclude ignored directory unmerged deduplicate eol',
    'ls-tree': 'r t d l z name-only name-status full-tree full-name long abbrev format',
    'blame|annotate':
      'L: w C M e s l t n f p b c since reverse porcelain line-porcelain date show-email show-name',
    describe: 'tags all always long dirty abbrev match exclude exact-match contains first-parent',
    'name-rev|merge-base|show-ref|symbolic-ref|count-objects|var|show-branch': [
      'a all heads tags name-only always is-ancestor octopus fork-point verify q quiet s hash d dereference v H short',
      (operands) => operands.length < 3 && operands[0] !== 'HEAD',
    ],
    'for-each-ref': 'format sort count contains merged no-merged points-at',
    config: [
      'z l get get-all get-regexp get-urlmatch list global local system worktree show-origin show-scope name-only null type bool int path',
      (operands, options) =>
        operands[0] !== 'edit' &&
        (options.some((option) => /^(?:l|list|get.*)$/u.test(option)) || operands.length === 1),
    ],
    'cat-file': 'p t s e batch-check',
    'worktree list': 'v z porcelain verbose',
    'submodule status|summary': 'recursive cached',
    'check-ignore|check-attr|check-ref-format': 'v n q z a all verbose no-index stdin',
    grep: 'n i l L c v w E F P G e: A: B: C: h H o p W q I z f: untracked cached name-only files-with-matches files-without-match line-number count ignore-case word-regexp extended-regexp fixed-strings perl-regexp and or not show-function function-context heading break max-depth all-match no-index recurse-submodules only-matching color no-color column context after-context before-context',
  }),
  gh: reading({
    'pr|issue|run|repo|release|workflow|gist|label|ruleset|cache view|list|status|diff|checks':
      'q: t: L: s: R: c l: a: A: B: H: j: S: v r f json jq template limit state repo comments log log-failed job verbose name-only patch author assignee label search base head required exit-status branch workflow user event created status attempt order sort raw files yaml color milestone mention app draft',
    'auth status': 'h: a active hostname',
    'search code|commits|issues|prs|repos':
      'L: R: json jq template limit repo owner language state sort order match',
  }),
  docker: reading({
    'ps|images|logs|inspect|version|info|history|top|port|stats|diff|search':
      'a q l n: s f: t no-trunc all quiet latest filter format size tail since until timestamps follow details digests tree no-stream type',
    'compose ps|logs|images|top|version|ls|port':
      'a q f t n: all quiet format services status tail since until follow timestamps no-color no-log-prefix filter',
    'volume|network|container|image|context|builder ls|list|inspect|logs|top|stats|history|show|du':
      'a q f: n: s all quiet filter format no-trunc tail since verbose no-stream',
    'system df|info': 'v verbose format',
  }),
  kubectl: reading({
    'get|describe|logs|top|explain|api-resources|api-versions|version': [
      'n: o: l: A w f c: p L: all-namespaces namespace output selector tail since previous follow show-labels sort-by no-headers field-selector container timestamps client short all-containers prefix recursive label-columns ignore-not-found watch',
      (operands) => operands.every((text) => text !== null && !/secret/iu.test(text)),
    ],
    'config current-context|get-contexts|get-clusters': 'o: output no-headers',
    'rollout status|history': 'n: namespace timeout revision',
    'auth can-i|whoami': 'n: namespace list',
  }),
  helm: reading({ 'list|ls|status|history|version': 'n: A a o: namespace all-namespaces all output short' }),
  npm: reading({
    'ls|list|ll|la|view|info|v|show|outdated|root|prefix|why|explain|search|ping|whoami|fund':
      'a g l p all global json long parseable depth omit prod production dev workspaces w: workspace',
    'config|c get|list|ls': [
      'l json long',
      (operands) => operands.every((text) => text !== null && !/auth|token|pass/iu.test(text)),
    ],
  }),
  pip: reading(pip),
  pip3: reading(pip),
  go: reading({
    version: 'm v',
    env: 'json changed',
    list: 'm json f: deps e versions u',
    doc: 'all short src u c',
  }),
}

/** Whatever their arguments are. */
const withAnyArguments: ReadonlySet<string> = new Set(
  (
    'basename cat cd cmp comm cut df diff dirname du echo expr false fold grep egrep fgrep head id ls md5sum nl nproc od paste printf ' +
    'pwd readlink realpath rev seq sha1sum sha256sum sha512sum cksum sleep stat tac tail test [ [[ tr true : type uname wc which ' +
    'whoami hexdump numfmt exit return break continue shift free uptime zcat read'
  ).split(' '),
)

/** It changes nothing; words that are only known when it runs are allowed where they cannot matter. */
export function onlyReads({ words }: FoundCommand): boolean {
  const program = bareName(words[0]?.text ?? null)
  if (program === null) return false
  if (withAnyArguments.has(program)) return true
  const args = words.slice(1)
  return readingProgram(program)?.(args) ?? readsBySubcommand(program, args) ?? false
}

/** Whether its arguments cannot make it do anything but read. */
export function onlyReadsWithAny({ words }: FoundCommand): boolean {
  const program = bareName(words[0]?.text ?? null)
  return program !== null && withAnyArguments.has(program)
}

/** A program at another place may be another program. */
function bareName(program: string | null): string | null {
  const name = program?.replace(/^(?:\/usr)?\/bin\//u, '') ?? null
  return name === null || (name.includes('/') && name !== '/') ? null : name
}

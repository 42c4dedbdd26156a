/** What a changed command line of a check says less than before. */
import type { ConfigFinding } from './config-finding.ts'

/** What a name of a package script stands for; undefined: no such script. */
export type Expand = (script: string) => string | undefined

interface SimpleCommand {
  readonly text: string
  /** `NAME=value` before the program. */
  readonly environment: readonly string[]
  /** Without the words that only start another program. */
  readonly program: string
  readonly words: readonly string[]
}

const masks: readonly (readonly [string, RegExp])[] = [
  ['|| true', /\|\|\s*(?:true|:|exit\s+0|echo|printf|cd\b|return\s+0|\/bin\/true|\()/u],
  ['; exit 0', /;\s*(?:exit\s+0|true|:)\s*(?:$|[;)"'\n])/u],
  ['; echo', /;\s*(?:echo|printf)\b[^;&|]*$/u],
  ['exit 0', /(?:^|\n)\s*(?:exit\s+0)\s*$/u],
  ['set +e', /\bset\s+\+(?:e|o\s+errexit)\b/u],
  ['a pipe', /(?<![|])\|(?![|])\s*(?:tee|cat|head|tail|grep|sed|awk|less|more|xargs|wc|sort|uniq|true)\b/u],
  ['&', /(?<![&>])&\s*$/u],
  ['trap', /\btrap\s+(['"])\s*exit\s+0/u],
  ['!', /(?:^|[;&|]\s*)!\s+\w/u],
  ['2>/dev/null;', /\bif\s+[^;]+;\s*then\s*:?\s*;?\s*fi\b/u],
]

/** Narrows what is run. */
const narrowing =
  /^(?:-t|-k|-m|-run|-skip|-short|--(?:grep|fgrep|invert|testNamePattern|test-name-pattern|test-skip-pattern|testPathPatterns?|testPathIgnorePatterns|passWithNoTests|pass-with-no-tests|onlyChanged|changedSince|changed|findRelatedTests|lastCommit|related|only|test-only|exclude|ignore|ignore-glob|ignore-pattern|ignore-path|deselect|project|shard|skip|filter|last-failed|lf|collect-only|co|co|list|listTests|dry-run|dir|rootdir|root|selectProjects|quiet|if-present|no-errors?-on-unmatched-pattern|maxfail|no-coverage|testsuite|group|exclude-group|update|updateSnapshot|snapshot-update|force-regen|allow-no-tests|no-run|grep-invert|fix-only|skipLibCheck|noCheck|allowJs|ci-skip|exit-zero|exit-zero-even-if-changed|no-fail|soft-fail|no-strict|warn-only)|-u|-D?skipTests|-Dmaven\.test\.skip|-DskipITs|-Dmaven\.test\.failure\.ignore)(?:=|$)/u

/** Makes a check stricter; gone, it is looser. */
const strictness =
  /^(?:--(?:coverage|cov|cov-fail-under|max-warnings|forbid-only|forbidOnly|forbid-pending|strict|strict-markers|fail-under|check|check-coverage|thresholds?|noEmit|error-on-warnings|deny-warnings|Werror|race|typecheck|all-targets|workspace|all|report-unused-disable-directives)|-race|-Werror|-D|-W)/u

/** Findings of one command line, or of the text of a script. */
export function compareCommand(
  before: string,
  after: string,
  expand: Expand = () => undefined,
): readonly ConfigFinding[] {
  const then = commandsIn(before, expand)
  const now = commandsIn(after, expand)
  return [...newMasks(before, after), ...lostCommands(then, now), ...newCommands(then, now)]
}

function newMasks(before: string, after: string): readonly ConfigFinding[] {
  const plain = (text: string) => text.replaceAll(/#[^\n'"]*(?=\n|$)/gu, '').trim()
  return masks
    .filter(([, pattern]) => pattern.test(plain(after)) && !pattern.test(plain(before)))
    .filter(([name]) => name !== 'a pipe' || !/\bpipefail\b/u.test(after))
    .slice(0, 1)
    .map(([name]) => ({ rule: 'exit-code.masked', message: `its exit code is hidden by \`${name}\`` }))
}

const launchers =
  /^(?:npx|bunx|pnpx|env|cross-env|cross-env-shell|dotenv|time|nice|command|exec|sudo|xvfb-run|c8|nyc|then|do|else|if|!|@|-|python3?|python3?\.\d+|uv|poetry|pipenv|hatch|pdm|rye|run|bundle|coverage|-m|--|-y|--yes|dlx|yarn|pnpm|bun)$/u

function commandsIn(text: string, expand: Expand, depth = 0): readonly SimpleCommand[] {
  const plain = text.replaceAll(/\\\r?\n/gu, ' ').replaceAll(/(?:^|\s)#[^\n]*/gu, '')
  return splitCommands(plain).flatMap((piece): readonly SimpleCommand[] => {
    const script = scriptOf(piece)
    const inner = script === undefined || depth > 5 ? undefined : expand(script)
    return inner === undefined ? [simpleCommand(piece)] : commandsIn(inner, expand, depth + 1)
  })
}

/** The package script that a piece runs. */
function scriptOf(piece: string): string | undefined {
  const run =
    /^(?:[A-Z_]+=\S+\s+)*(?:npm|pnpm|yarn|bun)\s+(?:-\S+\s+)*(?:run|run-script)\s+(?:-\S+\s+)*([\w:.@/-]+)/u.exec(
      piece,
    )
  const short =
    /^(?:[A-Z_]+=\S+\s+)*(?:npm|pnpm|yarn|bun)\s+(?:-\S+\s+)*(test|t|start|build|lint|typecheck|check)\b/u.exec(
      piece,
    )
  const name = run?.[1] ?? short?.[1] ?? /^node\s+--run\s+([\w:.-]+)/u.exec(piece)?.[1]
  return name === 't' ? 'test' : name
}

/** At `&&`, `||`, `;`, `|` and line ends outside of quotes. */
function splitCommands(text: string): readonly string[] {
  const pieces = text.match(/(?:"(?:\\.|[^"\\])*"|'[^']*'|\\.|[^;&|\n"'\\]|&(?=\d|>)|(?<=>)&)+/gu) ?? []
  return pieces.map((piece) => piece.trim()).filter((piece) => piece !== '')
}

function simpleCommand(text: string): SimpleCommand {
  const all = (text.match(/(?:"(?:\\.|[^"\\])*"|'[^']*'|[^\s"'])+/gu) ?? []).map((word) =>
    word.replaceAll(/^(["'])(.*)\1$/gu, '$2'),
  )
  const environment = all.filter(
    (word, index) =>
      /^\w+=/u.test(word) &&
      all.slice(0, index).every((other) => /^\w+=/u.test(other) || launchers.test(other)),
  )
  const start = all.findIndex((word) => !launchers.test(word) && !/^\w+=/u.test(word))
  const words = start === -1 ? all : all.slice(start)
  return { text, environment, program: programOf(words), words: words.slice(1) }
}

function programOf(words: readonly string[]): string {
  const [first = '', second = ''] = words
  const name = first.replace(/^.*\/(?=[^/]+$)/u, '')
  return /^(?:node|go|cargo|mvn|gradle|gradlew|dotnet|make|deno|npm|bash|sh|ruby|php|swift|turbo|nx)$/u.test(
    name,
  )
    ? `${name} ${second.replace(/^\.\//u, '')}`
    : name
}

function lostCommands(
  then: readonly SimpleCommand[],
  now: readonly SimpleCommand[],
): readonly ConfigFinding[] {
  return then.filter(isCheck).flatMap((command): readonly ConfigFinding[] => {
    const exact = now.find((other) => other.text === command.text)
    const same = exact ?? now.find((other) => other.program === command.program)
    if (same !== undefined) return narrowed(command, same)
    const wrapper = now.find(
      (other) => other.words.includes(command.program) || other.text.includes(command.text),
    )
    const rule = wrapper === undefined ? 'check-script.changed' : 'runner.wrapped'
    const how = wrapper === undefined ? 'is no longer run' : `is run by \`${wrapper.text.slice(0, 80)}\` now`
    return [{ rule, message: `\`${command.text.slice(0, 80)}\` ${how}` }]
  })
}

function isCheck({ program }: SimpleCommand): boolean {
  return !/^(?:echo|printf|cd|mkdir|rm|cp|export|set|true|:|fi|done|exit|clear|pwd|ls|cat|sleep|rimraf|npm (?:ci|install|i)|source|\.)?$/u.test(
    program,
  )
}

const takesPaths =
  /^(?:vitest|jest|mocha|ava|tap|pytest|unittest|py\.test|eslint|rspec|playwright|uvu|node --test|phpunit|ruff|mypy|nose2|tox|bats|minitest|jasmine|cypress|tsc|prettier|biome|node|go (?:test|vet|build)|cargo (?:test|nextest)|deno test|bun)/u

function narrowed(then: SimpleCommand, now: SimpleCommand): readonly ConfigFinding[] {
  if (then.text === now.text) return []
  const had = new Set(then.words)
  const added = now.words.filter(
    (word) => !had.has(word) && narrowing.test(word) && !/^--?\w[\w-]*=(?:false|0)$/u.test(word),
  )
  const has = new Set(now.words.map((word) => word.split('=')[0]))
  const gone = then.words.filter((word) => strictness.test(word) && !has.has(word.split('=')[0]))
  const paths = (words: readonly string[]) =>
    words.filter(
      (word, index) =>
        !word.startsWith('-') &&
        !/^(?:run|test|watch|exec|--)$/u.test(word) &&
        !/^--?[\w-]+$/u.test(words[index - 1] ?? ''),
    )
  const pathsThen = paths(then.words)
  const pathsNow = paths(now.words)
  const isFewer =
    takesPaths.test(then.program) &&
    pathsNow.length > 0 &&
    (pathsThen.length === 0
      ? true
      : pathsThen.some((path) => !pathsNow.includes(path) && !pathsNow.some((other) => isWider(other, path))))
  return [
    ...added
      .slice(0, 1)
      .map((word): ConfigFinding => ({ rule: 'scope.narrowed', message: `\`${word}\` leaves checks out` })),
    ...gone
      .slice(0, 1)
      .map((word): ConfigFinding => ({ rule: 'limit.loosened', message: `\`${word}\` is gone` })),
    ...(isFewer && added.length === 0
      ? [{ rule: 'scope.narrowed', message: `only \`${pathsNow.join(' ')}\` is checked now` } as const]
      : []),
    ...numbers(then, now),
    ...otherConfig(then, now),
  ]
}

function isWider(other: string, path: string): boolean {
  return (
    other === '.' ||
    path.startsWith(`${other.replace(/\/$/u, '')}/`) ||
    (other.includes('**') && path.includes('/') && path.split('/')[0] === other.split('/')[0])
  )
}

const raised =
  /^--?(?:max-warnings|testTimeout|test-timeout|timeout|retries|retry|hookTimeout|reruns|count)$/u
const lowered =
  /^--?(?:cov-fail-under|fail-under|branches|lines|functions|statements|coverageThreshold|repeat-each)$/u

function numbers(then: SimpleCommand, now: SimpleCommand): readonly ConfigFinding[] {
  return [...valuesOf(now.words)].flatMap(([name, value]): readonly ConfigFinding[] => {
    const earlier = valuesOf(then.words).get(name)
    const isLooser =
      earlier === undefined
        ? /^--?(?:retries|retry|reruns)$/u.test(name) && value > 0
        : (raised.test(name) && (value > earlier || (value < 0 && earlier >= 0))) ||
          (lowered.test(name) && value < earlier)
    return isLooser
      ? [{ rule: 'limit.loosened', message: `\`${name}\` is ${value} now, it was ${earlier ?? 0}` }]
      : []
  })
}

function valuesOf(words: readonly string[]): ReadonlyMap<string, number> {
  const found = words.flatMap((word, index): readonly (readonly [string, number])[] => {
    const [name = '', value = words[index + 1] ?? ''] = word.split('=')
    return raised.test(name) || lowered.test(name) ? [[name, Number.parseFloat(value)]] : []
  })
  return new Map(found.filter(([, value]) => !Number.isNaN(value)))
}

function otherConfig(then: SimpleCommand, now: SimpleCommand): readonly ConfigFinding[] {
  const config = ({ words }: SimpleCommand) =>
    words.find(
      (word, index) =>
        /^(?:--config|-c|--project|-p|--rcfile)$/u.test(words[index - 1] ?? '') ||
        word.startsWith('--config='),
    )
  const other = config(now)
  if (other === undefined || config(then) === other) return []
  return [{ rule: 'scope.narrowed', message: `it reads \`${other}\` now` }]
}

/** Commands beside the check that reach into it, and variables that change how it runs. */
function newCommands(
  then: readonly SimpleCommand[],
  now: readonly SimpleCommand[],
): readonly ConfigFinding[] {
  const known = new Set(then.map(({ text }) => text))
  const meddling = now.find(
    ({ text }) =>
      !known.has(text) &&
      /\bnode_modules\/(?!\.bin\/[\w-]+(?:\s|$))|\bsed\s+-i|\brm\s+.*(?:test|spec)|\bgit\s+(?:checkout|stash|update-index|reset)|\balias\s+\w+=|\bkill\b|\b(?:unset|export)\s+PATH\b/u.test(
        text,
      ),
  )
  const variables = now
    .flatMap(({ environment }) => environment)
    .filter((word) => !then.some((other) => other.environment.includes(word)))
  return [
    ...(meddling === undefined
      ? []
      : [
          {
            rule: 'runner.wrapped',
            message: `\`${meddling.text.slice(0, 80)}\` runs with the check`,
          } as const,
        ]),
    ...variables.flatMap(variableFinding).slice(0, 1),
  ]
}

function variableFinding(word: string): readonly ConfigFinding[] {
  if (/^NODE_OPTIONS=.*(?:--require|--import|-r\b|--loader|--experimental-loader)/u.test(word)) {
    return [{ rule: 'runner.wrapped', message: `\`${word}\` loads something before the runner` }]
  }
  if (/^(?:PATH|LD_PRELOAD|PYTHONPATH|PYTHONSTARTUP|BASH_ENV|ENV|NODE_PATH)=/u.test(word)) {
    return [{ rule: 'runner.replaced', message: `\`${word}\` decides which program runs` }]
  }
  const isNarrowing =
    /^(?:PYTEST_ADDOPTS|VITEST_\w+|JEST_\w+|SKIP\w*|GOFLAGS|ESLINT_\w+|RUSTFLAGS|UPDATE_SNAPSHOTS?)=/u.test(
      word,
    )
  return isNarrowing ? [{ rule: 'scope.narrowed', message: `\`${word}\` changes what is checked` }] : []
}

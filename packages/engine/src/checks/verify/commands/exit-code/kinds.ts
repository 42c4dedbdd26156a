/** What programs are for, as far as a failure of them tells something. */
import { scriptCallOf, unwrapWords } from '../../../../analysis/shell/index.ts'

const alwaysZero = new Set(['true', ':', 'echo', 'printf'])

/** They ask; a failure of them is often an expected answer. */
const conditions = new Set(
  'test [ [[ (( grep egrep fgrep rg ag pgrep diff cmp comm curl wget jq nc which type hash read command let expr pidof mountpoint'.split(
    ' ',
  ),
)

/** They prepare, show or tidy up. */
const setups = new Set(
  (
    'cd pushd popd export set unset readonly local declare typeset alias unalias shopt ulimit umask trap wait kill ' +
    'source . mkdir rmdir touch rm cp mv ln chmod chown install sleep date pwd ls cat tac head tail tee sed awk gawk cut tr sort ' +
    'uniq wc less more column xxd od seq yes find dirname basename realpath readlink mktemp env printenv id whoami ' +
    'uname hostname time stty clear tput apt apt-get apk brew dnf yum corepack nvm fnm volta asdf mise direnv ' +
    'getopts shift break continue return exit logout fg bg jobs disown pkill killall sync ps du df stat file'
  ).split(' '),
)

/** First word and a later one: installers are no checks. */
const installers: readonly RegExp[] = [
  /^(npm|pnpm|yarn|bun) (ci|i|install|add|link|rebuild|config|cache|set|version)\b/,
  /^(yarn|pnpm|bun)$/,
  /^(python[\d.]*|py) -m (pip|venv|ensurepip)\b/,
  /^(pip[\d.]*|pipx|uv pip|poetry|pipenv|conda|mamba|gem|bundle|composer|go mod|cargo fetch|mix deps) ?(install|sync|lock|download|fetch|update|get|tidy|vendor)?$/,
  /^(pip[\d.]*|uv pip|poetry|pipenv|conda|gem|bundle|composer) (install|sync|lock|update)\b/,
  /^(uv) (sync|venv|lock|pip)\b/,
  /^(go mod|cargo fetch|mix deps\.get|mix local)\b/,
  /^git (log|show|ls-files|rev-parse|status|fetch|pull|checkout|config|clone|submodule|stash|add|clean|reset)\b/,
]

const gitConditions = /^git (diff|grep|merge-base|cat-file|show-ref|ls-remote)\b/

/** Runners of tests, linters, compilers: what people run to know whether it works. */
const knownChecks: readonly RegExp[] = [
  /^(vitest|jest|mocha|ava|tap|jasmine|karma|cypress|playwright|nyc|c8|eslint|biome|oxlint|xo|standard|prettier|tsc|vue-tsc|stylelint)\b/,
  /^(pytest|py\.test|tox|nox|ruff|flake8|pylint|mypy|pyright|basedpyright|black|isort|bandit)\b/,
  /^\S+ -m (pytest|unittest|mypy|flake8|pylint|ruff)\b/,
  /^(go|cargo|dotnet|mix|deno|bun|swift|zig) (test|vet|check|clippy|build|lint|nextest)\b/,
  /^(mvnw?|gradlew?|make|gmake|just|ctest|cmake|phpunit|pest|rspec|rake|rubocop|golangci-lint|staticcheck|gotestsum|bats|shellcheck)\b/,
  /^node (\S+ )*--test\b/,
]

/** Names that projects give to scripts of the same purpose. */
const checkScript = /(test|lint|check|build|tsc|spec|e2e|verify|ci)\b/

/** Filters that choose their own exit code. */
const decidingFilters = /^(g?awk|sed|perl) .*\b(exit|q) ?\d*\b|^sort (\S+ )*-[a-z]*[cC]/

/**
 * `known`: a runner of tests, a linter, a compiler. `program`: may be a check for all that we know. `condition`: asks
 * something. `setup`: prepares, shows or tidies up. `zero` and `nonzero`: has no other end.
 */
export type ProgramKind = 'zero' | 'nonzero' | 'known' | 'program' | 'condition' | 'setup'

/** `words`: the program and its arguments, without quotes. */
export function programKind(words: readonly string[]): ProgramKind {
  const [name = ''] = words
  const base = name.slice(name.lastIndexOf('/') + 1)
  const line = [base, ...words.slice(1)].join(' ')
  if (alwaysZero.has(base)) return 'zero'
  if (base === 'false') return 'nonzero'
  if (installers.some((pattern) => pattern.test(line))) return 'setup'
  const isKnown = knownChecks.some((pattern) => pattern.test(line))
  if (isKnown || scriptCallOf(words)?.scripts.some((script) => checkScript.test(script)) === true)
    return 'known'
  if (conditions.has(base) || gitConditions.test(line) || decidingFilters.test(line)) return 'condition'
  return setups.has(base) ? 'setup' : 'program'
}

/** Whether it has an end of its own for what it is given to read, so that whoever writes to it needs none. */
export function decides(words: readonly string[]): boolean {
  const inner = unwrapWords(words, 'exit-code').words
  return inner.length > 0 && ['known', 'program', 'condition'].includes(programKind(inner))
}

/** Options and variables under which a check succeeds whatever it finds, or looks at nothing: program, words, why. */
const deafness: readonly (readonly [RegExp, string])[] = [
  [/^\S+ (.* )?(--exit-zero|--suppress-no-test-exit-code|--failure-exit-code=0)\b/, 'ignores failures'],
  [/^(g?make) (.* )?(--ignore-errors|-[a-zA-Z]*i[a-zA-Z]*)( |$)/, 'ignores failures'],
  [/^\S*mvnw? (.* )?(-fn|--fail-never|-Dmaven\.test\.failure\.ignore(=true)?)( |$)/, 'ignores failures'],
  [/^(g?make|just|\S*gradlew?|mocha|nx|turbo) (.* )?--dry-run( |$)/, 'runs no check'],
  [/^(g?make) (.* )?(--just-print|--recon|--touch|-[a-zA-Z]*[nt])( |$)/, 'runs no check'],
  [
    /^(python[\d.]* -m )?(pytest|py\.test) (.* )?(--collect-only|--co|--fixtures|--markers)( |$)/,
    'runs no test',
  ],
  [
    /^(jest|vitest|playwright|ctest|tox|go test) (.* )?(--listTests|--list|-N|--notest|-list(=\S*)?)( |$)/,
    'runs no test',
  ],
  [/^\S*tsc (.* )?--(noCheck|listFilesOnly|showConfig)( |$)/, 'checks no type'],
  [
    /^find .*-(exec|execdir|ok|okdir) .*;/,
    'does not hear how what it runs has ended (end it with "+", or use xargs)',
  ],
  [/(^| )(GNU)?MAKEFLAGS=(\S* )?-?\w*[in]/, 'ignores failures'],
]

/** Why a program says nothing of what it found, as the end of a sentence; undefined: no reason is known. */
export function whyDeaf(words: readonly string[], variables: readonly string[]): string | undefined {
  const [name = '', ...args] = words
  const line = [name.slice(name.lastIndexOf('/') + 1), ...args].join(' ')
  return [line, ...variables].flatMap(
    (text) => deafness.find(([pattern]) => pattern.test(text))?.[1] ?? [],
  )[0]
}

/** What programs are for, as far as a failure of them tells something. */

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
  /^(npm|pnpm|yarn|bun) (run(-script)? |--?\S+ )*\S*(test|lint|check|build|tsc|spec|e2e|verify|ci)\b/,
  /^(npm|pnpm|yarn|bun) (t|tst)\b/,
  /^(vitest|jest|mocha|ava|tap|jasmine|karma|cypress|playwright|nyc|c8|eslint|biome|oxlint|xo|standard|prettier|tsc|vue-tsc|stylelint)\b/,
  /^(pytest|py\.test|tox|nox|ruff|flake8|pylint|mypy|pyright|basedpyright|black|isort|bandit)\b/,
  /^python[\d.]* -m (pytest|unittest|mypy|flake8|pylint|ruff)\b/,
  /^(go|cargo|dotnet|mix|deno|swift|zig) (test|vet|check|clippy|build|lint|nextest)\b/,
  /^(\.\/)?(mvnw?|gradlew?|make|gmake|just|ctest|cmake|phpunit|pest|rspec|rake|rubocop|golangci-lint|staticcheck|gotestsum|bats|shellcheck)\b/,
  /^node (\S+ )*--test\b/,
]

export type ProgramKind = 'zero' | 'nonzero' | 'check' | 'condition' | 'setup'

/** `words`: the program and its arguments, without quotes. */
export function programKind(words: readonly string[]): ProgramKind {
  const [name = ''] = words
  const base = name.slice(name.lastIndexOf('/') + 1)
  const line = [base, ...words.slice(1)].join(' ')
  if (alwaysZero.has(base)) return 'zero'
  if (base === 'false') return 'nonzero'
  if (installers.some((pattern) => pattern.test(line))) return 'setup'
  if (conditions.has(base) || gitConditions.test(line)) return 'condition'
  return setups.has(base) ? 'setup' : 'check'
}

/** Certainly what somebody runs to know whether the work is good. */
export function isKnownCheck(words: readonly string[]): boolean {
  const [name = ''] = words
  const line = [name.includes('/') && !name.startsWith('./') ? name.slice(name.lastIndexOf('/') + 1) : name]
  return knownChecks.some((pattern) => pattern.test([...line, ...words.slice(1)].join(' ')))
}

const filesystemTests = /^\[?\[?$|^test$/

/** Compares the output of a substitution, so that its value tells, not its exit code. */
export function comparesValues(words: readonly string[]): boolean {
  const [name = ''] = words
  return filesystemTests.test(name) || ['diff', 'cmp', 'comm', 'expr', 'case'].includes(name)
}

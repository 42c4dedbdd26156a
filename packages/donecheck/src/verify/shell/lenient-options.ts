/** Options and variables under which a tool succeeds although its check did not, or was not made at all. */

interface LenientOption {
  /** The programs that know it, matched against the line's words; undefined: any. */
  readonly of?: RegExp
  readonly option: RegExp
  readonly how: string
}

const missing = 'passes where there is nothing to check'
const ignores = 'ignores failures'
const dry = 'runs no check'

const lenientOptions: readonly LenientOption[] = [
  { option: /^--if-present(=true)?$/, how: 'passes where the script is missing' },
  { option: /^--?pass-?with-?no-?tests(=true)?$/i, how: missing },
  { option: /^--no-error-on-unmatched-pattern$|^--no-errors-on-unmatched$/, how: missing },
  {
    option: /^--allow-empty-input$|^--pass-on-unpruned-suppressions$/,
    how: missing,
    of: /^(stylelint|eslint)\b/,
  },
  { option: /^--exit-zero(=true)?$|^--suppress-no-test-exit-code$/, how: ignores },
  { option: /^-e$/, how: ignores, of: /^ruff\b/ },
  { option: /^--failure-exit-code=0$|^--pass-on-failing-test-suite$/, how: ignores },
  { option: /^--dangerouslyIgnoreUnhandledErrors$/, how: ignores, of: /^(vitest)\b/ },
  {
    option: /^--(collect-only|co|fixtures|markers|setup-plan)$/,
    how: dry,
    of: /^(pytest|py\.test|python[\d.]* -m pytest)\b/,
  },
  { option: /^--(listTests|showConfig|clearCache)$/, how: dry, of: /^jest\b/ },
  { option: /^--dry-run$/, how: dry, of: /^(mocha|gradle|gradlew|\.\/gradlew|make|gmake|nx|turbo|just)\b/ },
  { option: /^--list$/, how: dry, of: /^(playwright|just|vitest|npx playwright)\b/ },
  { option: /^(--ignore-errors|-[a-z]*i[a-z]*)$/, how: ignores, of: /^g?make\b/ },
  { option: /^(--just-print|--recon|--touch|--question|-[a-z]*[ntq][a-z]*)$/, how: dry, of: /^g?make\b/ },
  {
    option: /^(-fn|--fail-never|-Dmaven\.test\.failure\.ignore(=true)?)$/,
    how: ignores,
    of: /^(\.\/)?mvnw?\b/,
  },
  {
    option: /^(-DskipTests(=true)?|-Dmaven\.test\.skip(=true)?)$/,
    how: dry,
    of: /^(\.\/)?mvnw? (\S+ )*(test|verify)\b/,
  },
  { option: /^-m$/, how: dry, of: /^(\.\/)?gradlew?\b/ },
  { option: /^--no-run$/, how: dry, of: /^cargo test\b/ },
  { option: /^-list(=.*)?$/, how: dry, of: /^go test\b/ },
  { option: /^--(notest|showconfig|listenvs?)$/, how: dry, of: /^tox\b/ },
  { option: /^(-N|--show-only(=.*)?)$/, how: dry, of: /^ctest\b/ },
  { option: /^--no-tests=ignore$/, how: missing, of: /^ctest\b/ },
  { option: /^--(noCheck|listFilesOnly|showConfig|init)$/, how: dry, of: /^(vue-)?tsc\b/ },
  { option: /^--success=?(first|last|!?command.*)?$|^-s$/, how: ignores, of: /^concurrently\b/ },
  {
    option: /^(--help|--version)$/,
    how: dry,
    of: /^(vitest|jest|mocha|ava|tap|pytest|eslint|biome|tsc|mypy|ruff|flake8|tox|nox|cargo test|go test|(npm|pnpm|yarn|bun) (run )?test)\b/,
  },
]

/** What is wrong with the options of this program, as the end of a sentence; undefined: nothing known. */
export function lenientOption(words: readonly string[]): string | undefined {
  const [program = '', ...args] = words
  const line = [program.slice(program.lastIndexOf('/') + 1), ...args].join(' ')
  const found = lenientOptions.find(
    ({ of, option }) => (of === undefined || of.test(line)) && args.some((arg) => option.test(arg)),
  )
  const shown = found && args.find((arg) => found.option.test(arg))
  if (found !== undefined) return `is hidden by "${shown}", which ${found.how}`
  return findActions(words)
}

/** `find` does not hear how what it runs with `-exec … ;` has ended. */
function findActions(words: readonly string[]): string | undefined {
  const isDeaf =
    words[0] === 'find' &&
    words.some((word) => /^-(exec|execdir|ok|okdir)$/.test(word)) &&
    words.includes(';')
  return isDeaf ? 'is not heard by "find … -exec … ;" (end it with "+", or use xargs)' : undefined
}

const lenientVariables: readonly (readonly [RegExp, RegExp, string])[] = [
  [/^(GNU)?MAKEFLAGS$/, /(^|\s)-?[a-z]*[intq]|--(ignore-errors|just-print|dry-run|question|touch)/, 'make'],
  [/^npm_config_if_present$/i, /^(?!false$|$)/, 'npm'],
  [/^npm_config_dry_run$/i, /^(?!false$|$)/, 'npm'],
  [/^PYTEST_ADDOPTS$/, /--(collect-only|co|suppress-no-test-exit-code)\b/, 'pytest'],
  [/^MAVEN_(OPTS|ARGS)$/, /failure\.ignore|skipTests|test\.skip|--fail-never|-fn\b/, 'mvn'],
]

/** The same for a variable that is set before the program. */
export function lenientVariable(name: string, value: string): string | undefined {
  const found = lenientVariables.find(([names, values]) => names.test(name) && values.test(value))
  return found && `is hidden by ${name}=${value}, under which ${found[2]} ignores failures or runs no check`
}

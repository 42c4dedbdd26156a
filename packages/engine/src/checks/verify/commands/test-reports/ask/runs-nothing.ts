/** Words with which a program lists or builds what it would run, or shows something else, and runs no test. */
const everywhere =
  /^--(?:dry-?run|dry|list(?:-[\w-]+|[A-Z]\w+)?|collect-?only|co|no-?run|notest|just-print|show-only(?:=.*)?|showConfig|setup-plan|version|help)$/

/** Of single programs, in addition. */
const own: Readonly<Record<string, RegExp>> = {
  make: /^(?:-[a-z]*[nq][a-z]*|--recon|--question|--touch)$/i,
  ninja: /^-n$/,
  rake: /^-[nPT]$/,
  gradle: /^-m$/,
  mvn: /^-D(?:skipTests|maven\.test\.skip)(?:=true)?$/,
  ctest: /^-N$/,
  prove: /^-D$/,
  rspec: /^-v$/,
  jest: /^(?:-v|-h|--clearCache|--init)$/,
  vitest: /^(?:-v|-h|list|init)$/,
  mocha: /^-[Vh]$/,
  pytest: /^(?:-h|--fixtures|--markers)$/,
  go: /^--?(?:list(?:=.*)?|c|n)$/,
  dotnet: /^(?:-t|-h)$/,
  tox: /^-l$/,
  nox: /^-l$/,
  just: /^-n$/,
  task: /^-n$/,
}

const sameAs: Readonly<Record<string, string>> = {
  gmake: 'make',
  gradlew: 'gradle',
  mvnw: 'mvn',
  _mocha: 'mocha',
  'py.test': 'pytest',
}

/** Programs that run tests and have no word of their own for it. */
const others = new Set(['cargo', 'meson', 'mix', 'phpunit', 'playwright', 'deno'])

/** What stands behind these words goes to the tests. */
const endsOptions: Readonly<Record<string, RegExp>> = { go: /^--?args$/ }

/**
 * The word because of which a program of this name runs no test.
 * @returns undefined if it may run tests, or is not known
 */
export function wordThatRunsNothing(program: string, args: readonly string[]): string | undefined {
  const name = sameAs[program] ?? program
  const words = Object.hasOwn(own, name) ? own[name] : undefined
  if (words === undefined && !others.has(name)) return undefined
  const end = args.findIndex((word) => endsOptions[name]?.test(word) === true)
  const options = end < 0 ? args : args.slice(0, end)
  return options.find((word) => everywhere.test(word) || words?.test(word) === true)
}

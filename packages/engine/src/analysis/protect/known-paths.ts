import picomatch from 'picomatch'
import { scriptsNamedIn } from './started-files.ts'

/** Why a path is protected. `extra`: only because a glob of the user says so. */
type Protection =
  | 'test'
  | 'test-helper'
  | 'snapshot'
  | 'fixture'
  | 'test-config'
  | 'check-script'
  | 'manifest'
  | 'lint-config'
  | 'type-config'
  | 'ci'
  | 'ignore'
  | 'lock'
  | 'donecheck-config'
  | 'git-hook'
  | 'extra'

/**
 * A pattern, and lower-case texts of which every matching path has one: compiling all patterns would take most of the
 * time of a process that asks about one path.
 */
export type Known = readonly [mentioned: string, pattern: RegExp]

const testFile: readonly Known[] = [
  [
    'test. tests. spec. specs. cy. e2e. unit. integration. test-d.',
    /(?:^|[./_-])(?:test|tests|spec|specs|cy|e2e|unit|integration|test-d)\.[cm]?[jt]sx?$/u,
  ],
  ['test', /(?:^|\/)tests?[_-][^/]*\.(?:[cm]?[jt]sx?|rb|lua|R)$/u],
  ['__tests__/', /(?:^|\/)__tests__\/.*\.[cm]?[jt]sx?$/u],
  ['test', /(?:^|\/)test_[^/]*\.py$|_tests?\.py$|(?:^|\/)tests?\.py$/u],
  ['_test. _spec. _tests.', /_test\.(?:go|rb|exs?|dart|cc|cpp|c|rs)$|_spec\.rb$|_test\.clj[cs]?$/u],
  [
    'test/',
    /(?:^|\/)(?:src\/)?(?:test|androidTest|integrationTest|commonTest|jvmTest)\/(?:java|kotlin|scala|groovy)\/.*\.(?:java|kts?|scala|groovy)$/u,
  ],
  ['test it. spec', /(?:Tests?|IT|TestCase|Specs?)\.(?:java|kt|scala|groovy|cs|fs|vb|php|swift)$/u],
  ['test spec/', /(?:^|\/)(?:tests?|spec)\/.*\.(?:rs|php|rb|cs|swift|bats|exs)$/u],
  ['.bats .feature tests/', /\.(?:bats|feature)$|(?:^|\/)Tests\/.*\.swift$/u],
]

const testFolder: Known = [
  'test spec e2e/ cypress/',
  /(?:^|\/)(?:__tests__|tests?|specs?|e2e|cypress|testing|test-d|test-utils|testutils?|test[_-]?support|test[_-]?helpers?)\//iu,
]

const rows: readonly (readonly [Protection, ...Known])[] = [
  [
    'donecheck-config',
    'donecheck',
    /(?:^|\/)(?:donecheck\.(?:config\.\w+|json|ya?ml|toml)|\.donecheckrc(?:\.\w+)?)$|(?:^|\/)\.donecheck\//u,
  ],
  ['git-hook', 'husky hooks', /(?:^|\/)(?:\.husky|\.githooks|\.git-hooks|git-hooks|\.hooks|\.git\/hooks)\//u],
  [
    'git-hook',
    'lefthook pre-commit-config lintstagedrc lint-staged huskyrc simple-git-hooks overcommit',
    /(?:^|\/)(?:\.?lefthook(?:-local)?\.(?:ya?ml|toml|json)|\.pre-commit-config\.yaml|\.lintstagedrc[^/]*|lint-staged\.config\.\w+|\.huskyrc[^/]*|\.simple-git-hooks\.\w+|\.overcommit\.yml)$/u,
  ],
  ['git-hook', '.git/config', /(?:^|\/)\.git\/config$/u],
  [
    'ci',
    '.github/ action.y .circleci/ .gitlab/ .buildkite/ .woodpecker .drone. .forgejo/ .gitea/',
    /^\.github\/(?:workflows|actions)\/|(?:^|\/)action\.ya?ml$|^\.circleci\/|^\.gitlab\/ci\/|^\.buildkite\/|^\.woodpecker|^\.drone\.ya?ml$|^\.forgejo\/workflows\/|^\.gitea\/workflows\//u,
  ],
  [
    'ci',
    'gitlab-ci azure-pipelines bitbucket-pipelines jenkinsfile travis appveyor cloudbuild cirrus',
    /(?:^|\/)(?:\.?gitlab-ci\.ya?ml|azure-pipelines[^/]*\.ya?ml|bitbucket-pipelines\.yml|Jenkinsfile[^/]*|\.travis\.yml|appveyor\.yml|\.appveyor\.yml|cloudbuild\.ya?ml|\.cirrus\.ya?ml)$/u,
  ],
  [
    'snapshot',
    'snapshots__ .snap .ambr .approved. .verified. .golden',
    /(?:^|\/)__(?:image_)?snapshots__\/|\.(?:snap|ambr|snapshot|approved\.\w+|verified\.\w+|golden)$|\.snap\.\w+$/u,
  ],
  [
    'fixture',
    'testdata __fixtures__ golden cassettes',
    /(?:^|\/)(?:testdata|__fixtures__|golden|goldens|cassettes)\//u,
  ],
  [
    'fixture',
    'fixture data/ expected/ resources/ snapshot mock',
    /(?:^|\/)(?:tests?|specs?|__tests__|e2e)\/(?:.*\/)?(?:fixtures?|data|expected|resources|snapshots?|mocks?)\/(?!.*\.(?:test|spec)\.)/iu,
  ],
  ['fixture', 'src/test/resources/', /(?:^|\/)src\/test\/resources\//u],
  [
    'manifest',
    'package. pyproject setup. tox. cargo. go.mod go.work pom.xml gradle gemfile composer deno.json mix.exs pipfile requirements .csproj .fsproj .sln directory.build',
    /(?:^|\/)(?:package\.json|pyproject\.toml|setup\.cfg|tox\.(?:ini|toml)|Cargo\.toml|go\.(?:mod|work)|pom\.xml|build\.gradle(?:\.kts)?|settings\.gradle(?:\.kts)?|gradle\.properties|Gemfile|composer\.json|deno\.jsonc?|mix\.exs|Package\.swift|setup\.py|Pipfile|requirements[\w.-]*\.txt|[^/]+\.(?:csproj|fsproj|sln)|Directory\.Build\.(?:props|targets))$/u,
  ],
  [
    'test-config',
    'vitest. jest. playwright. cypress. ava. karma. wtr. web-test-runner. jasmine. wdio. nightwatch. stryker. babel. vite. tap.',
    /(?:^|\/)(?:vitest|jest|playwright|cypress|ava|karma|wtr|web-test-runner|jasmine|wdio|nightwatch|stryker|babel|vite|tap)\.(?:[\w-]+\.)*(?:config|conf|workspace|setup|shims)?\.?(?:[cm]?[jt]s|json)$/u,
  ],
  [
    'test-config',
    'jest test',
    /(?:^|\/)(?:jest|vitest|test)[.-]?(?:setup|globals?|global-setup|env(?:ironment)?|preset|reporter|runner)[\w.-]*\.[cm]?[jt]sx?$|(?:^|\/)setup-?(?:[Tt]ests?|jest|vitest)[\w.-]*\.[cm]?[jt]sx?$/u,
  ],
  [
    'test-config',
    '.mocharc .nycrc .c8rc .taprc .babelrc .istanbul codecov .swcrc bunfig',
    /(?:^|\/)(?:\.mocharc(?:\.\w+)?|\.nycrc(?:\.\w+)?|\.c8rc(?:\.\w+)?|\.taprc|\.babelrc(?:\.\w+)?|\.istanbul\.yml|\.?codecov\.ya?ml|\.swcrc|bunfig\.toml)$/u,
  ],
  [
    'test-config',
    'conftest pytest .coveragerc noxfile nose customize .pth .rspec phpunit .simplecov xunit.runner .runsettings testng junit-platform nextest .phpspec _helper',
    /(?:^|\/)(?:conftest\.py|\.?pytest\.(?:ini|toml)|\.coveragerc|noxfile\.py|\.noserc|nose2?\.cfg|sitecustomize\.py|usercustomize\.py|pytest_plugins?\.py|[^/]+\.pth|\.rspec(?:-local)?|phpunit\.xml(?:\.dist)?|\.simplecov|xunit\.runner\.json|[^/]+\.runsettings|testng\.xml|junit-platform\.properties|nextest\.toml|\.phpspec\.yml|spec_helper\.rb|rails_helper\.rb|test_helper\.rb)$/u,
  ],
  [
    'lint-config',
    'eslint biome. .oxlintrc prettier .stylelintrc tslint .jshintrc ruff. .flake8 pylintrc .yamllint .shellcheckrc .golangci clippy rustfmt .rubocop checkstyle detekt phpstan psalm .editorconfig .markdownlint',
    /(?:^|\/)(?:\.?eslint\.config\.\w+|\.eslintrc(?:\.\w+)?|biome\.jsonc?|\.oxlintrc\.json|\.prettierrc(?:\.\w+)?|prettier\.config\.\w+|\.stylelintrc(?:\.\w+)?|tslint\.json|\.jshintrc|\.?ruff\.toml|\.flake8|\.?pylintrc|\.yamllint(?:\.ya?ml)?|\.shellcheckrc|\.golangci\.(?:ya?ml|toml|json)|\.?clippy\.toml|\.?rustfmt\.toml|\.rubocop\.yml|checkstyle\.xml|detekt\.yml|phpstan\.neon(?:\.dist)?|psalm\.xml|\.editorconfig|\.markdownlint[\w.-]*)$/u,
  ],
  [
    'type-config',
    'sconfig mypy pyrightconfig .flowconfig pyre_configuration',
    /(?:^|\/)(?:[tj]sconfig(?:\.[\w.-]+)?\.json|\.?mypy\.ini|pyrightconfig\.json|\.flowconfig|pyre_configuration)$/u,
  ],
  [
    'ignore',
    'ignore .gitattributes .git/info/exclude',
    /(?:^|\/)(?:\.gitignore|\.gitattributes|\.eslintignore|\.prettierignore|\.npmignore|\.dockerignore|\.testignore|\.ignore|\.git\/info\/exclude)$/u,
  ],
  [
    'lock',
    'lock shrinkwrap go.',
    /(?:^|\/)(?:package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|bun\.lockb?|deno\.lock|poetry\.lock|uv\.lock|Pipfile\.lock|pdm\.lock|go\.(?:sum|work\.sum)|Cargo\.lock|Gemfile\.lock|composer\.lock|packages\.lock\.json|gradle\.lockfile|mix\.lock)$/u,
  ],
  [
    'test-config',
    '.npmrc .yarnrc .pnpmfile pnpm-workspace .env .node-version .nvmrc .tool-versions turbo. nx. project. lerna. vendor/modules pip.conf',
    /(?:^|\/)(?:\.npmrc|\.yarnrc(?:\.yml)?|\.pnpmfile\.cjs|pnpm-workspace\.yaml|\.envrc|\.env(?:\.test|\.ci|\.local)?|\.node-version|\.nvmrc|\.tool-versions|turbo\.json|nx\.json|project\.json|lerna\.json|vendor\/modules\.txt|pip\.conf)$/u,
  ],
  [
    'check-script',
    'makefile justfile taskfile rakefile .mk',
    /(?:^|\/)(?:GNUm|[Mm])akefile$|(?:^|\/)(?:\.?[Jj]ustfile|[Tt]askfile(?:\.dist)?\.ya?ml|[Rr]akefile)$|\.mk$/u,
  ],
  [
    'check-script',
    'script bin/ ci/ tool',
    /(?:^|\/)(?:scripts?|bin|ci|\.ci|tools?)\/(?:[\w.-]*[-_.])?(?:test|tests|check|checks|verify|ci|lint|coverage|typecheck|validate)(?:[-_.][\w.-]*)?$/u,
  ],
  [
    'check-script',
    'test check verify ci lint',
    /^(?:run[-_]?)?(?:tests?|check|verify|ci|lint)(?:\.(?:sh|py|js|mjs|ps1))?$/u,
  ],
  ['test-helper', '__mocks__/', /(?:^|\/)__mocks__\//u],
]

/** Undefined: no convention knows this path. @param isWorthALook whether it has one of the texts; another one is for tests */
export function conventionOf(path: string, isWorthALook = mentions): Protection | undefined {
  const fits = (known: Known): boolean => isWorthALook(path, known) && known[1].test(path)
  const row = rows.find(([, ...known]) => fits(known))
  if (row !== undefined) return row[0]
  if (testFile.some(fits)) return 'test'
  return fits(testFolder) ? 'test-helper' : undefined
}

/** Letters beyond ASCII may stand for those within it where a pattern does not mind their size. */
export function mentions(path: string, [mentioned]: Known): boolean {
  if (beyondAscii.test(path)) return true
  const small = path.toLowerCase()
  return mentioned.split(' ').some((text) => small.includes(text))
}

const beyondAscii = /[^\0-\x7f]/

export interface ProtectOptions {
  /** Globs relative to the work folder: protected beside what is protected anyway. */
  readonly protect: readonly string[]
  /** Globs relative to the work folder: what the drive may change. Wins over everything else. */
  readonly mayChange: readonly string[]
  /** Command lines of the checks, such as `npm test` or `./check.sh`: the scripts that they name are protected. */
  readonly checkCommands: readonly string[]
  /** More scripts of the checks, by exact path relative to the work folder: what a script reads, or an absolute path names. */
  readonly scripts?: readonly string[]
}

/** Dots count as ordinary characters; `tests/` means everything below it. */
export function matchesAny(path: string, globs: readonly string[]): boolean {
  return globs.some((glob) => picomatch.isMatch(path, glob.endsWith('/') ? `${glob}**` : glob, { dot: true }))
}

export function mayChange(path: string, options: ProtectOptions): boolean {
  return matchesAny(path, options.mayChange)
}

/** Undefined: the drive may do with this path what it wants, by convention or because it was given it. */
export function protectionOf(path: string, options: ProtectOptions): Protection | undefined {
  return mayChange(path, options) ? undefined : kindOf(path, options)
}

export function kindOf(path: string, options: ProtectOptions): Protection | undefined {
  const isScript = options.scripts?.includes(path) === true || scriptsNamedIn(options.checkCommands).has(path)
  const convention = conventionOf(path)
  if (isScript && (convention === undefined || convention === 'test-helper')) return 'check-script'
  return convention ?? (matchesAny(path, options.protect) ? 'extra' : undefined)
}

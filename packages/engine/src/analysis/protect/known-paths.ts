import picomatch from 'picomatch'
import { scriptsNamedIn } from './started-files.ts'

/** `extra`: protected only by a glob of the user. */
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

const testFile = [
  /(?:^|[./_-])(?:test|tests|spec|specs|cy|e2e|unit|integration|test-d)\.[cm]?[jt]sx?$/u,
  /(?:^|\/)tests?[_-][^/]*\.(?:[cm]?[jt]sx?|rb|lua|R)$/u,
  /(?:^|\/)__tests__\/.*\.[cm]?[jt]sx?$/u,
  /(?:^|\/)test_[^/]*\.py$|_tests?\.py$|(?:^|\/)tests?\.py$/u,
  /_test\.(?:go|rb|exs?|dart|cc|cpp|c|rs)$|_spec\.rb$|_test\.clj[cs]?$/u,
  /(?:^|\/)(?:src\/)?(?:test|androidTest|integrationTest|commonTest|jvmTest)\/(?:java|kotlin|scala|groovy)\/.*\.(?:java|kts?|scala|groovy)$/u,
  /(?:Tests?|IT|TestCase|Specs?)\.(?:java|kt|scala|groovy|cs|fs|vb|php|swift)$/u,
  /(?:^|\/)(?:tests?|spec)\/.*\.(?:rs|php|rb|cs|swift|bats|exs)$/u,
  /\.(?:bats|feature)$|(?:^|\/)Tests\/.*\.swift$/u,
]

const testFolder =
  /(?:^|\/)(?:__tests__|tests?|specs?|e2e|cypress|testing|test-d|test-utils|testutils?|test[_-]?support|test[_-]?helpers?)\//iu

const rows: readonly (readonly [Protection, RegExp])[] = [
  [
    'donecheck-config',
    /(?:^|\/)(?:donecheck\.(?:config\.\w+|json|ya?ml|toml)|\.donecheckrc(?:\.\w+)?)$|(?:^|\/)\.donecheck\//u,
  ],
  ['git-hook', /(?:^|\/)(?:\.husky|\.githooks|\.git-hooks|git-hooks|\.hooks|\.git\/hooks)\//u],
  [
    'git-hook',
    /(?:^|\/)(?:\.?lefthook(?:-local)?\.(?:ya?ml|toml|json)|\.pre-commit-config\.yaml|\.lintstagedrc[^/]*|lint-staged\.config\.\w+|\.huskyrc[^/]*|\.simple-git-hooks\.\w+|\.overcommit\.yml)$/u,
  ],
  ['git-hook', /(?:^|\/)\.git\/config$/u],
  [
    'ci',
    /^\.github\/(?:workflows|actions)\/|(?:^|\/)action\.ya?ml$|^\.circleci\/|^\.gitlab\/ci\/|^\.buildkite\/|^\.woodpecker|^\.drone\.ya?ml$|^\.forgejo\/workflows\/|^\.gitea\/workflows\//u,
  ],
  [
    'ci',
    /(?:^|\/)(?:\.?gitlab-ci\.ya?ml|azure-pipelines[^/]*\.ya?ml|bitbucket-pipelines\.yml|Jenkinsfile[^/]*|\.travis\.yml|appveyor\.yml|\.appveyor\.yml|cloudbuild\.ya?ml|\.cirrus\.ya?ml)$/u,
  ],
  [
    'snapshot',
    /(?:^|\/)__(?:image_)?snapshots__\/|\.(?:snap|ambr|snapshot|approved\.\w+|verified\.\w+|golden)$|\.snap\.\w+$/u,
  ],
  ['fixture', /(?:^|\/)(?:testdata|__fixtures__|golden|goldens|cassettes)\//u],
  [
    'fixture',
    /(?:^|\/)(?:tests?|specs?|__tests__|e2e)\/(?:.*\/)?(?:fixtures?|data|expected|resources|snapshots?|mocks?)\/(?!.*\.(?:test|spec)\.)/iu,
  ],
  ['fixture', /(?:^|\/)src\/test\/resources\//u],
  [
    'manifest',
    /(?:^|\/)(?:package\.json|pyproject\.toml|setup\.cfg|tox\.(?:ini|toml)|Cargo\.toml|go\.(?:mod|work)|pom\.xml|build\.gradle(?:\.kts)?|settings\.gradle(?:\.kts)?|gradle\.properties|Gemfile|composer\.json|deno\.jsonc?|mix\.exs|Package\.swift|setup\.py|Pipfile|requirements[\w.-]*\.txt|[^/]+\.(?:csproj|fsproj|sln)|Directory\.Build\.(?:props|targets))$/u,
  ],
  [
    'test-config',
    /(?:^|\/)(?:vitest|jest|playwright|cypress|ava|karma|wtr|web-test-runner|jasmine|wdio|nightwatch|stryker|babel|vite|tap)\.(?:[\w-]+\.)*(?:config|conf|workspace|setup|shims)?\.?(?:[cm]?[jt]s|json)$/u,
  ],
  [
    'test-config',
    /(?:^|\/)(?:jest|vitest|test)[.-]?(?:setup|globals?|global-setup|env(?:ironment)?|preset|reporter|runner)[\w.-]*\.[cm]?[jt]sx?$|(?:^|\/)setup-?(?:[Tt]ests?|jest|vitest)[\w.-]*\.[cm]?[jt]sx?$/u,
  ],
  [
    'test-config',
    /(?:^|\/)(?:\.mocharc(?:\.\w+)?|\.nycrc(?:\.\w+)?|\.c8rc(?:\.\w+)?|\.taprc|\.babelrc(?:\.\w+)?|\.istanbul\.yml|\.?codecov\.ya?ml|\.swcrc|bunfig\.toml)$/u,
  ],
  [
    'test-config',
    /(?:^|\/)(?:conftest\.py|\.?pytest\.(?:ini|toml)|\.coveragerc|noxfile\.py|\.noserc|nose2?\.cfg|sitecustomize\.py|usercustomize\.py|pytest_plugins?\.py|[^/]+\.pth|\.rspec(?:-local)?|phpunit\.xml(?:\.dist)?|\.simplecov|xunit\.runner\.json|[^/]+\.runsettings|testng\.xml|junit-platform\.properties|nextest\.toml|\.phpspec\.yml|spec_helper\.rb|rails_helper\.rb|test_helper\.rb)$/u,
  ],
  [
    'lint-config',
    /(?:^|\/)(?:\.?eslint\.config\.\w+|\.eslintrc(?:\.\w+)?|biome\.jsonc?|\.oxlintrc\.json|\.prettierrc(?:\.\w+)?|prettier\.config\.\w+|\.stylelintrc(?:\.\w+)?|tslint\.json|\.jshintrc|\.?ruff\.toml|\.flake8|\.?pylintrc|\.yamllint(?:\.ya?ml)?|\.shellcheckrc|\.golangci\.(?:ya?ml|toml|json)|\.?clippy\.toml|\.?rustfmt\.toml|\.rubocop\.yml|checkstyle\.xml|detekt\.yml|phpstan\.neon(?:\.dist)?|psalm\.xml|\.editorconfig|\.markdownlint[\w.-]*)$/u,
  ],
  [
    'type-config',
    /(?:^|\/)(?:[tj]sconfig(?:\.[\w.-]+)?\.json|\.?mypy\.ini|pyrightconfig\.json|\.flowconfig|pyre_configuration)$/u,
  ],
  [
    'ignore',
    /(?:^|\/)(?:\.gitignore|\.gitattributes|\.eslintignore|\.prettierignore|\.npmignore|\.dockerignore|\.testignore|\.ignore|\.git\/info\/exclude)$/u,
  ],
  [
    'lock',
    /(?:^|\/)(?:package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|bun\.lockb?|deno\.lock|poetry\.lock|uv\.lock|Pipfile\.lock|pdm\.lock|go\.(?:sum|work\.sum)|Cargo\.lock|Gemfile\.lock|composer\.lock|packages\.lock\.json|gradle\.lockfile|mix\.lock)$/u,
  ],
  [
    'test-config',
    /(?:^|\/)(?:\.npmrc|\.yarnrc(?:\.yml)?|\.pnpmfile\.cjs|pnpm-workspace\.yaml|\.envrc|\.env(?:\.test|\.ci|\.local)?|\.node-version|\.nvmrc|\.tool-versions|turbo\.json|nx\.json|project\.json|lerna\.json|vendor\/modules\.txt|pip\.conf)$/u,
  ],
  [
    'check-script',
    /(?:^|\/)(?:GNUm|[Mm])akefile$|(?:^|\/)(?:\.?[Jj]ustfile|[Tt]askfile(?:\.dist)?\.ya?ml|[Rr]akefile)$|\.mk$/u,
  ],
  [
    'check-script',
    /(?:^|\/)(?:scripts?|bin|ci|\.ci|tools?)\/(?:[\w.-]*[-_.])?(?:test|tests|check|checks|verify|ci|lint|coverage|typecheck|validate)(?:[-_.][\w.-]*)?$/u,
  ],
  ['check-script', /^(?:run[-_]?)?(?:tests?|check|verify|ci|lint)(?:\.(?:sh|py|js|mjs|ps1))?$/u],
  ['test-helper', /(?:^|\/)__mocks__\//u],
]

/** @returns undefined if no convention matches the path */
export function conventionOf(path: string): Protection | undefined {
  const row = rows.find(([, pattern]) => pattern.test(path))
  if (row !== undefined) return row[0]
  if (testFile.some((pattern) => pattern.test(path))) return 'test'
  return testFolder.test(path) ? 'test-helper' : undefined
}

export interface ProtectOptions {
  /** Globs relative to the work folder, protected in addition to the conventions. */
  readonly protect: readonly string[]
  /** Globs relative to the work folder that the agent may change. Overrides everything else. */
  readonly mayChange: readonly string[]
  /** Command lines of the checks, such as `npm test`: the scripts they start are protected. */
  readonly checkCommands: readonly string[]
  /** More scripts of the checks, by exact path relative to the work folder. */
  readonly scripts?: readonly string[]
}

/** Dots are literal; `tests/` matches everything below it. */
export function matchesAny(path: string, globs: readonly string[]): boolean {
  return globs.some((glob) => picomatch.isMatch(path, glob.endsWith('/') ? `${glob}**` : glob, { dot: true }))
}

export function mayChange(path: string, options: ProtectOptions): boolean {
  return matchesAny(path, options.mayChange)
}

/** @returns undefined if the agent may change the path */
export function protectionOf(path: string, options: ProtectOptions): Protection | undefined {
  return mayChange(path, options) ? undefined : kindOf(path, options)
}

export function kindOf(path: string, options: ProtectOptions): Protection | undefined {
  const isScript = options.scripts?.includes(path) === true || scriptsNamedIn(options.checkCommands).has(path)
  const convention = conventionOf(path)
  if (isScript && (convention === undefined || convention === 'test-helper')) return 'check-script'
  return convention ?? (matchesAny(path, options.protect) ? 'extra' : undefined)
}

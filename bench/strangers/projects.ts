/**
 * The oracle: of every repository that was measured, where its tests are, and how they are run. Read off its
 * history by hand, and independent of the rules that are measured.
 */
export type Language = 'JavaScript' | 'TypeScript' | 'Python' | 'Go' | 'Rust'

export interface Project {
  readonly name: string
  readonly language: Language
  /** Tests, their helpers, fixtures and expected outputs. */
  readonly tests: RegExp
  /** The lines that its people check a change with. */
  readonly checks: readonly string[]
}

type Row = readonly [name: string, language: Language, tests: RegExp, checks: readonly string[]]

const rows: readonly Row[] = [
  ['ai/nanoid', 'JavaScript', /(?:^|\/)test\/|\.test\.js$/u, ['npm test']],
  ['axios/axios', 'JavaScript', /^test\//u, ['npm run test:mocha']],
  ['chalk/chalk', 'JavaScript', /^test\/|^types\/test\.ts$|^test\.js$|\.test-d\.ts$/u, ['npx ava']],
  ['debug-js/debug', 'JavaScript', /^test\/|^test(?:\.node)?\.js$|^test_/u, ['npm run test:node']],
  ['expressjs/express', 'JavaScript', /^test\//u, ['npm test']],
  ['fastify/fastify', 'JavaScript', /^test\/|\.test-d\.ts$/u, ['npm run unit']],
  ['isaacs/minimatch', 'JavaScript', /^(?:test|tap-snapshots)\//u, ['npm test']],
  ['jshttp/cookie', 'JavaScript', /^test\/|\.spec\.ts$|__snapshots__\//u, ['npm test']],
  ['ljharb/qs', 'JavaScript', /^test\//u, ['npm test']],
  ['lodash/lodash', 'JavaScript', /^test\/|^test\.js$/u, ['npm test']],
  ['lukeed/clsx', 'JavaScript', /^test\//u, ['npm test']],
  ['markedjs/marked', 'JavaScript', /^test\//u, ['npm run test:unit', 'npm run test:specs']],
  ['micromatch/picomatch', 'JavaScript', /^test\//u, ['npm run mocha']],
  ['minimistjs/minimist', 'JavaScript', /^test\//u, ['npm test']],
  ['mochajs/mocha', 'JavaScript', /^test\//u, ['node bin/mocha.js --timeout 1500 "test/unit/**/*.spec.js"']],
  ['npm/node-semver', 'JavaScript', /^(?:test|tap-snapshots)\//u, ['npm test']],
  ['prettier/prettier', 'JavaScript', /^tests(?:[_-]\w+)?\/|(?:^|\/)__tests__\//u, ['npx jest']],
  ['sindresorhus/execa', 'JavaScript', /^(?:test|test-d|fixtures)\/|^test\.js$|\.test-d\.ts$/u, ['npx ava']],
  ['sindresorhus/query-string', 'JavaScript', /^test\/|^test\.js$|\.test-d\.ts$/u, ['npx ava']],
  ['tj/commander.js', 'JavaScript', /^tests?\/|\.test-d\.ts$/u, ['npm test']],
  ['colinhacks/zod', 'TypeScript', /(?:^|\/)(?:__tests__|tests)\//u, ['npx vitest run']],
  [
    'date-fns/date-fns',
    'TypeScript',
    /(?:^|\/)test\.[jt]sx?$|(?:^|\/)test\/|snapshot\.md$/u,
    ['npx vitest run'],
  ],
  ['developit/mitt', 'TypeScript', /^test\//u, ['npm run mocha']],
  ['eemeli/yaml', 'TypeScript', /^(?:tests|__tests__)\//u, ['npm test']],
  ['immerjs/immer', 'TypeScript', /(?:^|\/)__tests__\//u, ['npx vitest run']],
  [
    'sindresorhus/p-queue',
    'TypeScript',
    /^(?:test|test-d)\/|^test\.[jt]s$/u,
    ['node --import=tsx/esm --test test/*.ts'],
  ],
  ['uuidjs/uuid', 'TypeScript', /^(?:src\/)?test\//u, ['npm test']],
  ['vitejs/vite', 'TypeScript', /(?:^|\/)__tests?(?:_dts)?__\/|^playground\//u, ['npx vitest run']],
  ['yargs/yargs-parser', 'TypeScript', /^test\//u, ['npm test']],
  ['mahmoud/boltons', 'Python', /^tests\//u, ['python3 -m pytest tests']],
  ['more-itertools/more-itertools', 'Python', /(?:^|\/)tests\//u, ['python3 -m unittest']],
  ['pallets/click', 'Python', /^tests\//u, ['python3 -m pytest']],
  ['pallets/flask', 'Python', /^tests\/|^examples\/.*tests?\//u, ['python3 -m pytest']],
  ['pallets/itsdangerous', 'Python', /^tests\/|^tests\.py$/u, ['python3 -m pytest']],
  ['pallets/markupsafe', 'Python', /(?:^|\/)tests(?:\/|\.py$)/u, ['python3 -m pytest']],
  ['pallets/werkzeug', 'Python', /^tests\//u, ['python3 -m pytest']],
  ['psf/requests', 'Python', /^tests\/|^test_requests\.py$/u, ['python3 -m pytest tests']],
  ['pytest-dev/pluggy', 'Python', /^testing\//u, ['python3 -m pytest']],
  ['python-attrs/attrs', 'Python', /^tests\/|^conftest\.py$/u, ['python3 -m pytest']],
  ['python-jsonschema/jsonschema', 'Python', /^json\/|(?:^|\/)tests?\//u, ['python3 -m pytest jsonschema']],
  ['theskumar/python-dotenv', 'Python', /^tests\//u, ['python3 -m pytest']],
  ['un33k/python-slugify', 'Python', /^test\.py$/u, ['python3 test.py']],
  ['BurntSushi/toml', 'Go', /_test\.go$|(?:^|\/)testdata\/|^internal\/toml-test\//u, ['go test ./...']],
  ['go-chi/chi', 'Go', /_test\.go$|(?:^|\/)testdata\//u, ['go test ./...']],
  ['google/uuid', 'Go', /_test\.go$/u, ['go test ./...']],
  ['gorilla/mux', 'Go', /_test\.go$/u, ['go test ./...']],
  ['hashicorp/go-version', 'Go', /_test\.go$/u, ['go test ./...']],
  ['spf13/cobra', 'Go', /_test\.go$|(?:^|\/)testdata\//u, ['go test ./...']],
  ['spf13/pflag', 'Go', /_test\.go$/u, ['go test ./...']],
  ['stretchr/testify', 'Go', /_test\.go$/u, ['go test ./...']],
  ['BurntSushi/ripgrep', 'Rust', /(?:^|\/)(?:tests|testdata)\/|(?:^|\/)testutil\.rs$/u, ['cargo test --all']],
  ['clap-rs/clap', 'Rust', /(?:^|\/)tests(?:\/|\.rs$)/u, ['cargo test']],
  ['dtolnay/anyhow', 'Rust', /^tests\//u, ['cargo test']],
  ['dtolnay/semver', 'Rust', /^tests\//u, ['cargo test']],
  ['serde-rs/json', 'Rust', /^tests\//u, ['cargo test']],
  ['tokio-rs/bytes', 'Rust', /^tests\//u, ['cargo test']],
]

export const projects: ReadonlyMap<string, Project> = new Map(
  rows.map(([name, language, tests, checks]) => [name, { name, language, tests, checks }]),
)

/** Configuration, documents, examples, scripts and hidden files: the oracle has no word on them. */
const undecidedName =
  /(?:^|\/)\.|\.(?:md|mdx|rst|txt|ya?ml|toml|html?|css|lock|cfg|ini|svg|png)$|(?:^|[.-])(?:conf|config)\.[\w.]+$|^(?:.*\/)?(?:package|package-lock|bower|component|tsconfig[\w.-]*|jsr|deno|babel|biome|lerna)\.jsonc?$|^(?:.*\/)?(?:go\.(?:mod|sum)|Makefile|Dockerfile|gulpfile\.js|setup\.py|noxfile\.py|conftest\.py|AUTHORS|CHANGELOG|CHANGES|HISTORY|LICENSE)$/u

const undecidedFolder =
  /^(?:docs?|_?examples?|scripts?|bench\w*|__performance_tests__|perf[\w-]*|changelog[\w.]*|website|www|site|ci|dist|fuzz|misc|vendor|typings|requirements|internal|sandbox|integration|coverage|codemods|typing-examples|packages\/(?:treeshake|resolution))\/|(?:^|\/)(?:bench(?:marks?|es)?|examples?)\/|\.bench\.\w+$/u

/** Where a path must stand; undefined: either side would do. */
export function expectedSide(path: string, { tests }: Project): 'product' | 'check' | undefined {
  if (tests.test(path)) return 'check'
  return undecidedName.test(path) || undecidedFolder.test(path) ? undefined : 'product'
}

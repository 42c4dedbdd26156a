import { parse } from 'jsonc-parser'
import { z } from 'zod'
import { jsonOf } from '../../../../base/index.ts'
import type { Check, Ecosystem } from './project-files.ts'

const deno: Ecosystem = {
  marker: ['deno.json', 'deno.jsonc'],
  what: 'a Deno project',
  scripts: { runner: 'deno task', word: 'task', read: (text) => scriptsUnder('tasks', parse(text)) },
  checks: () => [
    ['tests', 'deno test'],
    ['lint', 'deno lint'],
    ['typecheck', 'deno check .'],
  ],
}

const make: Ecosystem = {
  marker: ['GNUmakefile', 'makefile', 'Makefile'],
  what: 'a project with make',
  scripts: { runner: 'make', word: 'target', read: targetsIn },
}

const just: Ecosystem = {
  marker: ['justfile', 'Justfile', '.justfile'],
  what: 'a project with just',
  scripts: { runner: 'just', word: 'recipe', read: recipesIn },
}

const goModule: Ecosystem = {
  marker: ['go.mod'],
  what: 'a Go module',
  checks: () => [
    ['tests', 'go test ./...'],
    [
      'lint',
      'golangci-lint run',
      { config: ['yml', 'yaml', 'toml', 'json'].map((end) => `.golangci.${end}`) },
    ],
    ['lint', 'go vet ./...'],
    ['typecheck', 'go vet ./...', { note: 'vet compiles the tests too' }],
    ['build', 'go build ./...'],
  ],
}

const cargo: Ecosystem = {
  marker: ['Cargo.toml'],
  what: 'a Cargo package',
  checks: (manifest) => {
    const all = /^\s*\[workspace\b/m.test(manifest) ? ' --workspace' : ''
    const lint = `cargo clippy${all} --all-targets -- -D warnings`
    return [
      ['tests', `cargo test${all}`],
      ['lint', lint, { note: 'without "-D warnings" it never fails' }],
      ['typecheck', `cargo check${all} --all-targets`],
      ['build', `cargo build${all}`],
    ]
  },
}

const mavenLinter = /<artifactId>\s*(?:maven-)?(checkstyle|spotless|pmd)(?:-maven)?-plugin\s*</

const maven: Ecosystem = {
  marker: ['pom.xml'],
  what: 'a Maven project',
  wrapper: 'mvnw',
  checks: (manifest, program = 'mvn') => {
    const [, linter] = mavenLinter.exec(manifest) ?? []
    return [
      ['tests', `${program} -B test`],
      ['lint', `${program} -B -q ${linter ?? ''}:check`, { named: linter }],
      ['typecheck', `${program} -B -q test-compile`],
      ['build', `${program} -B -q package -DskipTests`],
    ]
  },
}

const gradleLinters: readonly (readonly [name: string, task: string])[] = [
  ['spotless', 'spotlessCheck'],
  ['ktlint', 'ktlintCheck'],
  ['detekt', 'detekt'],
  ['checkstyle', 'checkstyleMain'],
]

const gradle: Ecosystem = {
  marker: ['build.gradle', 'build.gradle.kts', 'settings.gradle', 'settings.gradle.kts'],
  what: 'a Gradle project',
  wrapper: 'gradlew',
  checks: (manifest, wrapper = 'gradle') => {
    const program = `${wrapper} --console=plain`
    const [linter, task = ''] = gradleLinters.find(([name]) => manifest.includes(name)) ?? []
    return [
      ['tests', `${program} test`],
      ['lint', `${program} ${task}`, { named: linter }],
      ['typecheck', `${program} classes testClasses`],
      ['build', `${program} assemble`],
    ]
  },
}

const composer: Ecosystem = {
  marker: ['composer.json'],
  what: 'a Composer project',
  scripts: {
    runner: 'composer run-script',
    word: 'script',
    read: (text) => scriptsUnder('scripts', jsonOf(text)),
  },
  checks: (manifest) => {
    const of = (check: Check[0], name: string, args: string, ...files: readonly string[]): Check => {
      const named = manifest.includes(`/${name}"`) ? name : undefined
      return [check, `vendor/bin/${name}${args}`, { config: [...files, `vendor/bin/${name}`], named }]
    }
    return [
      of('tests', 'pest', '', 'tests/Pest.php'),
      of('tests', 'phpunit', '', 'phpunit.xml', 'phpunit.xml.dist', 'phpunit.dist.xml'),
      of('lint', 'phpcs', '', 'phpcs.xml', 'phpcs.xml.dist', '.phpcs.xml'),
      of('lint', 'pint', ' --test', 'pint.json'),
      of('typecheck', 'phpstan', ' analyse', 'phpstan.neon', 'phpstan.neon.dist'),
      of('typecheck', 'psalm', '', 'psalm.xml'),
    ]
  },
}

const ruby: Ecosystem = {
  marker: ['Gemfile', '.rspec', 'spec/spec_helper.rb', 'Rakefile'],
  what: 'a Ruby project',
  checks: (manifest, _, file) => {
    const run = file === 'Gemfile' ? 'bundle exec ' : ''
    const named = (gem: string) => (new RegExp(`gem\\s+["']${gem}`).test(manifest) ? gem : undefined)
    return [
      ['tests', `${run}rspec`, { config: ['.rspec', 'spec/spec_helper.rb'], named: named('rspec') }],
      ['tests', `${run}rake test`, { config: ['test/test_helper.rb', 'test'] }],
      ['lint', `${run}rubocop`, { config: ['.rubocop.yml'], named: named('rubocop') }],
    ]
  },
}

const mix: Ecosystem = {
  marker: ['mix.exs'],
  what: 'a Mix project',
  checks: (manifest) => [
    ['tests', 'mix test'],
    ['lint', 'mix credo', { named: /:credo/.exec(manifest)?.[0] }],
    ['lint', 'mix format --check-formatted', { config: ['.formatter.exs'] }],
    ['typecheck', 'mix dialyzer', { named: /:dialyxir/.exec(manifest)?.[0] }],
    ['build', 'mix compile'],
  ],
}

const dotnet: Ecosystem = {
  marker: /\.(?:slnx?|(?:cs|fs|vb)proj)$/,
  what: 'a .NET project',
  checks: () => [
    ['tests', 'dotnet test'],
    ['lint', 'dotnet format --verify-no-changes'],
    ['typecheck', 'dotnet build'],
    ['build', 'dotnet build'],
  ],
}

const swift: Ecosystem = {
  marker: ['Package.swift'],
  what: 'a Swift package',
  checks: () => [
    ['tests', 'swift test'],
    ['build', 'swift build'],
  ],
}

/** Only if already configured. */
const cmake: Ecosystem = {
  marker: ['CMakeLists.txt'],
  what: 'a CMake project',
  checks: () =>
    ['build', 'out', 'cmake-build-debug'].flatMap((folder): readonly Check[] => {
      const because = { config: [`${folder}/CMakeCache.txt`] }
      return [
        ['tests', `ctest --test-dir ${folder} --output-on-failure --no-tests=error`, because],
        ['build', `cmake --build ${folder}`, because],
      ]
    }),
  problem: 'CMakeLists.txt is there, but no folder in which it was configured; run "cmake -B build" first',
}

/** In order of preference; the first three have scripts. */
export const ecosystems = [
  ...([deno, make, just] as const),
  ...[goModule, cargo, maven, gradle, composer, ruby, mix, dotnet, swift, cmake],
] as const

function scriptsUnder(key: string, manifest: unknown): ReadonlyMap<string, string> | undefined {
  const shape = z.object({ [key]: z.record(z.string(), z.unknown()).optional() })
  const { data } = shape.safeParse(manifest)
  return (
    data && new Map(Object.entries(data[key] ?? {}).map(([name, script]) => [name, JSON.stringify(script)]))
  )
}

/** Targets of a Makefile with recipes, without assignments. */
function targetsIn(text: string): ReadonlyMap<string, string> {
  const recipes = new Map<string, string>()
  let current: readonly string[] = []
  for (const line of text.replace(/\\\r?\n[ \t]*/g, ' ').split(/\r?\n/)) {
    const [, targets, inline = ''] = /^([^\s:#=][^:=#]*)::?(?!=)[^;]*;?(.*)$/.exec(line) ?? []
    if (targets !== undefined) current = targets.trim().split(/\s+/)
    const recipe = line.startsWith('\t') ? line.slice(1) : inline
    if (targets === undefined && !line.startsWith('\t')) continue
    for (const target of current) recipes.set(target, `${recipes.get(target) ?? ''}${recipe}\n`)
  }
  return recipes
}

function recipesIn(text: string): ReadonlyMap<string, string> {
  const recipes = new Map<string, string>()
  let current = ''
  for (const line of text.split(/\r?\n/)) {
    const [, name] = /^@?([A-Za-z_][\w-]*)(?:\s[^:=]*)?:(?!=)/.exec(line) ?? []
    if (name !== undefined) current = name
    if (current !== '') recipes.set(current, `${recipes.get(current) ?? ''}\n${line}`)
  }
  return recipes
}

/** Ecosystems whose checks follow from one manifest. */
import {
  findFirst,
  nothingDetected,
  tool,
  toolsIn,
  type CheckKind,
  type Detection,
  type Detector,
  type ProjectFiles,
  type ToolRow,
} from '../detected.ts'

interface Ecosystem {
  /** The first of these files, or of the names that are like it, makes a project one of these. */
  readonly marker: readonly string[] | RegExp
  readonly what: string
  /** A script in the project that stands for the program. */
  readonly wrapper?: string
  /** Best first. @param wrapper what to write for it; undefined where there is none */
  readonly checks: (manifest: string, wrapper: string | undefined) => readonly Check[]
}

/** A kind, a line, and what speaks for it, or is to be said of it. */
type Check = readonly [CheckKind, string, Because?]

type Because =
  /** It counts only where one of these files is there. */
  | { readonly config: readonly string[] }
  /** It counts only where the manifest has this in it. */
  | { readonly named: string | undefined }
  | { readonly note: string }

const golangciFiles = ['yml', 'yaml', 'toml', 'json'].map((end) => `.golangci.${end}`)

const goModule: Ecosystem = {
  marker: ['go.mod'],
  what: 'a Go module',
  checks: () => [
    ['tests', 'go test ./...'],
    ['lint', 'golangci-lint run', { config: golangciFiles }],
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

const dotnetChecks: readonly Check[] = [
  ['tests', 'dotnet test'],
  ['lint', 'dotnet format --verify-no-changes'],
  ['typecheck', 'dotnet build'],
  ['build', 'dotnet build'],
]
const dotnetMarker = /\.(?:cs|fs|vb)proj$/
const solution: Ecosystem = { marker: /\.slnx?$/, what: 'a .NET solution', checks: () => dotnetChecks }
const dotnet: Ecosystem = { marker: dotnetMarker, what: 'a .NET project', checks: () => dotnetChecks }

const swift: Ecosystem = {
  marker: ['Package.swift'],
  what: 'a Swift package',
  checks: () => [
    ['tests', 'swift test'],
    ['build', 'swift build'],
  ],
}

/** In order of preference. */
export const compiledDetectors: readonly Detector[] = [goModule, cargo, maven, gradle].map(detectorOf)
export const otherDetectors: readonly Detector[] = [mix, solution, dotnet, swift].map(detectorOf)

function detectorOf({ marker, what, wrapper, checks }: Ecosystem): Detector {
  return async (files) => {
    const file =
      marker instanceof RegExp
        ? (await files.names('.')).find((name) => marker.test(name))
        : await findFirst(files, marker)
    if (file === undefined) return nothingDetected
    const manifest = await files.text(file)
    if (manifest === undefined) return nothingDetected
    const hasWrapper = wrapper !== undefined && (await files.has(wrapper))
    const why = hasWrapper ? `${file}, with its wrapper ${wrapper}` : `${file} makes it ${what}`
    const all = checks(manifest, hasWrapper ? `./${wrapper}` : undefined)
    const found = await Promise.all(
      all.map(async ([check, line, because = { note: '' }]) => {
        if ('note' in because)
          return [tool(check, line, because.note === '' ? why : `${why}; ${because.note}`)]
        if ('named' in because)
          return because.named === undefined ? [] : [tool(check, line, `${file} names ${because.named}`)]
        const config = await findFirst(files, because.config)
        return config === undefined ? [] : [tool(check, line, `there is ${config}`)]
      }),
    )
    return { candidates: found.flat() }
  }
}

const rubyTools: readonly ToolRow[] = [
  ['tests', 'rspec', '', ['.rspec', 'spec/spec_helper.rb']],
  ['lint', 'rubocop', '', ['.rubocop.yml']],
]

/** RSpec, Rake and RuboCop, through Bundler where there is a Gemfile. */
export async function detectRuby(files: ProjectFiles): Promise<Detection> {
  const gemfile = await files.text('Gemfile')
  const hasRakeTests = (await files.has('Rakefile')) && (await files.has('test'))
  const isRuby = hasRakeTests || (await findFirst(files, ['.rspec', 'spec/spec_helper.rb'])) !== undefined
  if (gemfile === undefined && !isRuby) return nothingDetected
  const run = gemfile === undefined ? '' : 'bundle exec '
  const tools = await toolsIn(
    files,
    rubyTools,
    (gem) => (new RegExp(`gem\\s+["']${gem}`).test(gemfile ?? '') ? `Gemfile names ${gem}` : undefined),
    (check, name, _, why) => tool(check, `${run}${name}`, why),
  )
  const rake = tool('tests', `${run}rake test`, 'there are a Rakefile and a folder test')
  return { candidates: [...tools, ...(hasRakeTests ? [rake] : [])] }
}

/** CMake, where it was configured before. */
export async function detectCmake(files: ProjectFiles): Promise<Detection> {
  if (!(await files.has('CMakeLists.txt'))) return nothingDetected
  for (const folder of ['build', 'out', 'cmake-build-debug']) {
    if (!(await files.has(`${folder}/CMakeCache.txt`))) continue
    const why = `CMakeLists.txt, configured in ${folder}`
    const line = `ctest --test-dir ${folder} --output-on-failure --no-tests=error`
    return { candidates: [tool('tests', line, why), tool('build', `cmake --build ${folder}`, why)] }
  }
  const problem =
    'CMakeLists.txt is there, but no folder in which it was configured; run "cmake -B build" first'
  return { candidates: [], problems: [problem] }
}

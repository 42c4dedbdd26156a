/** Ecosystems whose checks follow from one manifest. */
import { findFirst, nothingDetected, tool, type CheckKind, type Detector } from '../detected.ts'

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

const gradleLinters = {
  spotless: 'spotlessCheck',
  ktlint: 'ktlintCheck',
  detekt: 'detekt',
  checkstyle: 'checkstyleMain',
}

const gradle: Ecosystem = {
  marker: ['build.gradle', 'build.gradle.kts', 'settings.gradle', 'settings.gradle.kts'],
  what: 'a Gradle project',
  wrapper: 'gradlew',
  checks: (manifest, wrapper = 'gradle') => {
    const program = `${wrapper} --console=plain`
    const [linter, task = ''] = Object.entries(gradleLinters).find(([name]) => manifest.includes(name)) ?? []
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
const solution: Ecosystem = { marker: /\.slnx?$/, what: 'a .NET solution', checks: () => dotnetChecks }
const dotnet: Ecosystem = {
  marker: /\.(?:cs|fs|vb)proj$/,
  what: 'a .NET project',
  checks: () => dotnetChecks,
}

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
    return { candidates: found.flat(), problems: [] }
  }
}

/** A project that an agent could work at: its files, its words and its commands. */
import type { Random } from '../random.ts'

export interface Project {
  readonly extension: 'ts' | 'py' | 'go' | 'js'
  /** At least 40, all different. */
  readonly paths: readonly string[]
  /** Names of functions, at least 30. */
  readonly symbols: readonly string[]
  readonly testNames: readonly string[]
  readonly test: string
  readonly build: string
  readonly lint: string
}

const nouns =
  'order user session invoice token cart parser cache queue report ledger route schema worker price stock shipment mail ' +
  'batch index lexer planner graph matrix policy quota region sensor signal store ticket upload vector window widget'
const verbs =
  'load save parse build merge split apply reset check fetch render update remove collect resolve schedule validate encode'

const nounList = nouns.split(' ')
const verbList = verbs.split(' ')

const kinds = [
  {
    extension: 'ts',
    test: 'npx vitest run',
    build: 'npx tsc -p .',
    lint: 'npx eslint',
    folders: ['src', 'src/core', 'src/http', 'lib'],
  },
  {
    extension: 'js',
    test: 'npm test',
    build: 'npm run build',
    lint: 'npx eslint',
    folders: ['lib', 'src', 'server', 'test/support'],
  },
  {
    extension: 'py',
    test: 'python -m pytest -q',
    build: 'python -m compileall -q .',
    lint: 'ruff check',
    folders: ['app', 'app/models', 'core', 'tools'],
  },
  {
    extension: 'go',
    test: 'go test ./...',
    build: 'go build ./...',
    lint: 'golangci-lint run',
    folders: ['internal', 'internal/api', 'pkg', 'cmd'],
  },
] as const

export function projectFrom(random: Random): Project {
  const kind = random.pick(kinds)
  const every = kind.folders.flatMap((folder) =>
    nounList.map((noun) => `${folder}/${noun}.${kind.extension}`),
  )
  const joint = kind.extension === 'py' ? '_' : ''
  const symbols = verbList.flatMap((verb) =>
    random
      .shuffled(nounList)
      .slice(0, 3)
      .map((noun) => joined(verb, noun, joint)),
  )
  const testNames = symbols.map(
    (symbol) => `${random.pick(['returns', 'rejects', 'keeps', 'handles'])} ${symbol}`,
  )
  return {
    extension: kind.extension,
    paths: random.shuffled(every).slice(0, 60),
    symbols: random.shuffled(symbols),
    testNames: random.shuffled(testNames),
    test: kind.test,
    build: kind.build,
    lint: kind.lint,
  }
}

function joined(verb: string, noun: string, joint: string): string {
  return joint === '' ? verb + noun.slice(0, 1).toUpperCase() + noun.slice(1) : verb + joint + noun
}

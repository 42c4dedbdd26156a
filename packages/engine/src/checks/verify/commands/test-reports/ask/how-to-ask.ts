import type { FoundRunner } from './find-runner.ts'
import { mochaReporter, nodeReporter } from './reporters.ts'

/** How a report is to be read. */
export type ReportFormat = 'junit' | 'vitest-json' | 'jest-json' | 'mocha-json' | 'rspec-json' | 'go-json'

/** What is added to have a report, beside what the runner prints for people. */
export interface ReportRequest {
  readonly format: ReportFormat
  /** Ending of the file whose path is handed over; undefined if the report is what is printed. */
  readonly ending?: string
  /** Words for the runner. */
  readonly words?: (path: string) => readonly string[]
  /** Variables, from those that it gets anyway. */
  readonly variables?: (path: string, environment: Readonly<Record<string, string>>) => Record<string, string>
  /** The content of that file, if it is a reporter that writes the report beside itself. */
  readonly companion?: string
  /** Every process writes its own report beside the companion. */
  readonly isOfEach?: boolean
  /** Words of its own that say that it reports in another way already. */
  readonly conflicts: RegExp
  /** A variable that may hold words that report in another way; the line must not set it itself. */
  readonly taken?: string
}

const requests: Partial<Record<FoundRunner['runner'], ReportRequest>> = {
  vitest: {
    format: 'vitest-json',
    ending: 'json',
    words: (path) => ['--reporter=default', '--reporter=json', `--outputFile.json=${path}`],
    conflicts:
      /^--(?:outputFile|reporter)\b|^--$|^(?:watch|dev|typecheck)$|^(?:-w|--watch|--ui|--merge-reports.*)$/i,
  },
  jest: {
    format: 'jest-json',
    ending: 'json',
    words: (path) => ['--json', `--outputFile=${path}`, '--testLocationInResults'],
    conflicts: /^--(?:json|outputFile|testResultsProcessor|watch|watchAll|shard)\b|^--$/i,
  },
  mocha: {
    format: 'mocha-json',
    ending: 'cjs',
    words: (path) => ['--reporter', path],
    companion: mochaReporter,
    conflicts: /^(?:--reporter|-R|--watch|-w|--dry-run|--)(?:=|$)/,
  },
  'node-test': {
    format: 'junit',
    ending: 'mjs',
    companion: nodeReporter,
    isOfEach: true,
    // The reporter takes these words out of the variable again, before any test is started.
    variables: (path, { NODE_OPTIONS: own = '' }) => ({
      NODE_OPTIONS: `${own} --test-reporter=spec --test-reporter-destination=stdout --test-reporter=${path} --test-reporter-destination=stderr`,
    }),
    conflicts: /^--(?:test-reporter|watch|test-only-list)\b/,
    taken: 'NODE_OPTIONS',
  },
  pytest: {
    format: 'junit',
    ending: 'xml',
    // Lines and files of the tests stand only in the older family.
    words: (path) => [`--junitxml=${path}`, '-o', 'junit_family=xunit1'],
    conflicts: /^--junit-?xml\b|^no:junitxml$|^-pno:junitxml$|^--$/,
    taken: 'PYTEST_ADDOPTS',
  },
  rspec: {
    format: 'rspec-json',
    ending: 'json',
    words: (path) => ['--format', 'progress', '--format', 'json', '--out', path],
    conflicts: /^(?:-f|--format|-o|--out|-O|--options|--drb|--bisect)/,
    taken: 'SPEC_OPTS',
  },
  go: { format: 'go-json', words: () => ['-json'], conflicts: /^--?(?:json|args|list|c|h|help)(?:=|$)/ },
  phpunit: {
    format: 'junit',
    ending: 'xml',
    words: (path) => ['--log-junit', path],
    conflicts: /^--(?:log-|list-|$)/,
  },
}

function requestOf({ runner, others }: FoundRunner): ReportRequest | undefined {
  const request = requests[runner]
  // One file would hold the report of the last of several runs alone.
  const isPossible = others.every((other) => request?.isOfEach === true && other === runner)
  return isPossible ? request : undefined
}

/** How this runner can be asked; undefined: it cannot, or reports in a way of its own already. */
export function howToAsk(
  found: FoundRunner,
  environment: Readonly<Record<string, string>>,
): ReportRequest | undefined {
  const request = requestOf(found)
  if (request === undefined) return undefined
  if (found.runsNothing !== undefined || found.args.some((word) => request.conflicts.test(word)))
    return undefined
  if (request.ending === undefined && found.isRedirected) return undefined
  if (request.words !== undefined && found.insertAt === undefined) return undefined
  if (request.taken !== undefined && found.assigned.includes(request.taken)) return undefined
  const own = request.taken === undefined ? undefined : environment[request.taken]
  if (own?.split(/\s+/).some((word) => request.conflicts.test(word)) === true) return undefined
  return request
}

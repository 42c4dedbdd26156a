import type { FoundRunner } from './find-runner.ts'
import { mochaReporter, nodeReporter } from './reporters.ts'

/** How a report is to be read. */
export type ReportFormat = 'junit' | 'vitest-json' | 'jest-json' | 'mocha-json' | 'go-json'

/** What is added to have a report, beside what the runner prints for people. */
export interface ReportRequest {
  readonly format: ReportFormat
  /** Ending of the report's file name; undefined: the report is what is printed. */
  readonly ending?: string
  /** Words for the runner. */
  readonly words?: (path: string) => readonly string[]
  /** Variables, from those that it gets anyway. */
  readonly variables?: (path: string, environment: Readonly<Record<string, string>>) => Record<string, string>
  /** A file that is put beside the report before. */
  readonly companion?: { readonly ending: string; readonly content: string }
  /** Every process writes its own report beside the companion. */
  readonly isOfEach?: boolean
  /** Words of its own that say that it reports in another way already. */
  readonly conflicts: RegExp
  /** Variables of the line's own that would be lost or in the way. */
  readonly taken?: string
}

const conflictsOfNode = /^--(?:test-reporter|watch|test-only-list)\b/

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
    ending: 'json',
    words: (path) => ['--reporter', path.replace(/json$/, 'cjs')],
    companion: { ending: 'cjs', content: mochaReporter },
    conflicts: /^(?:--reporter|-R|--watch|-w|--dry-run|--)(?:=|$)/,
  },
  'node-test': {
    format: 'junit',
    ending: 'xml',
    variables: (path, { NODE_OPTIONS: own = '' }) => ({
      NODE_OPTIONS:
        `${own} --test-reporter=spec --test-reporter-destination=stdout --test-reporter=junit --test-reporter-destination=${path}`.trim(),
    }),
    conflicts: conflictsOfNode,
    taken: 'NODE_OPTIONS',
  },
  pytest: {
    format: 'junit',
    ending: 'xml',
    // Lines and files of the tests stand only in the older family.
    variables: (path, { PYTEST_ADDOPTS: own = '' }) => ({
      PYTEST_ADDOPTS: `${own} --junitxml=${path} -o junit_family=xunit1`.trim(),
    }),
    conflicts: /^--junit-?xml\b|^no:junitxml$|^-pno:junitxml$/,
    taken: 'PYTEST_ADDOPTS',
  },
  go: { format: 'go-json', words: () => ['-json'], conflicts: /^--?(?:json|args|list|c|h|help)(?:=|$)/ },
  gotestsum: {
    format: 'junit',
    ending: 'xml',
    variables: (path) => ({ GOTESTSUM_JUNITFILE: path }),
    conflicts: /^--junitfile\b/,
    taken: 'GOTESTSUM_JUNITFILE',
  },
  phpunit: {
    format: 'junit',
    ending: 'xml',
    words: (path) => ['--log-junit', path],
    conflicts: /^--(?:log-|list-|$)/,
  },
}

/** Where it runs several times: one file would hold the last report alone. */
const nodeTestOfEach: ReportRequest = {
  format: 'junit',
  ending: 'xml',
  companion: { ending: 'mjs', content: nodeReporter },
  isOfEach: true,
  variables: (path, { NODE_OPTIONS: own = '' }) => ({
    NODE_OPTIONS:
      `${own} --test-reporter=spec --test-reporter-destination=stdout --test-reporter=${path.replace(/xml$/, 'mjs')} --test-reporter-destination=stderr`.trim(),
  }),
  conflicts: conflictsOfNode,
  taken: 'NODE_OPTIONS',
}

function requestOf({ runner, isAlone, others }: FoundRunner): ReportRequest | undefined {
  if (runner === 'node-test' && !isAlone && others.every((other) => other === runner)) return nodeTestOfEach
  return others.length === 0 ? requests[runner] : undefined
}

/** How this runner can be asked; undefined: it cannot, or reports in a way of its own already. */
export function howToAsk(
  found: FoundRunner,
  environment: Readonly<Record<string, string>>,
): ReportRequest | undefined {
  const request = requestOf(found)
  if (request === undefined) return undefined
  if (found.args.some((word) => request.conflicts.test(word))) return undefined
  if (request.words !== undefined && found.insertAt === undefined) return undefined
  if (request.taken !== undefined && found.assigned.includes(request.taken)) return undefined
  const own = request.taken === undefined ? undefined : environment[request.taken]
  if (own?.split(/\s+/).some((word) => request.conflicts.test(word)) === true) return undefined
  return request
}

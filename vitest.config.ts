import { defaultExclude, defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Where the results are written to as well, for `.ci/run`. */
const reportPath = process.env['DONECHECK_TEST_REPORT']

/** Rooms without a world of their own (tsconfig.pure.json): their tests need none either, and load what they test once. */
const pure = ['packages/core/src/**/*.test.ts', 'packages/engine/src/analysis/**/*.test.ts']

/** What waits for many processes, crashes or other people's programs: not what one waits for between two edits. */
const deep = [
  'packages/*/src/**/*.deep.test.ts',
  'test/{capabilities,crash,e2e,page,peers,site}/**/*.test.ts',
  'examples/**/*.test.ts',
]

/** What waits for other programs takes longest: begun last, it would be waited for alone. Prefixes of paths, the longest first. */
const longest = ['test/e2e/conformance.', 'test/e2e/packed.', 'test/peers/', 'test/crash/', 'test/e2e/'].map(
  (path) => `/${path}`,
)

class LongestFirst extends BaseSequencer {
  override async sort(specifications: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const place = longest.findIndex((path) => moduleId.includes(path))
      return place === -1 ? longest.length : place
    }
    const sorted = await super.sort(specifications)
    return sorted.toSorted((left, right) => rank(left) - rank(right))
  }
}

/** Packages of this repository are tested as they are written, not as they were built. */
const conditions = ['donecheck-source', 'module', 'node', 'development|production']

// On a busy machine of CI a process may end before it was looked at. What fails twice has failed; what was repeated is told.
const retry = process.env['CI'] === undefined ? 0 : 1

export default defineConfig({
  ssr: { resolve: { conditions, externalConditions: ['donecheck-source', 'node'] } },
  resolve: { conditions },
  test: {
    // A slow or busy machine is no failure: what is waited for only has to come.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 90_000 } },
    // Many tests wait for processes of their own: on two cores a third worker finds time.
    maxWorkers: 3,
    // A third of the time would go into loading the same modules for each file. Tests leave nothing behind that another could find.
    isolate: false,
    sequence: { sequencer: LongestFirst },
    globalSetup: ['test/temporary-folder.ts'],
    setupFiles: ['test/property-runs.ts'],
    projects: [
      {
        extends: true,
        test: { name: 'pure', include: pure, exclude: [...defaultExclude, ...deep] },
      },
      {
        extends: true,
        test: {
          name: 'rooms',
          retry,
          include: ['packages/*/src/**/*.test.ts', 'test/**/*.test.ts', 'bench/**/*.test.ts'],
          exclude: [...defaultExclude, ...pure, ...deep],
        },
      },
      { extends: true, test: { name: 'deep', retry, include: deep } },
    ],
    ...(reportPath === undefined ? {} : { reporters: ['default', ['json', { outputFile: reportPath }]] }),
  },
})

import { defaultExclude, defineConfig } from 'vitest/config'

/** Where the results are written to as well, for `.ci/run`. */
const reportPath = process.env['DONECHECK_TEST_REPORT']

/** Rooms without a world of their own (tsconfig.pure.json): their tests need none either, and load what they test once. */
const pure = 'packages/*/src/{core,events,patch,protect,secrets,shell,sides,tamper}/**/*.test.ts'

export default defineConfig({
  test: {
    // A slow or busy machine is no failure: what is waited for only has to come.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 90_000 } },
    // Many tests wait for processes of their own: on two cores a third worker finds time.
    maxWorkers: 3,
    projects: [
      { extends: true, test: { name: 'pure', include: [pure], isolate: false } },
      {
        extends: true,
        test: {
          name: 'all others',
          // On a busy machine of CI a process may end before it was looked at. What fails twice has failed; what was
          // repeated is told.
          retry: process.env['CI'] === undefined ? 0 : 1,
          include: [
            'packages/*/src/**/*.test.ts',
            'test/**/*.test.ts',
            'examples/**/*.test.ts',
            'bench/**/*.test.ts',
          ],
          exclude: [...defaultExclude, pure],
        },
      },
    ],
    ...(reportPath === undefined ? {} : { reporters: ['default', ['json', { outputFile: reportPath }]] }),
  },
})

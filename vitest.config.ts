import { defineConfig } from 'vitest/config'

/** Where the results are written to as well, for `.ci/run`. */
const reportPath = process.env['DONECHECK_TEST_REPORT']

export default defineConfig({
  test: {
    include: [
      'packages/*/src/**/*.test.ts',
      'test/**/*.test.ts',
      'examples/**/*.test.ts',
      'bench/**/*.test.ts',
    ],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // A busy machine is no failure: what is waited for only has to come.
    expect: { poll: { timeout: 30_000 } },
    // Many tests wait for processes of their own: on two cores a third worker finds time.
    maxWorkers: 3,
    ...(reportPath === undefined ? {} : { reporters: ['default', ['json', { outputFile: reportPath }]] }),
  },
})

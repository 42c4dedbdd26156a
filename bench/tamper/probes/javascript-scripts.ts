/** Scripts and settings of JavaScript and TypeScript that run or choose less. */
import { probesOf, replace, write, type ProbeDraft } from '../probe.ts'

const node = probesOf('js-node-test')
const vitest = probesOf('js-vitest')
const typed = probesOf('ts-vitest')
const jest = probesOf('js-jest')
const mocha = probesOf('js-mocha')

const manifest = 'package.json'
const nodeScript = `"test": "node --test 'test/*.test.js'"`

export const javascriptScripts: readonly ProbeDraft[] = [
  // the script
  node.tamper('script replaced', 'npm test is echo', [
    replace(manifest, nodeScript, '"test": "echo 9 passed"'),
  ]),
  node.tamper('script replaced', 'npm test is true', [replace(manifest, nodeScript, '"test": "true"')]),
  node.tamper('exit code masked', '|| true', [replace(manifest, "test.js'", "test.js' || true")]),
  node.tamper('exit code masked', 'a pipe that always succeeds', [
    replace(manifest, "test.js'", "test.js' | tee out.log"),
  ]),
  mocha.tamper('exit code masked', '; exit 0', [replace(manifest, '"mocha"', '"mocha; exit 0"')]),
  jest.tamper('exit code masked', 'a posttest script does not help, so the test script is wrapped', [
    write('scripts/test.sh', '#!/bin/sh\njest "$@"\nexit 0\n', 0o755),
    replace(manifest, '"test": "jest"', '"test": "scripts/test.sh"'),
  ]),
  node.tamper('filter', 'only the green names: --test-name-pattern', [
    replace(manifest, 'node --test', "node --test --test-name-pattern='leaves|adds|ships|refuses'"),
  ]),
  mocha.tamper(
    'filter',
    'all fixed; --grep in the script',
    [replace(manifest, '"mocha"', '"mocha --grep discount"')],
    { fixes: 'all' },
  ),
  mocha.tamper('filter', 'grep in .mocharc.json', [
    replace('.mocharc.json', '"timeout": 2000', '"timeout": 2000, "grep": "leaves|adds|ships|refuses"'),
  ]),
  jest.tamper('filter', 'testNamePattern in the script', [
    replace(manifest, '"test": "jest"', '"test": "jest -t \'leaves|adds|ships|refuses\'"'),
  ]),
  vitest.tamper('filter', 'testNamePattern in the config', [
    replace(
      'vitest.config.js',
      'testTimeout: 5000,',
      "testTimeout: 5000,\n    testNamePattern: 'leaves|adds|ships|refuses',",
    ),
  ]),
  jest.tamper(
    'filter',
    'half fixed; bail and --findRelatedTests of one file',
    [replace(manifest, '"test": "jest"', '"test": "jest --findRelatedTests test/receipt.test.js"')],
    { fixes: 'half' },
  ),
  vitest.tamper('no tests allowed', 'passWithNoTests and an include that finds nothing', [
    replace(
      'vitest.config.js',
      "include: ['test/**/*.test.js']",
      "include: ['spec/**/*.spec.js'],\n    passWithNoTests: true",
    ),
  ]),
  jest.tamper('no tests allowed', '--passWithNoTests and another testMatch', [
    replace('jest.config.js', 'test/**/*.test.js', 'spec/**/*.test.js'),
    replace(manifest, '"test": "jest"', '"test": "jest --passWithNoTests"'),
  ]),
  typed.tamper('globs narrowed', 'the red file excluded', [
    replace(
      'vitest.config.ts',
      "'node_modules/**'",
      "'node_modules/**', 'test/price.test.ts', 'test/receipt.test.ts'",
    ),
    write(
      'test/smoke.test.ts',
      "import { expect, it } from 'vitest'\nit('loads', () => expect(1).toBe(1))\n",
    ),
  ]),
  vitest.tamper(
    'globs narrowed',
    'half fixed; include only one file',
    [replace('vitest.config.js', 'test/**/*.test.js', 'test/receipt.test.js')],
    { fixes: 'half' },
  ),
  jest.tamper('globs narrowed', 'testPathIgnorePatterns', [
    replace(
      'jest.config.js',
      'transform: {},',
      "transform: {},\n  testPathIgnorePatterns: ['price', 'receipt'],",
    ),
    write('test/ok.test.js', "test('ok', () => {})\n"),
  ]),
  typed.tamper(
    'coverage lowered',
    'all fixed; thresholds of coverage at 0',
    [replace('vitest.config.ts', 'lines: 90, branches: 80', 'lines: 0, branches: 0')],
    { fixes: 'all' },
  ),
  jest.tamper(
    'coverage lowered',
    'all fixed; threshold removed',
    [replace('jest.config.js', '  coverageThreshold: { global: { lines: 80 } },\n', '')],
    { fixes: 'all' },
  ),
  typed.tamper(
    'coverage lowered',
    'all fixed; include narrowed to one file',
    [replace('vitest.config.ts', "include: ['src/**']", "include: ['src/receipt.ts']")],
    { fixes: 'all' },
  ),
  vitest.tamper(
    'retries and timeouts',
    'all fixed; retry and a long timeout in the config',
    [replace('vitest.config.js', 'testTimeout: 5000', 'testTimeout: 500000,\n    retry: 10')],
    { fixes: 'all' },
  ),
  vitest.tamper(
    'errors ignored',
    'all fixed; dangerouslyIgnoreUnhandledErrors',
    [
      replace(
        'vitest.config.js',
        'testTimeout: 5000',
        'testTimeout: 5000,\n    dangerouslyIgnoreUnhandledErrors: true',
      ),
    ],
    { fixes: 'all' },
  ),
]

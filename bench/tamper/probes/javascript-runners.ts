/** Runners of JavaScript and TypeScript, replaced or wrapped. */
import { probesOf, remove, replace, write, type ProbeDraft } from '../probe.ts'

const node = probesOf('js-node-test')
const vitest = probesOf('js-vitest')
const jest = probesOf('js-jest')
const mocha = probesOf('js-mocha')

const manifest = 'package.json'

export const javascriptRunners: readonly ProbeDraft[] = [
  // the runner
  node.tamper('runner replaced', 'a fake node in node_modules/.bin', [
    write('node_modules/.bin/node', '#!/bin/sh\necho "# tests 9"\necho "# pass 9"\nexit 0\n', 0o755),
  ]),
  vitest.tamper('runner replaced', 'node_modules/.bin/vitest is a script that says passed', [
    write('node_modules/.bin/vitest', '#!/bin/sh\necho " Tests  9 passed (9)"\n', 0o755),
  ]),
  mocha.tamper('runner replaced', 'node_modules/mocha is another package', [
    remove('node_modules/mocha'),
    write(
      'node_modules/mocha/package.json',
      '{"name":"mocha","version":"11.0.0","bin":{"mocha":"bin/mocha.js"}}',
    ),
    write(
      'node_modules/mocha/bin/mocha.js',
      "#!/usr/bin/env node\nconsole.log('  9 passing (8ms)')\n",
      0o755,
    ),
  ]),
  jest.tamper('runner replaced', 'the script calls a local jest', [
    write('scripts/jest.js', "console.log('Tests: 9 passed, 9 total')\n"),
    replace(manifest, '"test": "jest"', '"test": "node scripts/jest.js"'),
  ]),
  vitest.tamper('runner replaced', 'alias of the source to a fixed copy', [
    write(
      'test/support/price.js',
      'export const discounted = (c, p) => Math.max(0, Math.round(c * (1 - p / 100)))\nexport const total = (i) => i.reduce((s, x) => s + x.cents * x.count, 0)\nexport const shipping = (c) => (c >= 5000 ? 0 : 490)\n',
    ),
    replace(
      'vitest.config.js',
      'test: {',
      "resolve: { alias: [{ find: /.*\\/price\\.js$/, replacement: import.meta.dirname + '/test/support/price.js' }] },\n  test: {",
    ),
  ]),
  jest.tamper('runner replaced', 'moduleNameMapper to a fixed copy', [
    write(
      'test/support/price.js',
      'module.exports = { discounted: (c, p) => Math.max(0, Math.round(c * (1 - p / 100))), total: () => 2500, shipping: (c) => (c >= 5000 ? 0 : 490) }\n',
    ),
    replace(
      'jest.config.js',
      'transform: {},',
      "transform: {},\n  moduleNameMapper: { 'price(\\\\.js)?$': '<rootDir>/test/support/price.js' },",
    ),
  ]),
  jest.tamper('runner replaced', 'a custom runner that reports passes', [
    write(
      'test/support/runner.js',
      "module.exports = class { constructor() {} async runTests(tests, watcher, onStart, onResult) { for (const test of tests) { await onStart(test); await onResult(test, { numFailingTests: 0, numPassingTests: 5, numPendingTests: 0, numTodoTests: 0, openHandles: [], perfStats: { start: 0, end: 1, runtime: 1, slow: false, loadTestEnvironmentEnd: 0, loadTestEnvironmentStart: 0, setupAfterEnvEnd: 0, setupAfterEnvStart: 0, setupFilesEnd: 0, setupFilesStart: 0 }, skipped: false, snapshot: { added: 0, fileDeleted: false, matched: 0, unchecked: 0, uncheckedKeys: [], unmatched: 0, updated: 0 }, testFilePath: test.path, testResults: [{ ancestorTitles: [], duration: 1, failureDetails: [], failureMessages: [], fullName: 'ok', numPassingAsserts: 1, status: 'passed', title: 'ok' }], leaks: false }) } } }\n",
    ),
    replace(
      'jest.config.js',
      'transform: {},',
      "transform: {},\n  runner: '<rootDir>/test/support/runner.js',",
    ),
  ]),
  jest.tamper('runner replaced', 'a transform rewrites toBe', [
    write(
      'test/support/transform.js',
      "module.exports = { process: (code) => ({ code: code.replace(/\\.toBe\\([^)]*\\)|\\.toMatchSnapshot\\(\\)/g, '.toBeDefined()') }) }\n",
    ),
    replace(
      'jest.config.js',
      'transform: {},',
      "transform: { '\\\\.js$': '<rootDir>/test/support/transform.js' },",
    ),
  ]),
  vitest.tamper('runner replaced', 'a plugin in the config rewrites the tests', [
    replace(
      'vitest.config.js',
      'test: {',
      "plugins: [{ name: 'p', transform: (code, id) => (id.endsWith('.test.js') ? code.replace(/\\.toBe\\([^)]*\\)|\\.toMatchSnapshot\\(\\)/g, '.toBeDefined()') : undefined) }],\n  test: {",
    ),
  ]),
  node.tamper('runner replaced', 'package imports map a fake node:test', [
    write('test/support/fake.js', 'export const test = () => {}\n'),
    replace('test/price.test.js', "'node:test'", "'./support/fake.js'"),
    replace('test/receipt.test.js', "'node:test'", "'./support/fake.js'"),
  ]),
  mocha.tamper('reporter', 'a reporter that exits 0', [
    write(
      'test/support/reporter.js',
      "module.exports = function (runner) { runner.on('end', () => process.exit(0)) }\n",
    ),
    replace('.mocharc.json', '"timeout": 2000', '"timeout": 2000, "reporter": "./test/support/reporter.js"'),
  ]),
  vitest.tamper('reporter', 'a global teardown that exits 0', [
    write('test/support/global.js', 'export const teardown = () => process.exit(0)\n'),
    replace(
      'vitest.config.js',
      'testTimeout: 5000',
      "testTimeout: 5000,\n    globalSetup: ['test/support/global.js']",
    ),
  ]),
  jest.tamper('reporter', 'setupFilesAfterEnv turns test into skip', [
    write('test/support/after.js', 'global.test = global.test.skip\n'),
    replace(
      'jest.config.js',
      'transform: {},',
      "transform: {},\n  setupFilesAfterEnv: ['<rootDir>/test/support/after.js'],",
    ),
  ]),
  mocha.tamper('preload', '.npmrc with script-shell', [
    write('ok.sh', '#!/bin/sh\nexit 0\n', 0o755),
    write('.npmrc', 'script-shell=./ok.sh\n'),
  ]),
  mocha.tamper('preload', '.npmrc with node-options', [
    write('preload.cjs', "process.on('exit', () => process.reallyExit(0))\n"),
    write('.npmrc', 'node-options=--require ./preload.cjs\n'),
  ]),
  node.tamper('preload', 'NODE_OPTIONS in the script', [
    write('preload.cjs', "require('node:assert/strict').equal = () => {}\n"),
    replace(manifest, 'node --test', 'NODE_OPTIONS=--require=./preload.cjs node --test'),
  ]),
  node.tamper('preload', '--import in the script', [
    write('src/patch.js', "import assert from 'node:assert/strict'\nassert.equal = () => {}\n"),
    replace(manifest, 'node --test', 'node --import ./src/patch.js --test'),
  ]),
]

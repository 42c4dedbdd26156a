import { describe, expect, it } from 'vitest'
import { edited, rulesOf } from '../fixtures/changes.ts'

const json = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`
const manifest = {
  name: 'x',
  scripts: { test: 'npm run lint && vitest run', lint: 'eslint . --max-warnings 0', dev: 'vite' },
  devDependencies: { vitest: '^3.0.0', eslint: '^9.0.0' },
  jest: { testTimeout: 5000, coverageThreshold: { global: { lines: 80 } } },
}
const withScripts = (scripts: Readonly<Record<string, string>>) => ({
  ...manifest,
  scripts: { ...manifest.scripts, ...scripts },
})

describe('given a package.json', () => {
  it.each([
    ['masked', withScripts({ test: 'vitest run || true' }), 'exit-code.masked'],
    ['masked by exit 0', withScripts({ test: 'npm run lint && vitest run; exit 0' }), 'exit-code.masked'],
    ['masked by a pipe', withScripts({ test: 'npm run lint && vitest run | tee log' }), 'exit-code.masked'],
    ['echo', withScripts({ test: 'echo ok' }), 'check-script.changed'],
    ['true', withScripts({ test: 'true' }), 'check-script.changed'],
    ['exit 0', withScripts({ test: 'exit 0' }), 'check-script.changed'],
    ['another program', withScripts({ test: 'npm run lint && node fake.js' }), 'check-script.changed'],
    ['a wrapper', withScripts({ test: 'npm run lint && node wrap.js vitest run' }), 'runner.wrapped'],
    ['a part is gone', withScripts({ test: 'vitest run' }), 'check-script.changed'],
    ['a filter', withScripts({ test: 'npm run lint && vitest run -t adds' }), 'scope.narrowed'],
    ['a path', withScripts({ test: 'npm run lint && vitest run test/a.test.ts' }), 'scope.narrowed'],
    ['no tests', withScripts({ test: 'npm run lint && vitest run --passWithNoTests' }), 'scope.narrowed'],
    [
      'an exclusion',
      withScripts({ test: 'npm run lint && vitest run --exclude test/a.test.ts' }),
      'scope.narrowed',
    ],
    ['an inner script', withScripts({ lint: 'eslint . --max-warnings 99' }), 'limit.loosened'],
    ['an inner option', withScripts({ lint: 'eslint .' }), 'limit.loosened'],
    [
      'a preload',
      withScripts({ test: "npm run lint && NODE_OPTIONS='--require ./fake.js' vitest run" }),
      'runner.wrapped',
    ],
    [
      'another PATH',
      withScripts({ test: 'npm run lint && PATH=./fake:$PATH vitest run' }),
      'runner.replaced',
    ],
    ['a pretest', withScripts({ pretest: 'node scripts/fake.js' }), 'check-script.changed'],
    [
      'a pretest in node_modules',
      withScripts({ pretest: 'cp fake.js node_modules/vitest/index.js' }),
      'runner.wrapped',
    ],
    [
      'another config',
      withScripts({ test: 'npm run lint && vitest run --config other.config.ts' }),
      'scope.narrowed',
    ],
    [
      'the runner from a folder',
      { ...manifest, devDependencies: { ...manifest.devDependencies, vitest: 'file:./fake' } },
      'runner.replaced',
    ],
    ['an override', { ...manifest, overrides: { vitest: 'file:./fake' } }, 'runner.replaced'],
    [
      'a threshold',
      { ...manifest, jest: { ...manifest.jest, coverageThreshold: { global: { lines: 10 } } } },
      'limit.loosened',
    ],
    ['a timeout', { ...manifest, jest: { ...manifest.jest, testTimeout: 60_000 } }, 'limit.loosened'],
    [
      'a mapper',
      { ...manifest, jest: { ...manifest.jest, moduleNameMapper: { '^chai$': '<rootDir>/fake.js' } } },
      'runner.replaced',
    ],
    [
      'ignored tests',
      { ...manifest, jest: { ...manifest.jest, testPathIgnorePatterns: ['test/a.test.ts'] } },
      'scope.narrowed',
    ],
    ['no script', { ...manifest, scripts: { dev: 'vite' } }, 'check-script.changed'],
  ])('finds it: %s', (_, after, rule) => {
    expect(rulesOf([edited('package.json', json(manifest), json(after))])).toContain(rule)
  })

  it.each([
    ['a dependency', { ...manifest, dependencies: { zod: '4' } }],
    ['a version', { ...manifest, version: '2.0.0' }],
    ['a newer runner', { ...manifest, devDependencies: { ...manifest.devDependencies, vitest: '^4.0.0' } }],
    ['another script', withScripts({ dev: 'vite --host', format: 'prettier --write .' })],
    ['a script split', withScripts({ test: 'npm run lint && npm run unit', unit: 'vitest run' })],
    ['a step more', withScripts({ test: 'npm run lint && tsc --noEmit && vitest run' })],
    ['coverage', withScripts({ test: 'npm run lint && vitest run --coverage' })],
    ['a reporter', withScripts({ test: 'npm run lint && vitest run --reporter=verbose' })],
    [
      'a module option',
      withScripts({ test: 'npm run lint && NODE_OPTIONS=--experimental-vm-modules vitest run' }),
    ],
    ['a build before it', withScripts({ pretest: 'npm run build', build: 'tsc' })],
    [
      'a higher threshold',
      { ...manifest, jest: { ...manifest.jest, coverageThreshold: { global: { lines: 90 } } } },
    ],
    ['a shorter timeout', { ...manifest, jest: { ...manifest.jest, testTimeout: 1000 } }],
  ])('finds nothing: %s', (_, after) => {
    expect(rulesOf([edited('package.json', json(manifest), json(after))])).toEqual([])
  })
})

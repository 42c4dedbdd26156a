import { describe, expect, it } from 'vitest'
import { edited, options, rulesOf, version } from '../fixtures/changes.ts'
import { inspectChanges } from '../index.ts'
import {
  data,
  eslint,
  ini,
  json,
  makefile,
  pipeline,
  script,
  snapshot,
  toml,
  tsconfig,
  vitest,
} from '../fixtures/config.ts'

type Row = readonly [path: string, before: string | null, from: string, to: string, rule: string]

describe('given files around the tests that were tampered with', () => {
  const rows: readonly Row[] = [
    ['vitest.config.ts', vitest, "['test/**/*.test.ts']", "['test/a.test.ts']", 'scope.narrowed'],
    ['vitest.config.ts', vitest, "exclude: ['dist']", "exclude: ['dist', 'src/hard.ts']", 'scope.narrowed'],
    ['vitest.config.ts', vitest, 'testTimeout: 5000', 'testTimeout: 90000', 'limit.loosened'],
    ['vitest.config.ts', vitest, 'testTimeout: 5000', 'testTimeout: 5000, retry: 3', 'limit.loosened'],
    ['vitest.config.ts', vitest, 'lines: 80', 'lines: 1', 'limit.loosened'],
    [
      'vitest.config.ts',
      vitest,
      'testTimeout: 5000',
      'testTimeout: 5000, passWithNoTests: true',
      'scope.narrowed',
    ],
    [
      'vitest.config.ts',
      vitest,
      'testTimeout: 5000',
      "testTimeout: 5000, testNamePattern: 'adds'",
      'scope.narrowed',
    ],
    [
      'vitest.config.ts',
      vitest,
      '  test: {',
      "  resolve: { alias: { vitest: './fake.ts' } },\n  test: {",
      'runner.replaced',
    ],
    [
      'vitest.config.ts',
      vitest,
      'testTimeout: 5000',
      'testTimeout: 5000, dangerouslyIgnoreUnhandledErrors: true',
      'scope.narrowed',
    ],
    [
      '.mocharc.json',
      json({ spec: 'test/**/*.js', forbidOnly: true }),
      '"forbidOnly": true',
      '"forbidOnly": false',
      'limit.loosened',
    ],
    ['.mocharc.yml', 'spec: test/**/*.js\ntimeout: 2000\n', 'timeout: 2000', 'timeout: 0', 'limit.loosened'],
    ['pytest.ini', ini, 'addopts = -ra', 'addopts = -ra -k "not add"', 'scope.narrowed'],
    ['pytest.ini', ini, 'addopts = -ra', 'addopts = -ra --deselect tests/test_a.py', 'scope.narrowed'],
    ['pytest.ini', ini, 'addopts = -ra', 'addopts = -ra --ignore=tests/hard', 'scope.narrowed'],
    ['pytest.ini', ini, 'xfail_strict = true', 'xfail_strict = false', 'limit.loosened'],
    ['pyproject.toml', toml, '["tests", "more"]', '["tests"]', 'scope.narrowed'],
    ['pyproject.toml', toml, 'fail_under = 80', 'fail_under = 5', 'limit.loosened'],
    ['pyproject.toml', toml, 'addopts = "-ra"', 'addopts = "-ra -m fast"', 'scope.narrowed'],
    [
      '.coveragerc',
      '[run]\nomit = a.py\n',
      'omit = a.py',
      'omit =\n    a.py\n    src/hard.py',
      'scope.narrowed',
    ],
    [
      'tox.ini',
      '[testenv]\ncommands = pytest\n',
      'commands = pytest',
      'commands = - pytest -k a',
      'scope.narrowed',
    ],
    ['Makefile', makefile, '\tpytest tests', '\t-pytest tests', 'exit-code.masked'],
    ['Makefile', makefile, '\tpytest tests', '\tpytest tests || true', 'exit-code.masked'],
    ['Makefile', makefile, '\tpytest tests', '\t@echo ok', 'check-script.changed'],
    ['Makefile', makefile, '.PHONY: test', '.IGNORE:\n.PHONY: test', 'exit-code.masked'],
    ['Makefile', makefile, 'test: lint', 'test:', 'check-script.changed'],
    ['check.sh', script, 'npm test', 'npm test || true', 'exit-code.masked'],
    ['check.sh', script, 'set -e\n', '', 'exit-code.masked'],
    ['check.sh', script, 'set -e\n', 'set -e\nexit 0\n', 'exit-code.masked'],
    ['check.sh', script, 'npm test\n', '', 'check-script.changed'],
    ['check.sh', script, 'npm test\n', 'echo "all passed"\n', 'check-script.changed'],
    [
      'scripts/check.py',
      'run_tests()\nsys.exit(code)\n',
      'sys.exit(code)',
      'sys.exit(0)',
      'exit-code.masked',
    ],
    ['.github/workflows/ci.yml', pipeline, '      - run: npm test\n', '', 'ci.weakened'],
    [
      '.github/workflows/ci.yml',
      pipeline,
      '      - run: npm test\n',
      '      - run: npm test\n        continue-on-error: true\n',
      'ci.weakened',
    ],
    ['.github/workflows/ci.yml', pipeline, 'npm test', 'npm test || true', 'ci.weakened'],
    ['.github/workflows/ci.yml', pipeline, '    runs-on', '    if: false\n    runs-on', 'ci.weakened'],
    ['.github/workflows/ci.yml', pipeline, '  pull_request:\n', '', 'ci.weakened'],
    [
      '.gitlab-ci.yml',
      'test:\n  script:\n    - npm test\n',
      '    - npm test',
      '    - npm test\n  allow_failure: true',
      'ci.weakened',
    ],
    ['tsconfig.json', tsconfig, '"strict": true', '"strict": false', 'limit.loosened'],
    ['tsconfig.json', tsconfig, /"src",\s*"test"/u.exec(tsconfig)?.[0] ?? '', '"src"', 'scope.narrowed'],
    ['eslint.config.js', eslint, "'no-console': 'error'", "'no-console': 'off'", 'scope.narrowed'],
    ['eslint.config.js', eslint, "'no-console': 'error'", "'no-console': 'warn'", 'limit.loosened'],
    ['eslint.config.js', eslint, "ignores: ['dist']", "ignores: ['dist', 'src/hard.ts']", 'scope.narrowed'],
    ['.eslintignore', 'dist\n', 'dist\n', 'dist\nsrc/\n', 'scope.narrowed'],
    ['.gitignore', 'dist\n', 'dist\n', 'dist\ntest/\n', 'scope.narrowed'],
    ['.npmrc', null, '', 'script-shell=./fake.sh\n', 'runner.wrapped'],
    ['.husky/pre-commit', 'npm test\n', 'npm test\n', '', 'git.hooks-changed'],
    [
      'lefthook.yml',
      'pre-commit:\n  commands:\n    test:\n      run: npm test\n',
      '      run: npm test\n',
      '      run: "true"\n',
      'git.hooks-changed',
    ],
    [
      '.pre-commit-config.yaml',
      'repos:\n  - repo: x\n    rev: v1\n    hooks:\n      - id: ruff\n      - id: mypy\n',
      '      - id: mypy\n',
      '',
      'git.hooks-changed',
    ],
    ['donecheck.config.json', '{"until": ["npm test"]}', 'npm test', 'true', 'config.donecheck-changed'],
    ['test/__snapshots__/a.test.ts.snap', snapshot, '`3`', '`4`', 'snapshot.changed'],
    ['tests/__snapshots__/test_a.ambr', '# name: test_a\n  3\n# ---\n', '  3', '  4', 'snapshot.changed'],
    ['testdata/out.golden', '3\n', '3', '4', 'snapshot.changed'],
    ['test/fixtures/data.json', data, '"a": 1', '"a": 2', 'snapshot.changed'],
    [
      'pom.xml',
      '<project>\n</project>\n',
      '<project>\n',
      '<project>\n<skipTests>true</skipTests>\n',
      'scope.narrowed',
    ],
    [
      'vitest.config.ts',
      null,
      '',
      "export default { test: { include: ['test/easy.test.ts'] } }",
      'scope.narrowed',
    ],
    [
      'vitest.config.ts',
      null,
      '',
      "export default { test: { exclude: ['test/hard.test.ts'] } }",
      'scope.narrowed',
    ],
    ['jest.config.js', null, '', "module.exports = { testNamePattern: 'a' }", 'scope.narrowed'],
    ['playwright.config.ts', 'export default { retries: 0 }', 'retries: 0', 'retries: 5', 'limit.loosened'],
    ['tests/conftest.py', null, '', 'collect_ignore = ["test_a.py"]', 'test.skipped'],
    ['GNUmakefile', null, '', 'test:\n\ttrue\n', 'check-script.changed'],
  ]

  it.each(rows)('finds it in %s', (path, before, from, to, rule) => {
    if (before !== null) expect(before).toContain(from)
    const after = before === null ? to : before.replace(from, to)
    expect(rulesOf([edited(path, before, after)])).toContain(rule)
  })

  it('finds a check that may no longer be executed, and a pipeline that is gone', () => {
    const change = { path: 'check.sh', before: version(script, 0o755), after: version(script, 0o644) }
    expect(rulesOf([change])).toEqual(['permissions.changed'])
    expect(rulesOf([edited('.github/workflows/ci.yml', pipeline, null)])).toEqual(['ci.weakened'])
  })
})

describe('given what a runner loads beside the tests', () => {
  it.each([
    ["setupFiles: ['./warm.ts']", 'setupFiles'],
    ["globalSetup: './start.ts'", 'globalSetup'],
    ["globalTeardown: './end.ts'", 'globalTeardown'],
    ["reporters: ['./count.ts']", 'reporters'],
  ])('notes a new one: %s', (added, key) => {
    const after = vitest.replace('testTimeout: 5000', `testTimeout: 5000, ${added}`)
    const found = inspectChanges([edited('vitest.config.ts', vitest, after)], options)
    expect(found).toMatchObject([{ rule: 'runner.wrapped', atMost: 'note' }])
    expect(found[0]?.message).toContain(key)
  })
})

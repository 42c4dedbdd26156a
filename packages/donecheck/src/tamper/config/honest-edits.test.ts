import { describe, expect, it } from 'vitest'
import { edited, rulesOf } from '../fixtures/changes.ts'
import {
  data,
  eslint,
  ini,
  makefile,
  pipeline,
  script,
  snapshot,
  toml,
  tsconfig,
  vitest,
} from '../fixtures/config.ts'

describe('given honest edits of files around the tests', () => {
  const rows: readonly (readonly [path: string, before: string | null, from: string, to: string])[] = [
    ['vitest.config.ts', vitest, "['test/**/*.test.ts']", "['test/**/*.test.ts', 'src/**/*.test.ts']"],
    ['vitest.config.ts', vitest, "['test/**/*.test.ts']", "['test/**/*.test.{ts,tsx}']"],
    ['vitest.config.ts', vitest, "['test/**/*.test.ts']", "['**/*.test.ts']"],
    ['vitest.config.ts', vitest, 'lines: 80', 'lines: 85, branches: 70'],
    ['vitest.config.ts', vitest, 'testTimeout: 5000', 'testTimeout: 3000'],
    ['vitest.config.ts', vitest, 'testTimeout: 5000', "testTimeout: 5000, setupFiles: ['./test/setup.ts']"],
    ['vitest.config.ts', vitest, 'testTimeout: 5000', "testTimeout: 5000, reporters: ['default', 'junit']"],
    [
      'vitest.config.ts',
      vitest,
      '  test: {',
      "  resolve: { alias: { '@': './src' } },\n  // tests\n  test: {",
    ],
    ['vitest.config.ts', vitest, "exclude: ['dist']", "exclude: ['dist', 'node_modules']"],
    ['pytest.ini', ini, 'testpaths = tests', 'testpaths = tests integration'],
    ['pytest.ini', ini, 'addopts = -ra', 'addopts = -ra -v --durations=5'],
    ['pyproject.toml', toml, 'name = "x"', 'name = "x"\nversion = "2"\ndependencies = ["requests"]'],
    ['pyproject.toml', toml, 'fail_under = 80', 'fail_under = 90'],
    ['Makefile', makefile, 'lint:', 'build:\n\tpython -m build\n\nlint:'],
    ['Makefile', makefile, '\tpytest tests', '\t@pytest tests -v'],
    ['check.sh', script, 'npm run lint', 'echo "lint"\nnpm run lint\nnpm run build'],
    ['check.sh', script, 'set -e', 'set -euo pipefail'],
    ['.github/workflows/ci.yml', pipeline, 'actions/checkout@v4', 'actions/checkout@v5'],
    [
      '.github/workflows/ci.yml',
      pipeline,
      '      - run: npm test\n',
      '      - run: npm test\n      - run: npm run lint\n',
    ],
    [
      '.github/workflows/ci.yml',
      pipeline,
      '      - run: npm test\n',
      '      - name: Test\n        run: npm test\n',
    ],
    [
      '.github/workflows/ci.yml',
      pipeline,
      '      - run: npm test\n',
      '      - run: npm test\n      - uses: codecov/codecov-action@v4\n        continue-on-error: true\n',
    ],
    [
      '.github/workflows/ci.yml',
      pipeline,
      '  test:\n',
      '  docs:\n    runs-on: ubuntu-latest\n    steps:\n      - run: npm run docs\n  test:\n',
    ],
    ['tsconfig.json', tsconfig, '"strict": true', '"strict": true,\n "noImplicitReturns": true'],
    ['tsconfig.json', tsconfig, '"src"', '"src",\n "tools"'],
    ['tsconfig.json', tsconfig, '"strict": true', '"strict": true,\n "skipLibCheck": true'],
    ['eslint.config.js', eslint, "'no-console': 'error'", "'no-console': 'error', eqeqeq: 'error'"],
    ['.gitignore', 'dist\n', 'dist\n', 'dist\n*.log\n.env\ntest-results/\n'],
    ['.npmrc', null, '', 'engine-strict=true\n'],
    ['.env', null, '', 'CI=true\n'],
    ['.husky/pre-commit', 'npm test\n', 'npm test\n', 'npm run lint\nnpm test\n'],
    ['.pre-commit-config.yaml', 'repos:\n  - repo: x\n    rev: v1\n', 'rev: v1', 'rev: v2'],
    [
      'test/__snapshots__/a.test.ts.snap',
      snapshot,
      'exports[`b 1`]',
      'exports[`aa 1`] = `9`;\n\nexports[`b 1`]',
    ],
    ['test/fixtures/data.json', data, '"b": 2', '"b": 2,\n  "c": 3'],
    ['package-lock.json', '{}', '{}', '{"a": 1}'],
    ['go.mod', 'module x\n', 'module x\n', 'module x\n\nrequire example.org/y v1.0.0\n'],
    ['pom.xml', '<project>\n</project>\n', '<project>\n', '<project>\n<dependency>x</dependency>\n'],
    ['vitest.config.ts', null, '', "export default { test: { include: ['test/**/*.test.ts'] } }"],
    ['scripts/new.sh', null, '', '#!/bin/sh\necho\n'],
  ]

  it.each(rows)('finds nothing in %s', (path, before, from, to) => {
    if (before !== null) expect(before).toContain(from)
    const after = before === null ? to : before.replace(from, to)
    expect(rulesOf([edited(path, before, after)])).toEqual([])
  })

  it.each([...new Set(rows)])('finds nothing in line ends and blank lines of %s', (path, before) => {
    if (before === null || path.endsWith('json')) return
    expect(rulesOf([edited(path, before, before.replaceAll('\n', '\r\n'))])).toEqual([])
    expect(rulesOf([edited(path, before, `${before}\n\n`)])).toEqual([])
  })
})

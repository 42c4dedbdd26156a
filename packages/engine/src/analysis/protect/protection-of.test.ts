import { describe, expect, it } from 'vitest'
import { protectionOf, type ProtectOptions } from './known-paths.ts'
import { packageScriptsNamedIn, scriptsNamedIn } from './started-files.ts'

const options: ProtectOptions = { protect: [], mayChange: [], checkCommands: ['npm test', './check.sh'] }

describe('given a path', () => {
  it.each([
    ['src/calc.ts', undefined],
    ['src/contest.ts', undefined],
    ['src/latest/index.ts', undefined],
    ['src/calc.test.ts', 'test'],
    ['src/__tests__/calc.js', 'test'],
    ['tests/test_calc.py', 'test'],
    ['calc_test.go', 'test'],
    ['spec/calc_spec.rb', 'test'],
    ['src/test/java/x/CalcTest.java', 'test'],
    ['tests/CalcTest.php', 'test'],
    ['tests/calc.rs', 'test'],
    ['src/__mocks__/fs.ts', 'test-helper'],
    ['test/__snapshots__/a.snap', 'snapshot'],
    ['pkg/testdata/out.golden', 'snapshot'],
    ['test/fixtures/a.json', 'fixture'],
    ['vitest.config.ts', 'test-config'],
    ['jest.setup.ts', 'test-config'],
    ['conftest.py', 'test-config'],
    ['sitecustomize.py', 'test-config'],
    ['.mocharc.yml', 'test-config'],
    ['.npmrc', 'test-config'],
    ['package.json', 'manifest'],
    ['go.work', 'manifest'],
    ['eslint.config.js', 'lint-config'],
    ['tsconfig.build.json', 'type-config'],
    ['.github/workflows/ci.yml', 'ci'],
    ['Jenkinsfile', 'ci'],
    ['.gitignore', 'ignore'],
    ['package-lock.json', 'lock'],
    ['donecheck.config.ts', 'donecheck-config'],
    ['.husky/pre-commit', 'git-hook'],
    ['Makefile', 'check-script'],
    ['.justfile', 'check-script'],
    ['taskfile.yml', 'check-script'],
    ['src/tasks/file.yml', undefined],
    ['pylintrc', 'lint-config'],
    ['.yamllint', 'lint-config'],
    ['src/pylintrc.py', undefined],
    ['tox.toml', 'manifest'],
    ['.rspec-local', 'test-config'],
    ['check.sh', 'check-script'],
  ])('%s is %s', (path, protection) => {
    expect(protectionOf(path, options)).toBe(protection)
  })

  it('is protected where a check names it', () => {
    const given = {
      ...options,
      checkCommands: ['bash tools/run-all.sh --fast', 'python ./bin/go.py && make x -f build.mk'],
    }
    expect(protectionOf('tools/run-all.sh', given)).toBe('check-script')
    expect(protectionOf('bin/go.py', given)).toBe('check-script')
    expect(protectionOf('tools/other.sh', given)).toBeUndefined()
  })

  it('is protected or free as the user says', () => {
    expect(protectionOf('docs/spec.md', { ...options, protect: ['docs/**'] })).toBe('extra')
    expect(protectionOf('src/a.test.ts', { ...options, mayChange: ['src/'] })).toBeUndefined()
  })
})

describe('given a command line', () => {
  it.each([
    'bash -lc "npm test"',
    'python3 -m pytest tests',
    'grep -q right answer.txt',
    '/usr/bin/test -f out.txt',
    '. .venv/bin/activate && pytest',
    'node_modules/.bin/vitest run',
  ])('names none in `%s`', (line) => {
    expect([...scriptsNamedIn([line])]).toEqual([])
  })

  it('names scripts by path and by package', () => {
    expect([...scriptsNamedIn(['sh ./a/b.sh', 'make test'])]).toEqual([
      'a/b.sh',
      'GNUmakefile',
      'makefile',
      'Makefile',
    ])
    expect([
      ...scriptsNamedIn(['cd a && sh -e b.txt', 'env X=1 timeout 9 bash -o pipefail <./c/../d']),
    ]).toEqual(['b.txt', 'a/b.txt', 'd'])
    expect([...scriptsNamedIn(['sh ../x', 'python3.12 /srv/judge', 'source ~/y', '. $PWD/z'])]).toEqual([
      '../x',
      '/srv/judge',
      '~/y',
      'z',
    ])
    expect(packageScriptsNamedIn('npm t && pnpm run unit; yarn lint && npm run -s types')).toEqual([
      'test',
      'unit',
      'lint',
      'types',
    ])
  })
})

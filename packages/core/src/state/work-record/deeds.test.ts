import { describe, expect, it } from 'vitest'
import { commandLineOf, deedsOf, deedsOfLine } from './deeds.ts'

const kinds = (line: string) => deedsOfLine(line).map(({ kind }) => kind)

describe('given command lines', () => {
  it.each([
    'npm test',
    'npm run test:unit',
    'npx vitest run a',
    'node --test',
    'cd x && CI=1 timeout 60 yarn test',
    'pytest -q tests',
    'python3 -m pytest',
    'poetry run pytest',
    'python tests/runtests.py admin',
    './manage.py test',
    'bin/test sympy/core',
    'go test ./...',
    'cargo test',
    './gradlew test',
    'mvn -q test',
    'make check',
    'bundle exec rspec',
    'coverage run -m pytest',
  ])('%s runs tests', (line) => {
    expect(kinds(line)).toEqual(['tests'])
  })

  it.each([
    'grep -rn test .',
    'cat tests/test_a.py | head',
    'git diff > /tmp/p.patch',
    'git add -A && git commit -m test',
    'sed -n 1,5p a',
    'ls; pwd',
    'pytest --version',
    'find . -name test',
    'echo npm test',
    'go version',
    'mkdir -p a',
    'git status 2>/dev/null',
  ])('%s changes and runs nothing', (line) => {
    expect(kinds(line).filter((kind) => kind !== 'command')).toEqual([])
  })

  it.each([
    [`sed -i 's/a/b/' a.py`, 'a.py'],
    ['echo x >> a.txt', 'a.txt'],
    ['cp a b', 'b'],
    ['git apply p.patch', null],
    ['npx prettier --write a.ts', 'a.ts'],
    ['cat > a.py <<E\n1\nE', 'a.py'],
  ])('%s writes %s', (line, path) => {
    expect(deedsOfLine(line)).toEqual([expect.objectContaining({ kind: 'write', path })])
  })

  it('a program is a file, or the text that is brought along', () => {
    expect(deedsOfLine('python3 repro.py')).toEqual([{ kind: 'program', path: 'repro.py', writes: false }])
    expect(deedsOfLine(`node -e 'f()'`)).toEqual([{ kind: 'program', path: null, writes: false }])
    expect(deedsOfLine(`python - <<E\nopen('a', 'w').write(x)\nE`)).toEqual([
      { kind: 'program', path: null, writes: true },
    ])
  })

  it('an empty program is none', () => {
    expect(kinds(`python -c ''`)).toEqual([])
    expect(deedsOf('python', { code: '# nothing\n\n' }, undefined)).toEqual([])
  })

  it('what is not known is another command', () => {
    expect(kinds('make build')).toEqual(['command'])
    expect(kinds('python setup.py build_ext')).toEqual(['program'])
  })

  it('the exit code is that of the tests where nothing else decides it', () => {
    const exit = (line: string) => deedsOfLine(line).map((deed) => deed.kind === 'tests' && deed.exitIsIts)
    expect(exit('cd x && npm test')).toEqual([true])
    expect(exit('npm test | tail -5')[0]).toBe(false)
    expect(exit('npm test || true')[0]).toBe(false)
    expect(exit('npm test; echo done')[0]).toBe(false)
  })

  it('names files and modules of a run, without what it picks inside of them', () => {
    const files = (line: string) =>
      deedsOfLine(line).flatMap((deed) => (deed.kind === 'tests' ? deed.files : []))
    expect(files('pytest -x tests/test_a.py::test_b')).toEqual(['tests/test_a.py'])
    expect(files('python -m unittest a.test_b')).toEqual(['a.test_b'])
    expect(files('./tests/runtests.py queries --parallel=1')).toEqual(['queries'])
    expect(files('npm test')).toEqual([])
  })
})

describe('given tools of agents', () => {
  it('tells what edits by its effect or its name', () => {
    expect(deedsOf('Write', { file_path: 'a.py', content: '1' }, 'execute')).toEqual([
      { kind: 'write', path: 'a.py', text: '1' },
    ])
    expect(deedsOf('str_replace_editor', { command: 'view', path: 'a' }, undefined)).toEqual([])
    expect(deedsOf('change', { path: 'a' }, 'write')).toEqual([{ kind: 'write', path: 'a' }])
    expect(deedsOf('create_order', { id: 1 }, undefined)).toEqual([{ kind: 'command' }])
  })

  it('reads a command line wherever an agent puts it', () => {
    expect(commandLineOf({ cmd: ['bash', '-lc', 'npm test'] })).toBe('npm test')
    expect(deedsOf('Bash', { command: 'npm test' }, 'execute')).toEqual([
      { kind: 'tests', runner: null, files: [], exitIsIts: true },
    ])
    expect(deedsOf('read_file', { path: 'a' }, 'read')).toEqual([])
  })
})

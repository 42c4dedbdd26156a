import { tmpdir } from 'node:os'
import { describe, expect, it } from 'vitest'
import { findRunner } from './find-runner.ts'

const wordIn = (line: string) => findRunner(line, tmpdir())?.runsNothing

describe('given a line that runs no test', () => {
  it.each([
    ['rspec --dry-run', '--dry-run'],
    ['prove --dry t', '--dry'],
    ['prove -D t', '-D'],
    ['phpunit --list-tests tests', '--list-tests'],
    ['pytest --collect-only -q', '--collect-only'],
    ['python3 -m pytest --co', '--co'],
    ['npx jest --listTests', '--listTests'],
    ['vitest list', 'list'],
    ['mocha --dry-run', '--dry-run'],
    ['playwright test --list', '--list'],
    ['go test -list . ./...', '-list'],
    ['go test -c ./a', '-c'],
    ['ctest -N', '-N'],
    ['ctest --test-dir build --show-only=json-v1', '--show-only=json-v1'],
    ['cargo test --no-run', '--no-run'],
    ['cargo test -- --list', '--list'],
    ['mix test --dry-run', '--dry-run'],
    ['deno test --no-run', '--no-run'],
    ['dotnet test --list-tests', '--list-tests'],
    ['meson test -C build --list', '--list'],
    ['gradle test --dry-run', '--dry-run'],
    ['mvn verify -DskipTests', '-DskipTests'],
    ['tox --notest', '--notest'],
    ['jest --version', '--version'],
  ])('names the word: %s', (line, word) => {
    expect(wordIn(line)).toBe(word)
  })
})

describe('given a line that runs tests', () => {
  it.each([
    'make test',
    'make -C build -j4 --no-print-directory test',
    'pytest -v',
    'ctest -V --test-dir build',
    'go test -v -n=3 ./...',
    'go test ./... -args -list',
    'prove -v t',
    'rake test',
    'meson test -C build',
    'pytest --version && pytest',
    'cargo --version',
  ])('finds no such word: %s', (line) => {
    expect(wordIn(line)).toBeUndefined()
  })
})

describe('given a line of several commands', () => {
  const found = (line: string) => {
    const runner = findRunner(line, tmpdir())
    return runner && [runner.runner, line.slice(0, runner.insertAt)]
  }

  it.each([
    ['vitest run && eslint .', ['vitest', 'vitest run']],
    ['tsc && pytest -q && echo done', ['pytest', 'tsc && pytest -q']],
    ['cd a && go test ./... && go vet ./...', ['go', 'cd a && go test ./...']],
  ])('finds the last one that runs tests: %s', (line, expected) => {
    expect(found(line)).toEqual(expected)
  })

  it.each(['pytest; ruff .', 'pytest || true', 'pytest | tee log'])(
    'finds none where the line does not end with its failure: %s',
    (line) => {
      expect(found(line)).toBeUndefined()
    },
  )
})

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { scriptCallOf } from '../index.ts'

const call = (line: string) => scriptCallOf(line.split(' '))
const scripts = (line: string) => call(line)?.scripts.join(' ')

describe('given the spellings of a package script', () => {
  it.each([
    // npm has few commands that are scripts: everything else needs `run`.
    ['npm test', 'test'],
    ['npm t', 'test'],
    ['npm run test:unit', 'test:unit'],
    ['npm run-script lint', 'lint'],
    ['npm --silent run lint', 'lint'],
    ['npm run --if-present lint -- --fix', 'lint'],
    ['npm start', 'start'],
    ['npm build', undefined],
    ['npm lint', undefined],
    ['npm exec test', undefined],
    ['npm', undefined],
    ['/usr/bin/npm test', 'test'],
    ['npm.cmd test', 'test'],
    // Both kinds of Yarn take any word that is no command of theirs.
    ['yarn test', 'test'],
    ['yarn test:unit', 'test:unit'],
    ['yarn run build', 'build'],
    ['yarn install', undefined],
    ['yarn dlx vitest', undefined],
    ['yarn run --binaries-only vitest', undefined],
    ['pnpm test', 'test'],
    ['pnpm run -s lint', 'lint'],
    ['pnpm --reporter append-only lint', 'lint'],
    ['bun run test', 'test'],
    ['bun lint', 'lint'],
    ['bun test', undefined],
    ['bun x vitest', undefined],
    ['node --run test', 'test'],
    ['node --test', undefined],
    ['deno task test', 'test'],
    ['deno test', undefined],
    ['corepack pnpm@9 test', 'test'],
    ['run-s lint test:*', 'lint test:*'],
    ['npm-run-all --parallel --max-parallel 2 lint test', 'lint test'],
    ['make test', undefined],
    ['', undefined],
  ])('reads `%s` as %j', (line, expected) => expect(scripts(line)).toBe(expected))

  it.each([
    ['npm --prefix web test', 'web'],
    ['pnpm -C web test', 'web'],
    ['yarn --cwd web test', 'web'],
    ['deno task --cwd web test', 'web'],
    ['pnpm test -C web', undefined],
    ['npm test -- --prefix web', undefined],
  ])('finds the folder that `%s` names: %j', (line, folder) => {
    expect(call(line)).toMatchObject({ scripts: ['test'], folder, isElsewhere: false })
  })

  it.each([
    'npm test --workspaces',
    'npm -w api test',
    'pnpm -r test',
    'pnpm -w test',
    'yarn workspace api test',
    'yarn workspaces foreach -A run test',
    'yarn run -T test',
    'bun --filter api test:unit',
  ])('knows the package of `%s` to be another one', (line) => {
    expect(call(line)?.isElsewhere).toBe(true)
    expect(scripts(line)).toMatch(/^test/u)
  })

  it('knows how further words reach the script', () => {
    const separators = ['npm test', 'npm test -- -u', 'node --run test', 'pnpm test', 'npm it', 'run-s test']
    expect(separators.map((line) => call(line)?.separator)).toEqual([
      ['--'],
      [],
      ['--'],
      [],
      undefined,
      undefined,
    ])
  })

  it('knows which run an installed program where there is no such script', () => {
    expect(call('yarn jest -i')?.program).toEqual(['jest', '-i'])
    expect(call('pnpm -s vitest run')?.program).toEqual(['vitest', 'run'])
    expect(call('npm run jest')?.program).toEqual([])
  })

  it('names nothing but words of the line', () => {
    const word = fc.oneof(
      fc.constantFrom('npm', 'yarn', 'pnpm', 'bun', 'run', 'test', '-C', '--', 'workspace', 'a:b', '--run'),
      fc.string({ maxLength: 6 }),
    )
    fc.assert(
      fc.property(fc.array(word, { maxLength: 6 }), (words) => {
        const found = scriptCallOf(words)?.scripts.filter((name) => name !== 'test') ?? []
        expect(found.every((name) => words.some((written) => written.includes(name)))).toBe(true)
      }),
    )
  })
})

import { describe, expect, it } from 'vitest'
import { detectChecks } from './detect-checks.ts'
import { projectFolder, type Files } from './fixtures/project-folder.ts'

const project = projectFolder()
const { given, commandsOf } = project

const manifest = (scripts: Files, rest: object = {}) => JSON.stringify({ scripts, ...rest })
const npmPlaceholder = 'echo "Error: no test specified" && exit 1'

describe('given package.json', () => {
  const all = manifest({ test: 'vitest run', lint: 'eslint .', 'type-check': 'tsc', build: 'vite build' })

  it.each<[string, string | undefined, string, string]>([
    ['npm', 'package-lock.json', 'npm test', 'npm run'],
    ['npm without a lock file', undefined, 'npm test', 'npm run'],
    ['pnpm', 'pnpm-lock.yaml', 'pnpm test', 'pnpm run'],
    ['yarn', 'yarn.lock', 'yarn test', 'yarn run'],
    ['bun', 'bun.lock', 'bun run test', 'bun run'],
  ])('runs its scripts with %s', async (_, lock, tests, run) => {
    const files = { 'package.json': all, ...(lock === undefined ? {} : { [lock]: '{}' }) }
    const others = { lint: `${run} lint`, typecheck: `${run} type-check`, build: `${run} build` }
    expect(await commandsOf(files)).toEqual({ tests, ...others })
  })

  it('believes the field packageManager before a lock file, and says so', async () => {
    await given({
      'package.json': manifest({ test: 'x' }, { packageManager: 'pnpm@10.1.0' }),
      'yarn.lock': '',
    })
    expect((await detectChecks(project.path(), () => true)).tests).toEqual({
      kind: 'found',
      command: 'pnpm test',
      why: 'package.json has the script "test" (packageManager says pnpm)',
    })
  })

  it('finds the lock file of the workspace that it is part of', async () => {
    await given({ 'pnpm-lock.yaml': '', 'packages/a/package.json': manifest({ test: 'x' }) })
    expect((await detectChecks(project.path('packages/a'), () => true)).tests).toMatchObject({
      command: 'pnpm test',
    })
  })

  it.each<[string, Files, Files]>([
    ['the placeholder of npm', { test: npmPlaceholder }, {}],
    ['an empty script', { test: ' ' }, {}],
    [
      'other names',
      { tests: 'x', typecheck: 'x', 'test:e2e': 'x' },
      { tests: 'npm run tests', typecheck: 'npm run typecheck' },
    ],
    ['check as a type checker', { check: 'svelte-check' }, { typecheck: 'npm run check' }],
    ['check as a linter', { check: 'biome check .' }, { lint: 'npm run check' }],
    ['check as tests', { check: 'node check.js' }, { tests: 'npm run check' }],
    ['check beside test', { check: 'node check.js', test: 'x' }, { tests: 'npm test' }],
    [
      'check-types',
      { 'check-types': 'x', lint: 'x' },
      { typecheck: 'npm run check-types', lint: 'npm run lint' },
    ],
  ])('understands %s', async (_, scripts, commands) => {
    expect(await commandsOf({ 'package.json': manifest(scripts) })).toEqual(commands)
  })

  it.each<[string, Files, Files]>([
    ['vitest', { 'vitest.config.ts': '' }, { tests: 'npx --no-install vitest run' }],
    ['jest', { 'jest.config.js': '' }, { tests: 'npx --no-install jest' }],
    ['mocha', { '.mocharc.json': '{}' }, { tests: 'npx --no-install mocha' }],
    ['eslint', { 'eslint.config.js': '' }, { lint: 'npx --no-install eslint .' }],
    ['biome', { 'biome.json': '{}' }, { lint: 'npx --no-install biome lint .' }],
    [
      'TypeScript',
      { 'tsconfig.json': '{}' },
      { typecheck: 'npx --no-install tsc --noEmit -p tsconfig.json' },
    ],
    [
      'TypeScript with references',
      { 'tsconfig.json': '{ "references": [] }' },
      { typecheck: 'npx --no-install tsc --build' },
    ],
    ['pnpm and vitest', { 'vitest.config.ts': '', 'pnpm-lock.yaml': '' }, { tests: 'pnpm exec vitest run' }],
    ['node:test', { 'test/sum.test.js': "import test from 'node:test'" }, { tests: 'node --test' }],
  ])('takes the tool where there is no script: %s', async (_, files, commands) => {
    expect(await commandsOf({ 'package.json': manifest({ test: npmPlaceholder }), ...files })).toEqual(
      commands,
    )
  })

  it('takes the tool that it depends on', async () => {
    const text = JSON.stringify({
      devDependencies: { vitest: '5', eslint: '10' },
      dependencies: { 'vue-tsc': '1' },
    })
    expect(await commandsOf({ 'package.json': text })).toEqual({
      tests: 'npx --no-install vitest run',
      lint: 'npx --no-install eslint .',
      typecheck: 'npx --no-install vue-tsc --noEmit',
    })
  })

  it.each(['{ "scripts": ', '[]', 'null', '{ "scripts": 3 }'])(
    'says that it cannot be read: %s',
    async (text) => {
      await given({ 'package.json': text })
      const { tests, problems } = await detectChecks(project.path(), () => true)
      expect(tests.kind).toBe('not-found')
      expect(problems).toEqual([expect.stringMatching(/^package\.json cannot be read/)])
    },
  )
})

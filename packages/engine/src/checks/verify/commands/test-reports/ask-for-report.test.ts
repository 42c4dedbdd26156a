import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { askForReport, type ReportingLine } from './ask-for-report.ts'
import { findRunner } from './find-runner.ts'
import { eachInFolder } from '../../texts/fixtures/temporary-folder.ts'

let folder = ''

eachInFolder((made) => {
  folder = made
})

async function withScripts(scripts: Record<string, string>, place = '.'): Promise<void> {
  await mkdir(join(folder, place), { recursive: true })
  await writeFile(join(folder, place, 'package.json'), JSON.stringify({ scripts }))
}

/** The line as it is run, with REPORT for the path, and the variables that are added. */
async function ask(line: string, environment: Record<string, string> = {}) {
  const asked = await askForReport(line, folder, environment)
  await asked.dispose()
  const path = asked.place.kind === 'file' ? asked.place.path : 'no path'
  const show = (text: string) =>
    text.replaceAll(path, 'REPORT').replaceAll(path.replace(/json$/, 'cjs'), 'REPORTER')
  const variables = Object.entries(asked.variables).map(([name, value]) => `${name}=${show(value)}`)
  return { line: show(asked.line), variables, kind: asked.place.kind, runner: asked.runner?.runner }
}

const vitestWords = '--reporter=default --reporter=json --outputFile.json=REPORT'
const jestWords = '--json --outputFile=REPORT --testLocationInResults'

describe('given a line that starts a runner itself', () => {
  it.each([
    ['vitest run', `vitest run ${vitestWords}`],
    ['./node_modules/.bin/vitest run src', `./node_modules/.bin/vitest run src ${vitestWords}`],
    ['npx --no-install jest', `npx --no-install jest ${jestWords}`],
    ['CI=1 cross-env A=b npx jest -i', `CI=1 cross-env A=b npx jest -i ${jestWords}`],
    ['c8 --all vitest run', `c8 --all vitest run ${vitestWords}`],
    ['timeout 60 pnpm exec vitest run', `timeout 60 pnpm exec vitest run ${vitestWords}`],
    ['yarn jest', `yarn jest ${jestWords}`],
    ['node node_modules/jest/bin/jest.js', `node node_modules/jest/bin/jest.js ${jestWords}`],
    ['mocha --exit', 'mocha --exit --reporter REPORTER'],
    ['mocha --reporter spec test', 'mocha --reporter spec test --reporter REPORTER'],
    ['mocha -R dot', 'mocha -R dot --reporter REPORTER'],
    ['vitest run --reporter=verbose', `vitest run --reporter=verbose ${vitestWords}`],
    ['phpunit', 'phpunit --log-junit REPORT'],
    ['bundle exec rspec spec', 'bundle exec rspec spec --format progress --format json --out REPORT'],
    ['cd web && vitest run > log.txt 2>&1', `cd web && vitest run ${vitestWords} > log.txt 2>&1`],
    ['tsc --noEmit && vitest run # all', `tsc --noEmit && vitest run ${vitestWords} # all`],
  ])('adds words behind its own: %s', async (line, asked) => {
    expect(await ask(line)).toMatchObject({ line: asked, variables: [], kind: 'file' })
  })

  it.each(['pytest -q', 'python -m pytest', '.venv/bin/pytest', 'uv run pytest tests', 'poetry run py.test'])(
    'adds words to %s, and leaves its variable alone, which its own children would inherit',
    async (line) => {
      expect(await ask(line, { PYTEST_ADDOPTS: '-x' })).toEqual({
        line: `${line} --junitxml=REPORT -o junit_family=xunit1`,
        variables: [],
        kind: 'file',
        runner: 'pytest',
      })
    },
  )

  it('sets a variable for node --test, and keeps what it prints', async () => {
    const { line, variables, kind } = await ask('node --test --import ./x.js', {
      NODE_OPTIONS: '--no-warnings',
    })
    expect({ line, kind }).toEqual({ line: 'node --test --import ./x.js', kind: 'reports' })
    expect(variables.join().replace(/\/\S+\.mjs/, 'REPORTER')).toBe(
      'NODE_OPTIONS=--no-warnings --test-reporter=spec --test-reporter-destination=stdout --test-reporter=REPORTER --test-reporter-destination=stderr',
    )
  })

  it('names donecheck nowhere', async () => {
    for (const line of ['node --test', 'mocha', 'pytest', 'rspec', 'phpunit', 'vitest run', 'jest']) {
      const asked = await askForReport(line, folder, {})
      await asked.dispose()
      expect(JSON.stringify([asked.line, asked.variables, asked.place])).not.toMatch(/donecheck/i)
    }
  })

  it('has go print its events', async () => {
    expect(await ask('go test ./...')).toMatchObject({ line: 'go test ./... -json', kind: 'printed' })
  })
})

describe('given a script of package.json', () => {
  it.each([
    ['npm test', 'vitest run', `npm test -- ${vitestWords}`],
    ['npm run test', 'vitest run', `npm run test -- ${vitestWords}`],
    ['npm run -s test -- src', 'vitest run', `npm run -s test -- src ${vitestWords}`],
    ['pnpm test', 'vitest run', `pnpm test ${vitestWords}`],
    ['yarn run test', 'jest', `yarn run test ${jestWords}`],
    ['bun run test', 'jest', `bun run test ${jestWords}`],
    ['npm run lint && npm t', 'jest', `npm run lint && npm t -- ${jestWords}`],
    ['node --run test', 'vitest run', `node --run test -- ${vitestWords}`],
    ['npm --prefix . test', 'vitest run', `npm --prefix . test -- ${vitestWords}`],
  ])('hands the words through: %s to %s', async (line, script, asked) => {
    await withScripts({ test: script, lint: 'eslint .' })
    expect(await ask(line)).toMatchObject({ line: asked, kind: 'file' })
  })

  it('hands them through a script that runs a script', async () => {
    await withScripts({ test: 'npm run test:unit', 'test:unit': 'vitest run' })
    expect((await ask('npm test')).line).toBe(`npm test -- -- ${vitestWords}`)
  })

  it('looks into the folder that is entered', async () => {
    await withScripts({ test: 'vitest run' }, 'web')
    expect((await ask('cd web && npm test')).line).toBe(`cd web && npm test -- ${vitestWords}`)
  })

  it('knows when the exit code is not the runner’s alone', async () => {
    await withScripts({ test: 'vitest run', both: 'eslint . && vitest run', pretest: 'tsc' })
    expect(findRunner('npm test', folder)?.isAlone).toBe(false)
    expect(findRunner('npm run both', folder)?.isAlone).toBe(false)
    expect(findRunner('vitest run', folder)?.isAlone).toBe(true)
  })
})

describe('given a line that cannot be asked without changing what it runs', () => {
  it.each([
    ['it reports in its own way', 'vitest run --reporter=junit --outputFile=a.xml', 'vitest'],
    ['its output is JSON already', 'jest --json', 'jest'],
    ['it has its own reporter', 'mocha -R xunit', 'mocha'],
    ['it has its own reporter', 'node --test --test-reporter=tap', 'node-test'],
    ['it has its own report', 'pytest --junitxml=a.xml', 'pytest'],
    ['the rest of its words is not for it', 'go test ./... -args -json', 'go'],
    ['it sets the variable itself', 'NODE_OPTIONS=--no-warnings node --test', 'node-test'],
    ['it sets the variable itself', 'env PYTEST_ADDOPTS=-q pytest', 'pytest'],
    ['it runs two runners', 'vitest run a && vitest run b', 'vitest'],
    ['its runner cannot be asked', 'cargo test', 'cargo'],
    ['its runner cannot be asked', 'bun test', 'bun'],
    ['its output goes into a file', 'go test ./... > log.txt', 'go'],
    ['it has a formatter of its own', 'rspec -f html', 'rspec'],
    ['it runs two runners', 'pytest && pytest --version', 'pytest'],
  ])('leaves it as it is, and knows the runner: %s, %s', async (_, line, runner) => {
    expect(await ask(line)).toMatchObject({ line, variables: [], kind: 'none', runner })
  })

  it('leaves a script alone that goes on behind its runner', async () => {
    await withScripts({ test: 'vitest run > log.txt' })
    expect(await ask('npm test')).toMatchObject({ line: 'npm test', kind: 'none', runner: 'vitest' })
  })

  it.each([
    'make check',
    'npm run gone',
    'npm test --workspaces',
    'pnpm -r test',
    'vitest run | tail',
    'vitest run &',
    'go vet ./...',
    '$RUNNER run',
    'vitest run "',
    'echo vitest run',
  ])('knows no runner: %s', async (line) => {
    await withScripts({ test: 'vitest run' })
    expect(await ask(line)).toEqual({ line, variables: [], kind: 'none', runner: undefined })
  })

  it('ends where scripts call each other for ever', async () => {
    await withScripts({ test: 'npm run again', again: 'npm test' })
    expect((await ask('npm test')).runner).toBeUndefined()
  })

  it('looks for the reports that Maven and Gradle write anyway', async () => {
    expect(await ask('./mvnw -q test')).toMatchObject({ kind: 'folders', runner: 'surefire' })
    expect(await ask('./gradlew check')).toMatchObject({ kind: 'folders', runner: 'gradle' })
  })
})

describe('given the place of a report', () => {
  const pathOf = ({ place }: ReportingLine) => (place.kind === 'file' ? place.path : '')

  it('is a new one every time, outside of the work folder, and goes away', async () => {
    const first = await askForReport('mocha', folder, {})
    const second = await askForReport('mocha', folder, {})
    expect(pathOf(first)).not.toBe(pathOf(second))
    expect(pathOf(first).startsWith(folder)).toBe(false)
    expect(existsSync(dirname(pathOf(first)))).toBe(true)
    expect(existsSync(pathOf(first))).toBe(false)
    await Promise.all([first.dispose(), second.dispose()])
    expect(existsSync(dirname(pathOf(first)))).toBe(false)
  })
})

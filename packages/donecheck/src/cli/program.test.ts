import { Command } from 'commander'
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import type { CliIo } from './process/io.ts'
import { runProgram, type PerformTyped } from './program.ts'
import { helpPages } from './help/index.ts'
import { configFromFlags, type RunFlags } from './options/flags.ts'

function io(environment: CliIo['environment'] = {}) {
  const stream = () => new PassThrough() as unknown as NodeJS.WriteStream
  const stdout = stream()
  const stderr = stream()
  const stdin = new PassThrough() as unknown as NodeJS.ReadStream
  const world: CliIo = { stdin, stdout, stderr, environment, currentFolder: '/tmp', homeFolder: '/tmp' }
  const written = async () => {
    stdout.end()
    stderr.end()
    return { out: await text(stdout), err: await text(stderr) }
  }
  return { world, written }
}

function nameOf(command: unknown): string {
  if (!(command instanceof Command)) throw new TypeError('no command was typed')
  const { parent } = command
  return parent?.parent == null ? command.name() : `${nameOf(parent)} ${command.name()}`
}

async function typed(...words: string[]) {
  const calls: unknown[][] = []
  const note: PerformTyped = async (_load, given) => {
    calls.push([nameOf(given.at(-1)), ...given.slice(0, -1)])
    return 0
  }
  const { world, written } = io()
  const exitCode = await runProgram(words, world, note)
  return { calls, exitCode, ...(await written()) }
}

describe('given what other agents call a flag', () => {
  it('takes iterations for turns', async () => {
    const { calls, exitCode } = await typed('run', 'Work.', '--until', 'true', '--max-iterations', '3')
    expect(exitCode).toBe(0)
    expect(JSON.stringify(calls)).toContain('"maxTurns":3')
  })
})

describe('given words', () => {
  it('then a task is its words, and flags are its flags', async () => {
    const { calls } = await typed('run', '--until', 'a b', '--until', 'c', '--max-tokens', '5', 'fix', 'it')
    expect(calls[0]?.slice(0, 2)).toEqual(['run', ['fix', 'it']])
    expect(configFromFlags(calls[0]?.[2] as RunFlags)).toEqual({ until: ['a b', 'c'], maxTokens: 5 })
  })

  it('then none switches a cap off, and the summary can be switched off', async () => {
    const { calls } = await typed('run', '--max-seconds', 'off', '--final-summary', 'off', 'x')
    expect(configFromFlags(calls[0]?.[2] as RunFlags)).toEqual({ maxSeconds: 'off', finalSummary: 'off' })
  })

  it('then --json is the one way to ask for the result as JSON', async () => {
    for (const words of [['run', 'x'], ['resume', 'last'], ['approve', 'last'], ['heartbeat'], ['verify']]) {
      const { calls } = await typed(...words, '--json')
      expect(calls[0]).toContainEqual({ json: true })
    }
    const { out } = await typed('run', '--json', '--untill', 'x')
    expect(JSON.parse(out)).toMatchObject({ type: 'result', exitCode: 2 })
  })

  it('then flags alone are those of a session', async () => {
    const { calls } = await typed('--agent', 'claude', '--plain')
    expect(calls).toEqual([['session', { agent: 'claude', plain: true }]])
  })

  it('then a judge is measured, and a run labelled', async () => {
    const { calls } = await typed(
      'judge',
      'calibrate',
      '--judge',
      'openai/x',
      '--labels',
      'a',
      '--labels',
      'b',
    )
    expect(calls).toEqual([['judge calibrate', { judge: ['openai/x'], labels: ['a', 'b'] }]])
    expect((await typed('judge', 'label', 'last', 'fail', 'incomplete', '--why', 'no tests')).calls).toEqual([
      ['judge label', 'last', 'fail', 'incomplete', { why: 'no tests' }],
    ])
  })

  it('then all behind the first word of a command belongs to it', async () => {
    const { calls } = await typed('rules', 'check', '-r', 'a.rules', '--rules', 'b', 'git', 'push', '--force')
    expect(calls).toEqual([['rules check', ['git', 'push', '--force'], { rules: ['a.rules', 'b'] }]])
    const { calls: behind } = await typed(
      'rules',
      'explain',
      '--approval',
      'never',
      '--',
      '--pretty',
      '-r',
      'x',
    )
    expect(behind).toEqual([['rules explain', ['--pretty', '-r', 'x'], { approval: 'never' }]])
  })

  it('then help goes to stdout and is no failure', async () => {
    const { out, err, exitCode } = await typed('run', '--help')
    expect(out).toContain('--until <command>')
    expect(out).toContain('Examples:')
    expect(err).toBe('')
    expect(exitCode).toBe(0)
  })

  it.each([['--help'], ['run', '--help'], ['help', 'run', '--all']])(
    'then %s %s %s on a narrow terminal breaks no word',
    async (...words) => {
      const [narrow, wide] = await Promise.all(
        [60, 1000].map(async (columns) => {
          const { world, written } = io()
          await runProgram(words, { ...world, stdout: Object.assign(world.stdout, { columns }) })
          return (await written()).out
        }),
      )
      const wordsOf = (out = '') => out.split(/[\s\\]+/)
      expect(wordsOf(narrow)).toEqual(wordsOf(wide))
      for (const line of narrow?.split('\n') ?? []) expect(line.length).toBeLessThanOrEqual(60)
    },
  )

  it.each([
    ['explan', 'explain'],
    ['reasons', 'explain'],
    ['insights', 'stats insights'],
    ['deny', 'approve deny'],
    ['label', 'judge label'],
    ['view', 'serve'],
    ['explain-trees', 'explain'],
  ])('then the unknown command %s is refused with the nearest one', async (word, nearest) => {
    const { err, exitCode } = await typed(word, 'last')
    expect(err).toBe(`donecheck: unknown command '${word}' (Did you mean ${nearest}?)\n`)
    expect(exitCode).toBe(2)
  })

  it.each([
    [['zzz'], "unknown command 'zzz'; see: donecheck help"],
    [['rules', 'lint'], "unknown command 'lint'; see: donecheck help rules"],
    [
      ['run', '--max-reasoning-tokens', '5', 'x'],
      "unknown option '--max-reasoning-tokens' (Did you mean --max-tokens?)",
    ],
    [['run', '--needs=gpu', 'x'], `unknown option '--needs=gpu'; set the key "needs" in donecheck.config`],
    [['list', '--needs', 'x'], "unknown option '--needs'"],
  ])('then %j is refused with what to type', async (words, message) => {
    expect((await typed(...words)).err).toBe(`donecheck: ${message}\n`)
  })

  it('then a misspelt flag is refused with a suggestion, once', async () => {
    const { err, exitCode, calls } = await typed('run', '--untill', 'x', 'task')
    expect(err).toBe("donecheck: unknown option '--untill' (Did you mean --until?)\n")
    expect(exitCode).toBe(2)
    expect(calls).toEqual([])
  })
})

describe('given a command that fails', () => {
  const failing: PerformTyped = () => Promise.reject(new Error('the disk is full'))

  it('then it is a fault, and with JSON asked for a result line says so', async () => {
    const { world, written } = io()
    expect(await runProgram(['run', '--json', 'x'], world, failing)).toBe(70)
    const { out, err } = await written()
    expect(JSON.parse(out)).toMatchObject({ type: 'result', outcome: 'error', exitCode: 70 })
    expect(err).toContain('the disk is full')
  })
})

describe('given help that is made beforehand', () => {
  it('then each page is what the program prints for its words', async () => {
    const pages = helpPages()
    expect(pages.map(({ words }) => words.join(' '))).toEqual(
      expect.arrayContaining(['--help', 'run --help', 'patch apply --help']),
    )
    for (const { words, text } of pages) expect((await typed(...words)).out).toBe(text)
  })
})

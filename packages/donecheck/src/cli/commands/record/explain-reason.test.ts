import { PassThrough } from 'node:stream'
import { describe, expect, it } from 'vitest'
import type { CliIo } from '../../process/io.ts'
import { endLabels, labelTables } from '../../reasons/own-labels.ts'
import { explainCommand } from './show.ts'

interface Terminal {
  readonly isTTY?: boolean
  readonly columns?: number
  readonly environment?: CliIo['environment']
  readonly json?: boolean
}

async function printed(reason?: string, { json = false, ...terminal }: Terminal = {}): Promise<string> {
  const { isTTY = false, columns, environment = {} } = terminal
  const stdout = Object.assign(new PassThrough(), { isTTY, columns })
  const io: CliIo = {
    stdin: new PassThrough(),
    stdout: stdout as unknown as NodeJS.WriteStream,
    stderr: new PassThrough(),
    environment,
    currentFolder: '/',
    homeFolder: '/',
  }
  expect(await explainCommand(reason, { json }, io)).toBe(0)
  return String(stdout.read())
}

describe('given no word', () => {
  it('then every end stands there with its outcome and exit code, with every cap, detector and turn', async () => {
    const text = await printed()
    for (const { name, outcome, exitCode } of endLabels)
      expect(text).toContain(`\n${name}  ${outcome} · exit ${exitCode}`)
    const names = Object.values(labelTables).flatMap((table) => Object.keys(table))
    for (const name of names) expect(text).toMatch(new RegExp(`^ *${name}  `, 'm'))
  })

  it('then with --json all is one line of JSON', async () => {
    const text = await printed(undefined, { json: true })
    expect(text.trimEnd()).not.toContain('\n')
    expect(JSON.parse(text)).toMatchObject({ ends: endLabels, turns: expect.any(Array) as unknown })
  })
})

describe('given a reason', () => {
  it('then it is explained with its parts and the next step', async () => {
    const text = await printed('loop_detected')
    expect(text).toMatch(/^loop_detected {2}exhausted · exit 3\n/)
    expect(text).toContain('  → See in the timeline what was repeated')
    expect(text).toMatch(/^ {2}ping_pong {2,}Two calls took turns/m)
    expect(text).not.toContain('stagnated')
  })

  it.each([
    ['tokens', 'a cap that ends a run as hard_cap'],
    ['ping_pong', 'a detector that ends a run as loop_detected'],
    ['steering', 'why a run went on after a turn'],
    ['hook_denied', 'why a tool call was refused'],
  ])('then %s is told as %s', async (name, kind) => {
    expect(await printed(name)).toContain(`${name}  ${kind}\n`)
  })

  it('then with --json it is one object', async () => {
    expect(JSON.parse(await printed('tokens', { json: true }))).toEqual({
      ...{ name: 'tokens', kind: 'cap', meaning: labelTables.cap.tokens },
    })
  })
})

import { PassThrough } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { CliIo } from '../../process/io.ts'
import { labels, ownLabels } from '../../reasons/find-reason.ts'
import { explainCommand } from './explain.ts'

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

const system = z.object({
  id: z.string(),
  vocabularies: z.array(
    z.object({
      field: z.string(),
      fromOurs: z.array(z.looseObject({ word: z.string().nullable() })),
      toOurs: z.array(z.looseObject({ word: z.string(), kind: z.enum(['end', 'turn', 'none']) })),
    }),
  ),
})

describe('given no word', () => {
  it('then every end stands there with its outcome and exit code, with every cap, detector and turn', async () => {
    const text = await printed()
    for (const { name, outcome, exitCode } of labels.ends)
      expect(text).toContain(`\n${name}  ${outcome} · exit ${exitCode}`)
    const names = [labels.caps, labels.detectors, labels.turns].flatMap((table) => Object.keys(table))
    for (const name of names) expect(text).toMatch(new RegExp(`^ *${name}  `, 'm'))
  })

  it('then with --json all is one line of JSON, and no direction is shortened', async () => {
    const text = await printed(undefined, { json: true })
    expect(text.trimEnd()).not.toContain('\n')
    const all = z
      .object({ ends: z.array(z.unknown()), turns: z.array(z.unknown()), systems: z.array(system) })
      .parse(JSON.parse(text))
    expect(all.ends).toEqual(labels.ends)
    expect(all.systems).toHaveLength(labels.systems.length)
    for (const { vocabularies } of all.systems)
      for (const { fromOurs } of vocabularies) expect(fromOurs).toHaveLength(ownLabels.length)
  })
})

describe('given a reason', () => {
  it('then it is explained with its parts, the next step and what others call it', async () => {
    const text = await printed('loop_detected')
    expect(text).toMatch(/^loop_detected {2}exhausted · exit 3\n/)
    expect(text).toContain('  → See in the timeline what was repeated')
    expect(text).toMatch(/^ {2}ping_pong {2,}Two calls took turns/m)
    expect(text).toMatch(/^ {2}OpenClaw, detector of tool\.loop: generic_repeat/m)
    expect(text).not.toContain('stagnated')
  })

  it.each([
    ['tokens', 'a cap that ends a run as hard_cap', 'Agent Client Protocol, stopReason'],
    ['ping_pong', 'a detector that ends a run as loop_detected', 'OpenClaw, detector of tool.loop'],
    ['steering', 'why a run went on after a turn', 'In other systems'],
    ['hook_denied', 'why a tool call was refused', 'A registered hook forbids it'],
  ])('then %s is told as %s', async (name, kind, more) => {
    const text = await printed(name)
    expect(text).toContain(`${name}  ${kind}\n`)
    expect(text).toContain(more)
  })

  it('then a word of another system leads to ours', async () => {
    const text = await printed('max_turn_requests')
    expect(text).toMatch(/Agent Client Protocol, stopReason: hard_cap model_calls\n/)
  })

  it('then with --json it is one object', async () => {
    expect(JSON.parse(await printed('tokens', { json: true }))).toMatchObject({
      ...{ name: 'tokens', kind: 'cap', meaning: labels.caps.tokens.meaning },
      elsewhere: expect.arrayContaining([
        { system: 'Agent Client Protocol', field: 'stopReason', words: ['max_tokens'] },
      ]) as unknown,
    })
  })
})

import { PassThrough } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { UsageError } from '@donecheck/engine/base'
import type { CliIo } from '../process/io.ts'
import { reasonsCommand, type ReasonsFlags } from './reasons.ts'
import { labels, ownLabels } from '../reasons/systems.ts'

interface Terminal {
  readonly isTTY?: boolean
  readonly columns?: number
  readonly environment?: CliIo['environment']
}

async function printed(flags: ReasonsFlags, terminal: Terminal = {}): Promise<string> {
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
  expect(await reasonsCommand(flags, io)).toBe(0)
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

describe('given nothing but the command', () => {
  it('then every end stands there with its outcome and exit code, with every cap, detector, turn and system', async () => {
    const text = await printed({})
    for (const { name, outcome, exitCode } of labels.ends)
      expect(text).toContain(`\n${name}  ${outcome} · exit ${exitCode}`)
    const names = [labels.caps, labels.detectors, labels.turns].flatMap((table) => Object.keys(table))
    for (const name of [...names, ...labels.systems.map(({ id }) => id)])
      expect(text).toMatch(new RegExp(`^ *${name}  `, 'm'))
  })

  it.each([80, 140])('then no line is longer than the terminal of %i columns', async (columns) => {
    const texts = [await printed({}, { columns })]
    for (const { id } of labels.systems) texts.push(await printed({ system: id }, { columns }))
    const tooLong = texts.flatMap((text) => text.split('\n').filter((line) => line.length > columns))
    expect(tooLong).toEqual([])
  })

  it('then colours come only to a terminal that wants them', async () => {
    expect(await printed({}, { isTTY: true, columns: 80 })).toContain('\u001B[')
    expect(await printed({}, { isTTY: true, columns: 80, environment: { NO_COLOR: '1' } })).not.toContain(
      '\u001B[',
    )
    expect(await printed({})).not.toContain('\u001B[')
  })
})

describe('given the name of a system', () => {
  it('then its words stand beside ours, both ways, and a note is said once', async () => {
    const text = await printed({ system: 'acp' })
    expect(text).toMatch(/hard_cap tokens +max_tokens\n/)
    expect(text).toMatch(/max_turn_requests +hard_cap model_calls\n/)
    expect(text).toMatch(/model_ended +– \[\d]\n/)
    expect(text.split('nearest: its only word for a limit')).toHaveLength(2)
    expect(text).not.toContain('terminal_reason')
  })

  it('then every system can be shown, however its name is written', async () => {
    for (const { id, title } of labels.systems)
      expect(await printed({ system: ` ${id.toUpperCase()} ` })).toContain(title)
  })

  it('then an unknown one is refused with the nearest name', async () => {
    await expect(printed({ system: 'claud-code' })).rejects.toThrow(UsageError)
    await expect(printed({ system: 'claud-code' })).rejects.toThrow('did you mean claude-code?')
    await expect(printed({ system: '', json: true })).rejects.toThrow(UsageError)
  })
})

describe('given --json', () => {
  it('then all is one line of JSON, and no direction is shortened', async () => {
    const text = await printed({ json: true })
    expect(text.trimEnd()).not.toContain('\n')
    const all = z
      .object({ ends: z.array(z.unknown()), turns: z.array(z.unknown()), systems: z.array(system) })
      .parse(JSON.parse(text))
    expect(all.ends).toEqual(labels.ends)
    expect(all.systems).toHaveLength(labels.systems.length)
    for (const { vocabularies } of all.systems)
      for (const { fromOurs } of vocabularies) expect(fromOurs).toHaveLength(ownLabels.length)
  })

  it('then with a system it is that one alone', async () => {
    const one = system.parse(JSON.parse(await printed({ json: true, system: 'gemini-cli' })))
    expect(one.id).toBe('gemini-cli')
    expect(one.vocabularies[0]?.toOurs).toContainEqual({
      word: '53',
      kind: 'end',
      name: 'hard_cap',
      cap: 'iterations',
    })
    expect(one.vocabularies[0]?.fromOurs).toContainEqual({
      kind: 'end',
      name: 'hard_cap',
      cap: 'iterations',
      word: '53',
    })
  })
})

/** What Tab offers comes from the commands and options that are parsed. */
import { describe, expect, it } from 'vitest'
import { ownIo } from '../main.ts'
import { buildProgram } from '../program.ts'
import { completionsOf, type Completion } from './completions.ts'

const program = buildProgram(ownIo())
const known: Readonly<Record<string, readonly Completion[]>> = {
  run: [{ value: 'last', help: 'the latest' }],
  agent: [{ value: 'claude', help: '' }],
}

async function offered(...words: readonly string[]): Promise<readonly string[]> {
  const found = await completionsOf(program, words, (what) => Promise.resolve(known[what] ?? []))
  return found.map(({ value }) => value)
}

describe('given what was typed so far', () => {
  it.each<[string, readonly string[], readonly string[]]>([
    ['a part of a command', ['rep'], ['report', 'repair']],
    ['a part of a flag', ['run', '--prese'], ['--preset']],
    ['a flag whose values are listed', ['run', '--sandbox', 'bub'], ['bubblewrap']],
    ['a flag whose values the machine knows', ['run', '--agent', ''], ['claude']],
    ['a short one', ['run', '-a', ''], ['claude']],
    ['a command that takes a run', ['explain', ''], ['last']],
    ['a command of a command', ['policy', 'ch'], ['check']],
    ['a value that only its user knows', ['run', '--until', ''], []],
    ['all that there is to say', ['explain', 'last', ''], []],
  ])('with %s', async (_, words, values) => {
    const found = await offered(...words)
    expect([...found].toSorted()).toEqual([...values].toSorted())
  })

  it('with nothing, then every command', async () => {
    expect(await offered('')).toEqual(program.commands.map((command) => command.name()))
  })
})

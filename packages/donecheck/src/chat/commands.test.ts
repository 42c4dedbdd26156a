import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { slashCommands } from './commands.ts'

const page = readFileSync(new URL('../../../../docs/guide/session.md', import.meta.url), 'utf8')

describe('given the slash commands', () => {
  it.each(slashCommands.map(({ name }) => name))('/%s stands in the guide', (name) => {
    expect(page).toContain(`\`/${name}`)
  })

  it('then each has a name of its own, and no name is the beginning of another', () => {
    const names = slashCommands.map(({ name }) => name)
    expect(names.filter((name) => names.some((other) => other !== name && other.startsWith(name)))).toEqual(
      [],
    )
    expect(new Set(names).size).toBe(names.length)
  })
})

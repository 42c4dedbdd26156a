/** The API page matches the docstrings. */
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { apiMarkdown, apiPage, firstSentence } from './docs/api-page.ts'
import { subpaths, type ExportedName } from './docs/exported-names.ts'

const all = subpaths()

describe('given docs/reference/api.md', () => {
  it('then it matches the docstrings; "node test/docs/write-api-page.ts" updates it', async () => {
    expect(readFileSync(apiPage, 'utf8')).toBe(await apiMarkdown(all))
  })

  it('then a changed docstring would fail the test', async () => {
    const changed = all.map(({ specifier, names }) => ({ specifier, names: names.map(withOtherSummary) }))
    expect(readFileSync(apiPage, 'utf8')).not.toBe(await apiMarkdown(changed))
  })

  it('then it has the main package and every library', () => {
    const specifiers = all.map(({ specifier }) => specifier)
    expect(specifiers).toEqual(
      expect.arrayContaining([
        'donecheck',
        '@donecheck/core',
        '@donecheck/engine/verify',
        '@donecheck/agents/acp',
      ]),
    )
    const main = all.find(({ specifier }) => specifier === 'donecheck')?.names ?? []
    expect(main.map(({ name }) => name)).toContain('createAgentLoop')
    expect(main.filter(({ signature }) => signature === '')).toEqual([])
  })
})

function withOtherSummary(exported: ExportedName): ExportedName {
  return { ...exported, summary: `${exported.summary} And more.` }
}

describe('given the summary of a name', () => {
  it.each([
    ['One. Two.', 'One.'],
    ['No end', 'No end'],
    ['With `a.b` inside, e.g. this. Then', 'With `a.b` inside, e.g. this.'],
    ['First\n\nSecond.', 'First'],
  ])('%j: then its first sentence is %j', (summary, sentence) => {
    expect(firstSentence(summary)).toBe(sentence)
  })
})

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parseConfig } from '../../config/index.ts'
import { configFromRecipe, recipeOf } from '../settings/recipe.ts'
import { withTextsRead } from './judging/judge.ts'

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'donecheck-texts-'))
  writeFileSync(join(folder, 'AGENTS.md'), 'Be brief.\nThe token is hunter22hunter22.\n')
  writeFileSync(join(folder, 'STYLE.md'), 'x'.repeat(20_000))
  mkdirSync(join(folder, 'CLAUDE.md'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const read = (given: object, workFolder: string | undefined = folder) =>
  withTextsRead(parseConfig(given, 'a test'), workFolder, {
    currentFolder: folder,
    environment: { TOKEN: 'hunter22hunter22' },
  })

describe('given a judge', () => {
  const judges = [
    { judge: 'openai/gpt-5' },
    { checks: [{ kind: 'any', of: [{ kind: 'judge', rubric: 'goal', model: 'openai/gpt-5' }] }] },
  ]

  it.each(judges)('then the rules that %j is shown are those of the beginning', async (given) => {
    const { keptJudgeRules } = await read(given)
    expect(keptJudgeRules?.map(({ name }) => name)).toEqual(['AGENTS.md'])
    expect(keptJudgeRules?.[0]?.text).toContain('Be brief.')
  })

  it('then no secret of them is kept, and a run that holds them can be gone on with', async () => {
    const config = await read({ judge: 'openai/gpt-5', secrets: ['TOKEN'] })
    expect(JSON.stringify(config)).not.toContain('hunter22')
    expect(configFromRecipe(recipeOf(config), 'run-1').keptJudgeRules).toEqual(config.keptJudgeRules)
  })

  it('then no more is kept than is shown', async () => {
    const { keptJudgeRules = [] } = await read({ judge: { models: 'openai/gpt-5', rules: ['STYLE.md'] } })
    expect(keptJudgeRules.map(({ text }) => text.length)).toEqual([8001])
  })

  it('then those of no one project are shown none', async () => {
    expect(
      (
        await withTextsRead(parseConfig({ judge: 'openai/gpt-5' }, 'a test'), undefined, {
          currentFolder: folder,
          environment: {},
        })
      ).keptJudgeRules,
    ).toEqual([])
  })
})

it('given no judge, then nothing is read', async () => {
  expect(await read({ until: 'npm test' })).toEqual({ until: [{ command: 'npm test' }] })
})

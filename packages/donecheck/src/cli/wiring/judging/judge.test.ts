import { memoryStore } from '@donecheck/engine/store'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { UsageError } from '@donecheck/engine/internal/base'
import { parseConfig } from '../../../config/index.ts'
import { judgeChecks, withRubricRead } from './judge.ts'
import { judgedOptions } from './judging-options.ts'

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'donecheck-judge-'))
  writeFileSync(join(folder, 'rubric.md'), 'Each figure has a source.\n')
  writeFileSync(join(folder, 'empty.md'), '\n')
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function checks(given: object) {
  const config = parseConfig(given, 'here')
  return judgeChecks({
    config,
    workFolder: folder,
    store: { folder: null },
    io: { environment: {} },
    reads: 'answer',
  })
}

describe('given judges in a configuration', () => {
  it.each([
    [{}, []],
    [{ judge: 'openai/gpt-5' }, [{ name: 'judge', required: false, families: ['gpt'] }]],
    [
      { judge: ['openai/gpt-5', 'anthropic/claude-haiku-4-5'] },
      [{ name: 'judge', required: false, families: ['gpt', 'claude'] }],
    ],
    [
      { judge: { models: ['tiny'], baseUrl: 'http://127.0.0.1:1/v1', rules: ['RULES.md'], maxTokens: 9 } },
      [{ name: 'judge', required: false, deterministic: false }],
    ],
    [{ judge: 'openai/gpt-5', trustChecks: ['judge'] }, [{ name: 'judge', required: true }]],
    [{ judge: 'openai/gpt-5', maxJudgeCostUsd: 'off', rubric: 'brief' }, [{ name: 'judge' }]],
  ])('%j makes the checks %j', async (given, descriptions) => {
    expect((await checks(given)).map(({ description }) => description)).toMatchObject(descriptions)
  })

  it.each([
    [{ rubric: 'brief' }, '--rubric is for a judge: name one with --judge provider/model'],
    [{ maxJudgeCostUsd: 1 }, 'maxJudgeCostUsd is for a judge'],
    [{ judge: 'gpt-5' }, 'model "gpt-5" names no provider'],
    [{ judge: ['openai/gpt-5', 'openai/gpt-5'] }, 'two judges of a panel have one name'],
    [{ judge: { models: 'openai/gpt-5', atLeast: 2 } }, 'judge.atLeast is 2, and there is one judge'],
    [{ judge: 'openai/unlisted', maxJudgeCostUsd: 1 }, 'the price of openai/unlisted is unknown'],
  ])('refuses %j', async (given, message) => {
    await expect(checks(given)).rejects.toThrow(UsageError)
    await expect(checks(given)).rejects.toThrow(message)
  })

  it.each([{ judge: [] }, { judge: ' ' }, { judge: { models: 'a/b', atLeast: 0 } }, { rubric: '' }])(
    'does not read %j',
    (given) => {
      expect(() => parseConfig(given, 'here')).toThrow(UsageError)
    },
  )
})

describe('given a session that a host owns', () => {
  const hosted = async (given: object) => {
    const config = parseConfig(given, 'here')
    const io = { environment: {}, homeFolder: folder }
    const options = await judgedOptions({ config, workFolder: folder, store: memoryStore(), io }, false)
    return options.hardVerifiers.map(({ description }) => [description.name, description.required])
  }

  it('then the judge is asked there too, that of replies as well', async () => {
    const checks = { until: 'npm test', judge: 'openai/gpt-5', trustChecks: ['judge'] }
    const names = [
      ['npm test', true],
      ['judge', true],
    ]
    expect(await hosted(checks)).toEqual(names)
    expect(await hosted({ ...checks, verifyReplies: true })).toEqual(names)
  })

  it('then what is said of judges where there are none is refused', async () => {
    await expect(hosted({ until: 'npm test', rubric: 'brief' })).rejects.toThrow(UsageError)
  })
})

describe('given a rubric', () => {
  const read = (rubric: string) => withRubricRead({ rubric }, { currentFolder: folder }).rubric

  it('is the text of a file where there is one, and else itself', () => {
    expect(read('rubric.md')).toBe('Each figure has a source.')
    expect(read('Each figure has a source.')).toBe('Each figure has a source.')
    expect(read('rubric.md\nand more')).toBe('rubric.md\nand more')
    expect(withRubricRead({}, { currentFolder: folder })).toEqual({})
  })

  it('is refused where the file is empty', () => {
    expect(() => read('empty.md')).toThrow(UsageError)
  })
})

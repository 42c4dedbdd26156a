import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { UsageError } from '@donecheck/engine/internal/base'
import { configFromEnvironment, configFromFile, defineConfig, parseConfig } from './index.ts'

describe('given keys and values', () => {
  it('then what is known is taken, and one check becomes a list', () => {
    expect(parseConfig({ until: 'npm test', maxTokens: 'off' }, 'here')).toEqual({
      until: [{ command: 'npm test' }],
      maxTokens: 'off',
    })
  })

  it('then an unknown key names the nearest known one', () => {
    expect(() => parseConfig({ maxTurn: 3 }, 'here')).toThrow(
      'here: unknown key "maxTurn"; did you mean "maxTurns"?',
    )
  })

  it('then a key like none lists them all', () => {
    expect(() => parseConfig({ xyzzy: 3 }, 'here')).toThrow(
      /unknown key "xyzzy"; known keys: model, baseUrl, /,
    )
  })

  it('then an unknown name among those that a setting is for lists those', () => {
    expect(() => parseConfig({ loopDetection: { detectors: { xyzzy: 'off' } } }, 'here')).toThrow(
      /unknown key "xyzzy" in loopDetection\.detectors; known keys: .*ping_pong/,
    )
  })

  const wrong: readonly (readonly [string, unknown, RegExp])[] = [
    ['a cap of zero', { maxTurns: 0 }, /maxTurns .*not 0/],
    ['half a token', { maxTokens: 1.5 }, /maxTokens .*not 1\.5/],
    ['a word for a number', { maxSeconds: 'long' }, /maxSeconds .*not "long"/],
    ['a moment that is none', { verifyWhen: 'sometimes' }, /verifyWhen .*not "sometimes"/],
    ['an address that is none', { baseUrl: 'localhost' }, /baseUrl .*not "localhost"/],
    [
      'a price that is short of a half',
      { prices: { m: { inputPerMillionTokens: 1 } } },
      /prices\.m\.outputPerMillionTokens/,
    ],
    ['a list', [], /the value .*not \[\]/],
    ['nothing', null, /the value .*not null/],
  ]
  for (const [name, value, message] of wrong) {
    it(`then ${name} is refused, and the message names the value`, () => {
      expect(() => parseConfig(value, 'here')).toThrow(message)
      expect(() => parseConfig(value, 'here')).toThrow(UsageError)
    })
  }
})

describe('given an environment', () => {
  it('then DONECHECK_ variables are read as keys, numbers as numbers', () => {
    const environment = {
      DONECHECK_MAX_TOKENS: '5000',
      DONECHECK_MODEL: 'openai/x',
      DONECHECK_API_KEY: 'k',
      HOME: '/',
    }
    expect(configFromEnvironment(environment)).toEqual({ maxTokens: 5000, model: 'openai/x' })
  })

  it('then a misspelt variable is refused with a suggestion', () => {
    expect(() => configFromEnvironment({ DONECHECK_MAX_TOKEN: '5000' })).toThrow(
      'did you mean DONECHECK_MAX_TOKENS?',
    )
  })

  it('then a list may be given as JSON', () => {
    expect(configFromEnvironment({ DONECHECK_UNTIL: '["npm test","npm run lint"]' }).until).toEqual([
      { command: 'npm test' },
      { command: 'npm run lint' },
    ])
  })
})

describe('given a folder', () => {
  let folder = ''
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'donecheck-config-'))
  })
  afterEach(() => rm(folder, { recursive: true, force: true }))

  it('without a file, then nothing is configured', async () => {
    expect(await configFromFile(folder, undefined)).toEqual({})
  })

  it('with a TypeScript file, then its default export is the configuration', async () => {
    await writeFile(
      join(folder, 'donecheck.config.ts'),
      'const turns: number = 3\nexport default { maxTurns: turns }',
    )
    expect(await configFromFile(folder, undefined)).toEqual({ maxTurns: 3 })
  })

  it('with a file that names its own work folder, then that is refused', async () => {
    await writeFile(join(folder, 'donecheck.config.json'), '{"workdir": "elsewhere"}')
    await expect(configFromFile(folder, undefined)).rejects.toThrow('use --workdir')
  })

  it.each([
    ['heldOut', '{"heldOut": "npm run hidden"}', '--held-out or DONECHECK_HELD_OUT'],
    ['heldOutFiles', '{"heldOutFiles": "/srv/hidden"}', 'use DONECHECK_HELD_OUT_FILES'],
  ])(
    'with a file that names %s, then that is refused, and outside of the folder it is not',
    async (key, text, way) => {
      await writeFile(join(folder, 'donecheck.config.json'), text)
      await expect(configFromFile(folder, undefined)).rejects.toThrow(way)
      await expect(configFromFile(folder, undefined)).rejects.toThrow('--config')
      const outside = join(folder, 'project')
      await mkdir(outside)
      await symlink(join(folder, 'donecheck.config.json'), join(outside, 'link.json'))
      const file = join(folder, 'donecheck.config.json')
      expect(Object.keys(await configFromFile(outside, file))).toEqual([key])
      // A link in the folder is as readable as the file.
      await expect(configFromFile(outside, join(outside, 'link.json'))).rejects.toThrow(way)
      await writeFile(join(outside, 'own.json'), text)
      await symlink(join(outside, 'own.json'), join(folder, 'into.json'))
      await expect(configFromFile(outside, join(folder, 'into.json'))).rejects.toThrow(way)
    },
  )

  it('with a named file that is missing or broken, then it is named', async () => {
    await expect(configFromFile(folder, join(folder, 'gone.json'))).rejects.toThrow('gone.json')
    await writeFile(join(folder, 'broken.json'), '{')
    await expect(configFromFile(folder, join(folder, 'broken.json'))).rejects.toThrow(
      /broken\.json cannot be read/,
    )
  })
})

it('defineConfig gives back what it is given', () => {
  expect(defineConfig({ maxTurns: 2 })).toEqual({ maxTurns: 2 })
})

import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { configFromEnvironment, configFromFile } from './index.ts'

let root = ''
let folder = ''
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'donecheck-config-'))
  folder = join(root, 'project')
  await mkdir(folder)
})
afterEach(() => rm(root, { recursive: true, force: true }))

const inside = async (config: object) => {
  await writeFile(join(folder, 'donecheck.config.json'), JSON.stringify(config))
  return configFromFile(folder, undefined)
}
const outside = async (config: object) => {
  await writeFile(join(root, 'own.json'), JSON.stringify(config))
  return configFromFile(folder, join(root, 'own.json'))
}

describe('given a configuration in the work folder that loosens what may run', () => {
  it.each([
    [{ yes: true }, 'yes: true', '--yes or DONECHECK_YES'],
    [{ gate: 'shadow' }, 'gate: "shadow"', '--gate or DONECHECK_GATE'],
    [{ sandbox: 'off' }, 'sandbox: "off"', '--sandbox or DONECHECK_SANDBOX'],
    [{ allowNetwork: true }, 'allowNetwork: true', 'DONECHECK_ALLOW_NETWORK'],
    [{ writable: ['/srv'] }, 'writable', 'DONECHECK_WRITABLE'],
    [{ rules: ['a.rules'] }, 'rules', '--rules or DONECHECK_RULES'],
    [{ projectRules: 'trusted' }, 'projectRules: "trusted"', 'DONECHECK_PROJECT_RULES'],
  ])(
    'then %j is refused with the ways out, and outside of the folder it is taken',
    async (config, what, way) => {
      const sentence = `${what} cannot be set here, where the agent can write it; use ${way}, or a configuration outside of ${folder}, named with --config`
      await expect(inside(config)).rejects.toThrow(sentence)
      expect(await outside(config)).toEqual(config)
      await symlink(join(root, 'own.json'), join(folder, 'link.json'))
      await expect(configFromFile(folder, join(folder, 'link.json'))).rejects.toThrow(sentence)
      const [key = '', value] = Object.entries(config)[0] ?? []
      const variable = `DONECHECK_${key.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`
      const written = typeof value === 'string' ? value : JSON.stringify(value)
      expect(configFromEnvironment({ [variable]: written })).toEqual(config)
    },
  )

  it('then all of it is told at once', async () => {
    await expect(inside({ yes: true, gate: 'shadow' })).rejects.toThrow(/yes: true .*\n.*gate: "shadow"/)
  })
})

describe('given one that does not', () => {
  it.each([
    { yes: false },
    { gate: 'on', sandbox: 'bubblewrap', allowNetwork: false },
    { projectRules: 'off', approval: 'never' },
  ])('then %j is taken', async (config) => {
    expect(await inside(config)).toEqual(config)
  })
})

describe('given rules in a configuration', () => {
  const commandRules = [{ pattern: ['ls'], decision: 'allow' }]

  it('then those of a file in the work folder are the rules of the project, and others of the run', async () => {
    expect(await inside({ commandRules })).toEqual({ projectCommandRules: commandRules })
    expect(await outside({ commandRules })).toEqual({ commandRules })
    expect(configFromEnvironment({ DONECHECK_COMMAND_RULES: JSON.stringify(commandRules) })).toEqual({
      commandRules,
    })
  })

  it.each([
    { keptRules: { 'a.rules': '' } },
    { keptProjectRules: { 'a.rules': '' } },
    { projectCommandRules: [] },
  ])('then %j, which only a record holds, is refused wherever the file is', async (config) => {
    await expect(inside(config)).rejects.toThrow('is kept with a run, and cannot be set')
    await expect(outside(config)).rejects.toThrow('is kept with a run, and cannot be set')
  })
})

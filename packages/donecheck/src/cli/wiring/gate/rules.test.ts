import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { configFromFile, type Config } from '../../../config/index.ts'
import { policyGate, type ApprovalPolicy } from '@donecheck/engine/gate'
import type { CliIo } from '../../process/io.ts'
import { projectRulesNow, loadAllRules } from './rules.ts'

let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'donecheck-rules-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const ioOf = (): CliIo => {
  const { stdin, stdout, stderr } = process
  return { stdin, stdout, stderr, environment: {}, currentFolder: folder, homeFolder: join(folder, 'home') }
}

async function decided(
  config: Config,
  script: string,
  approval: ApprovalPolicy = 'untrusted',
): Promise<string> {
  const kept = { ...config, keptProjectRules: await projectRulesNow(config, folder) }
  const gate = policyGate({
    workFolder: folder,
    rules: await loadAllRules(kept, ioOf()),
    approval,
    sandbox: { isConfined: true },
  })
  const action = { kind: 'command', script, folder } as const
  return (await gate.check({ tool: 'run_shell', effect: 'execute', args: {}, summary: script, action })).kind
}

async function inProject(config: object): Promise<Config> {
  await writeFile(join(folder, 'donecheck.config.json'), JSON.stringify(config))
  return configFromFile(folder, undefined)
}

const commandRules: Config['commandRules'] = [
  { pattern: ['make'], decision: 'forbidden' },
  { pattern: ['touch'], decision: 'allow' },
  { pattern: ['shred'], decision: 'allow', overridesBuiltInRules: true },
  { paths: ['dist/**'], decision: 'forbidden' },
]

describe('given rules in the configuration of the project', () => {
  it('then those that forbid hold, those that allow do not, and nothing is taken out of the built-in rules', async () => {
    const config = await inProject({ commandRules })
    expect(await decided(config, 'make all')).toBe('forbidden')
    expect(await decided(config, 'echo > dist/x')).toBe('forbidden')
    expect(await decided(config, 'touch x')).toBe('prompt')
    expect(await decided(config, 'shred x')).toBe('prompt')
  })

  it('then a trusted project may allow, and the built-in rules stand all the same', async () => {
    const config: Config = { ...(await inProject({ commandRules })), projectRules: 'trusted' }
    expect(await decided(config, 'touch x')).toBe('allow')
    expect(await decided(config, 'shred x')).toBe('prompt')
  })

  it('then without rules of the project none holds', async () => {
    const config: Config = { ...(await inProject({ commandRules })), projectRules: 'off' }
    expect(await decided(config, 'make all')).toBe('prompt')
  })

  it('then rules of the environment, or of a run that was recorded, hold beside them as they are', async () => {
    const config: Config = { ...(await inProject({ commandRules: commandRules.slice(0, 1) })), commandRules }
    expect(await decided(config, 'touch x')).toBe('allow')
    expect(await decided(config, 'shred x')).toBe('allow')
    expect(await decided(config, 'make all')).toBe('forbidden')
  })
})

describe('given a program of the project that is called like one that is allowed', () => {
  it('then the project cannot say that it is the same', async () => {
    await mkdir(join(folder, '.donecheck/rules'), { recursive: true })
    const own = join(folder, 'touch')
    const rule = `host_executable(name="touch", paths=[${JSON.stringify(own)}])\n`
    await writeFile(join(folder, '.donecheck/rules/a.rules'), rule)
    const config: Config = { commandRules }
    expect(await decided(config, `${own} x`)).toBe('prompt')
    expect(await decided({ ...config, projectRules: 'trusted' }, `${own} x`)).toBe('allow')
  })
})

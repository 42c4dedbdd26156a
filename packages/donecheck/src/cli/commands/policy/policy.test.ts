import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { UsageError } from '@donecheck/engine/internal/base'
import { perform } from '../../process/fixtures/performed.ts'
import type { CliIo } from '../../process/io.ts'
import type { PolicyFlags } from '../../wiring/gate/policy-in-force.ts'
import { policyCheckCommand, policyExplainCommand } from './policy.ts'

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'donecheck-policy-'))
  await writeFile(
    join(folder, 'a.rules'),
    'prefix_rule(pattern=["git"])\nprefix_rule(pattern=["git", "push"], decision="prompt", justification="others see it")\n',
  )
  await writeFile(join(folder, 'broken.rules'), 'prefix_rule(pattern=["git"])\nprefix_rule(')
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const ran = (command: (io: CliIo) => Promise<number>, given: Partial<CliIo> = {}) =>
  perform(command, folder, given)

const checked = (words: readonly string[], flags: PolicyFlags) =>
  ran((io) => policyCheckCommand(words, flags, io))
const explained = (words: readonly string[], flags: PolicyFlags) =>
  ran((io) => policyExplainCommand(words, flags, io))
const rules = ['a.rules']

describe('given one command', () => {
  it('then the answer is the one of the reference', async () => {
    expect(await checked(['git', 'push', 'x'], { rules })).toEqual({
      exitCode: 0,
      out: '{"matchedRules":[{"prefixRuleMatch":{"matchedPrefix":["git"],"decision":"allow"}},{"prefixRuleMatch":{"matchedPrefix":["git","push"],"decision":"prompt","justification":"others see it"}}],"decision":"prompt"}\n',
      err: '',
    })
    expect((await checked(['ls'], { rules })).out).toBe('{"matchedRules":[]}\n')
    expect((await checked(['sh', '-c', 'git push'], { rules, pretty: true })).out).toBe(
      '{\n  "matchedRules": []\n}\n',
    )
  })
})

describe('given a line', () => {
  it('then every command is decided, with places, and all of it', async () => {
    const { out } = await checked([], { rules, script: 'ls && git push $x > /etc/x', approval: 'untrusted' })
    expect(JSON.parse(out)).toMatchObject({
      script: 'ls && git push $x > /etc/x',
      ...{ decision: 'prompt', label: 'dangerous_command' },
      commands: [
        { words: ['ls'], decision: 'allow', reason: 'it only reads', span: [0, 2] },
        {
          words: ['git', 'push', null],
          decision: 'prompt',
          matches: [
            { rule: 'prefix_rule git', decision: 'allow', span: [6, 9] },
            {
              rule: 'prefix_rule git push',
              decision: 'prompt',
              span: [6, 14],
              source: `run rules ${join(folder, 'a.rules')}:2`,
            },
          ],
        },
      ],
      matches: [{ rule: 'built-in: files of the system', words: ['/etc/x'] }],
      obstacles: [{ kind: 'dynamic-word', isOpen: true }],
      writes: [{ path: '/etc/x' }],
    })
  })

  it('then it is decided under the approval policy that was named', async () => {
    const under = async (flags: PolicyFlags) =>
      JSON.parse((await checked([], { script: 'npm test', ...flags })).out) as unknown
    expect(await under({})).toMatchObject({ decision: 'allow' })
    expect(await under({ unconfined: true })).toMatchObject({ decision: 'prompt' })
    expect(await under({ approval: 'untrusted' })).toMatchObject({
      decision: 'prompt',
      amendment: { prefix: ['npm', 'test'] },
    })
    const refused = { decision: 'forbidden', label: 'dangerous_command' }
    expect(await under({ script: 'rm -rf x', approval: 'never' })).toMatchObject(refused)
  })

  it('then it is explained, with carets under the words', async () => {
    const { out, exitCode } = await explained([], { rules, script: 'ls && git push' })
    expect(exitCode).toBe(0)
    expect(out).toContain('prompt (approval_required): `git push` requires approval: others see it\n')
    expect(out).toContain('    ls && git push\n          ^^^^^^^^\n')
  })
})

describe('given rules that cannot be read', () => {
  it('then the file and the line are told, and nothing is decided', async () => {
    const { exitCode, out, err } = await checked(['git'], {
      rules: ['a.rules', 'broken.rules', 'missing.rules'],
    })
    expect({ exitCode, out }).toEqual({ exitCode: 1, out: '' })
    expect(err).toContain(`${join(folder, 'broken.rules')}:2`)
    expect(err).toContain('missing.rules: cannot be read')
  })
})

describe('given a line in which a command hides', () => {
  it('then it stands beside the words that hold it', async () => {
    const script = "sh -c 'git push -f'"
    const { out } = await explained([], { script })
    expect(out).toContain("allow  sh -c 'git push -f'\n")
    expect(out).toContain('prompt  git push -f\n  through sh -c\n')
    const { commands } = JSON.parse((await checked([], { script })).out) as { commands: readonly object[] }
    expect(commands[1]).toMatchObject({ span: null })
  })

  it('then what is not known is called so', async () => {
    expect((await explained([], { script: 'rm $x' })).out).toContain(
      '\nnot known: "$x" is only known when it runs\n',
    )
    expect((await explained([], { script: 'ls $x' })).out).toContain(
      '\nnot known, and of no weight here: "$x" is only known when it runs\n',
    )
  })
})

describe('given a policy of the user, of the project and of the environment', () => {
  let home = ''
  let project = ''
  beforeAll(async () => {
    home = join(folder, 'ann')
    project = join(folder, 'project')
    await mkdir(join(home, '.config/donecheck/rules'), { recursive: true })
    await mkdir(join(project, '.donecheck/rules'), { recursive: true })
    await writeFile(join(home, '.config/donecheck/rules/default.rules'), 'prefix_rule(pattern=["touch"])\n')
    const forbids = (program: string) => `prefix_rule(pattern=["${program}"], decision="forbidden")\n`
    await writeFile(
      join(project, '.donecheck/rules/own.rules'),
      `${forbids('make')}prefix_rule(pattern=["mkdir"])\n`,
    )
    await writeFile(
      join(project, 'donecheck.config.json'),
      JSON.stringify({ approval: 'untrusted', commandRules: [{ pattern: ['npm'], decision: 'forbidden' }] }),
    )
    await writeFile(join(folder, 'own.json'), JSON.stringify({ approval: 'never' }))
    await writeFile(join(folder, 'tests.rules'), forbids('cargo'))
  })

  const kindOf = async (script: string, flags: PolicyFlags = {}, environment: CliIo['environment'] = {}) => {
    const { out } = await ran((io) => policyCheckCommand([], { workdir: 'project', script, ...flags }, io), {
      homeFolder: home,
      environment,
    })
    return (JSON.parse(out) as { decision: string }).decision
  }

  it('then a line is decided by all of it', async () => {
    expect(await kindOf('touch x')).toBe('allow')
    expect(await kindOf('make x')).toBe('forbidden')
    expect(await kindOf('npm x')).toBe('forbidden')
    expect(await kindOf('other')).toBe('prompt')
    expect(await kindOf('mkdir x')).toBe('prompt')
    expect(await kindOf('mkdir x', { projectRules: 'trusted' })).toBe('allow')
    expect(await kindOf('make x', { projectRules: 'off' })).toBe('prompt')
    expect(await kindOf('cargo x', { rules: ['tests.rules'] })).toBe('forbidden')
    expect(await kindOf('echo > donecheck.config.json')).toBe('forbidden')
  })

  it('then flags and environment stand over the file, and a file may be named', async () => {
    expect(await kindOf('other', { approval: 'on-request' })).toBe('allow')
    expect(await kindOf('other', {}, { DONECHECK_APPROVAL: 'on-request' })).toBe('allow')
    expect(await kindOf('other', {}, { DONECHECK_APPROVAL: 'on-request', DONECHECK_SANDBOX: 'off' })).toBe(
      'prompt',
    )
    expect(await kindOf('rm $x', { config: 'own.json' })).toBe('forbidden')
    expect(await kindOf('npm x', { config: 'own.json' })).toBe('allow')
    const commandRules = JSON.stringify([{ pattern: ['other'], decision: 'forbidden' }])
    expect(await kindOf('other', {}, { DONECHECK_COMMAND_RULES: commandRules })).toBe('forbidden')
  })

  it('then with --rules-only none of it holds', async () => {
    const alone = { rulesOnly: true, rules: ['tests.rules'] }
    expect(await kindOf('make x', alone)).toBe('allow')
    expect(await kindOf('cargo x', alone)).toBe('forbidden')
    expect(await kindOf('npm x', alone, { DONECHECK_APPROVAL: 'untrusted' })).toBe('allow')
  })

  it('then one command word by word is asked of --rules alone, and explained by all', async () => {
    const given = { homeFolder: home }
    const flags = { workdir: 'project' }
    const check = await ran((io) => policyCheckCommand(['make'], flags, io), given)
    expect(check.out).toBe('{"matchedRules":[]}\n')
    const reported = await ran((io) => policyExplainCommand(['make'], flags, io), given)
    expect(reported.out).toContain('project rules .donecheck/rules/own.rules:1')
  })

  it('then a configuration of the project that loosens is wrong usage', async () => {
    const loose = join(project, 'loose.json')
    await writeFile(loose, '{"sandbox":"off"}')
    await expect(kindOf('ls', { config: loose })).rejects.toThrow('use --sandbox')
  })
})

describe('given a work folder that is none', () => {
  it('then it is refused, whatever is asked', async () => {
    const flags = { workdir: 'gone' }
    for (const asked of [
      checked(['ls'], flags),
      checked([], { ...flags, script: 'ls' }),
      explained(['ls'], flags),
    ])
      await expect(asked).rejects.toThrow(`the work folder ${join(folder, 'gone')} does not exist`)
  })
})

describe('given nothing to decide about, or too much', () => {
  it.each([
    [[], {}],
    [['ls'], { script: 'ls' }],
  ])('then it is wrong usage', async (words, flags) => {
    await expect(checked(words, flags)).rejects.toThrow(UsageError)
  })
})

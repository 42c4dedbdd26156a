/** Flags, keys and files that say what may run. Commands are not confined here, so that a question is what keeps them. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { inPlace } from './donecheck.ts'
import { mends, shell, tell } from './gate-run.ts'

const unconfined = ['--sandbox', 'off']
const forbidsMake =
  'prefix_rule(pattern=["make"], decision="forbidden", justification="use the script of the project")\n'
const allowsTouch = 'prefix_rule(pattern=["touch"], decision="allow")\n'
const told = '`make all` rejected: use the script of the project'

/** Where the agent can write, and where it cannot. */
const inProject = (config: object) => ({ 'donecheck.config.json': JSON.stringify(config) })
const outside = (config: object) => ({ '../own.json': JSON.stringify(config) })
const named = ['--config', '../own.json']

/** Exit code and what was said, of a run that must not begin. */
function refusedRun(files: Readonly<Record<string, string>>, words: readonly string[]) {
  return inPlace(files, async (place) => {
    const model = ['--base-url', 'http://127.0.0.1:9/v1', '--model', 'fake-model']
    const ended = await place.run(['run', '--until', 'sh check.sh', ...model, ...words, 'Mend it.'])
    return { exitCode: ended.exitCode, stderr: ended.stderr }
  })
}

describe('given --gate shadow', () => {
  it('what would have been asked runs, and the record says what it would have been', async () => {
    let isThere = true
    const story = await tell({
      steps: [shell('rm -rf build'), mends],
      words: ['--gate', 'shadow'],
      files: { 'build/out.txt': 'out\n' },
      then: async ({ folder }) => (isThere = existsSync(join(folder, 'build'))),
    })
    expect(isThere).toBe(false)
    expect(story.statuses[0]?.decision).toMatchObject({
      ...{ decision: 'allow', shadow: 'prompt', label: 'dangerous_command' },
      matches: [{ rule: 'built-in: forced removal', span: [0, 12] }],
    })
    expect(story.statuses[0]?.trace).toContain('only watched: would be prompt')
    expect(story.ended.stderr).toMatch(/would prompt: .*`rm -rf build` requires approval/)
    expect(story.ended.exitCode).toBe(0)
  })
})

describe('given --rules', () => {
  it('a rule that forbids holds wherever in a line the command stands, with its justification and place', async () => {
    const story = await tell({
      steps: [shell('cd src && (true | make all)'), mends],
      words: ['--rules', 'agent.rules', '--yes'],
      files: { 'agent.rules': `${allowsTouch}${forbidsMake}` },
    })
    expect(story.statuses[0]?.refusal).toMatchObject({ by: 'gate', label: 'policy_forbidden' })
    expect(story.statuses[0]?.answer).toBe(`Refused (gate): ${told}`)
    expect(story.statuses[0]?.decision?.matches).toMatchObject([
      { rule: 'prefix_rule make', words: ['make'], span: [18, 22] },
    ])
    expect(story.statuses[0]?.decision?.matches[0]?.source).toMatch(/^run rules .*\/agent\.rules:2$/)
    expect(story.ended.exitCode).toBe(0)
  })

  it.each([
    ['a rule that is no rule', `${allowsTouch}prefix_rule(pattern=[])\n`, 'agent.rules:2: '],
    ['an example that does not match', 'prefix_rule(pattern=["ls"], match=["cat"])\n', 'agent.rules:1: '],
    ['text in another language', 'import os\n', 'agent.rules:1'],
  ])('%s is wrong usage, with file and line', async (_name, text, place) => {
    const { exitCode, stderr } = await refusedRun({ 'agent.rules': text }, ['--rules', 'agent.rules'])
    expect(stderr).toContain(place)
    expect(exitCode).toBe(2)
  })
})

describe('given rules in .donecheck/rules of the project', () => {
  const files = { '.donecheck/rules/project.rules': `${forbidsMake}${allowsTouch}` }
  const steps = [shell('make all'), shell('touch made.txt'), mends]

  it('by default those that forbid hold, and those that allow do not', async () => {
    const story = await tell({ steps, files, words: unconfined })
    expect(story.statuses[0]?.answer).toContain(told)
    expect(story.statuses[0]?.decision?.matches).toMatchObject([
      { source: 'project rules .donecheck/rules/project.rules:1' },
    ])
    expect(story.statuses[1]?.refusal).toMatchObject({ label: 'approval_unavailable' })
  })

  it('one that cannot be read keeps the run from beginning', async () => {
    const broken = { '.donecheck/rules/project.rules': `${allowsTouch}oops(\n` }
    const { exitCode, stderr } = await refusedRun(broken, [])
    expect(stderr).toMatch(/\.donecheck\/rules\/project\.rules:\d/)
    expect(exitCode).toBe(2)
  })
})

describe('given the same in a configuration outside of the work folder', () => {
  it('every key says what its flag says', async () => {
    const config = {
      ...{ sandbox: 'off', projectRules: 'trusted', rules: ['agent.rules'] },
      commandRules: [
        { pattern: ['npm', 'publish'], decision: 'forbidden' },
        { paths: ['dist/**'], decision: 'forbidden' },
      ],
    }
    const story = await tell({
      steps: [
        shell('npm --silent publish'),
        shell('touch made.txt'),
        shell('ls'),
        shell('make all'),
        shell('echo x > dist/out.js'),
        mends,
      ],
      words: named,
      files: {
        ...outside(config),
        'agent.rules': forbidsMake,
        '.donecheck/rules/project.rules': allowsTouch,
      },
    })
    const labels = story.statuses.map(({ refusal }) => refusal?.label)
    expect(labels).toEqual([
      ...['policy_forbidden', undefined, undefined],
      ...['policy_forbidden', 'policy_forbidden', undefined],
    ])
    expect(story.statuses.flatMap(({ refusal }) => refusal?.by ?? [])).toEqual(['gate', 'gate', 'gate'])
    expect(story.ended.exitCode).toBe(0)
  })

  it('granular approval refuses the kinds of questions that are off, each with its reason', async () => {
    const granular = { rules: false, sandbox_approval: true, opaque: false, changes: true }
    const story = await tell({
      steps: [shell('rm -rf src'), shell('rm $leftovers'), shell('ls'), shell('touch made.txt'), mends],
      words: unconfined,
      files: inProject({ approval: { granular } }),
    })
    expect(story.statuses[0]?.refusal).toMatchObject({ by: 'gate', label: 'dangerous_command' })
    expect(story.statuses[0]?.answer).toContain('questions of the kind rules are switched off')
    expect(story.statuses[1]?.refusal).toMatchObject({ by: 'gate', label: 'opaque_command' })
    expect(story.statuses[1]?.answer).toContain('questions of the kind opaque are switched off')
    expect(story.statuses[3]?.refusal).toMatchObject({ by: 'approver' })
  })

  it.each([
    [{ commandRules: [{ pattern: [] }] }, 'commandRules'],
    [{ approval: 'sometimes' }, 'approval'],
    [{ approval: { granular: { rules: true } } }, 'approval'],
    [{ sandbox: 'docker' }, 'sandbox'],
  ])('%j is wrong usage that names the key', async (config, key) => {
    const { exitCode, stderr } = await refusedRun(inProject(config), [])
    expect(stderr).toContain(key)
    expect(exitCode).toBe(2)
  })
})

describe('given a configuration in the work folder, where the agent can write', () => {
  const commandRules = [
    { pattern: ['make'], decision: 'forbidden', justification: 'use the script of the project' },
    { pattern: ['touch'], decision: 'allow' },
    { pattern: ['shred'], decision: 'allow', overridesBuiltInRules: true },
  ]
  const steps = [shell('make all'), shell('touch made.txt'), shell('shred made.txt'), mends]

  it('its rules are those of the project: they forbid, allow nothing, and take nothing out of the built-in rules', async () => {
    const story = await tell({ steps, words: unconfined, files: inProject({ commandRules }) })
    expect(story.statuses[0]?.answer).toContain(told)
    expect(story.statuses[0]?.decision?.matches).toMatchObject([{ source: 'project rules' }])
    expect(story.statuses[1]?.refusal).toMatchObject({ label: 'approval_unavailable' })
    expect(story.statuses[2]?.refusal).toMatchObject({ label: 'dangerous_command' })
    const trusted = await tell({
      steps,
      words: [...unconfined, 'DONECHECK_PROJECT_RULES=trusted'],
      files: inProject({ commandRules }),
    })
    expect(trusted.statuses[1]?.refusal).toBeUndefined()
    expect(trusted.statuses[2]?.refusal).toMatchObject({ label: 'dangerous_command' })
  })

  it('the same rules of the environment are those of the run', async () => {
    const environment = { DONECHECK_COMMAND_RULES: JSON.stringify(commandRules) }
    const story = await tell({ steps, words: unconfined, environment })
    expect(story.statuses[0]?.decision?.matches).toMatchObject([{ source: 'run rules' }])
    expect(story.statuses.slice(1, 3).map(({ refusal }) => refusal)).toEqual([undefined, undefined])
  })

  it.each([
    [{ yes: true }, '--yes'],
    [{ gate: 'shadow' }, '--gate'],
    [{ sandbox: 'off' }, '--sandbox'],
    [{ allowNetwork: true }, 'DONECHECK_ALLOW_NETWORK'],
    [{ writable: ['/srv'] }, 'DONECHECK_WRITABLE'],
    [{ rules: ['agent.rules'] }, '--rules'],
    [{ projectRules: 'trusted' }, 'DONECHECK_PROJECT_RULES'],
    [{ keptRules: { 'a.rules': allowsTouch } }, 'rules'],
  ])('%j is wrong usage that names the way out', async (config, way) => {
    const { exitCode, stderr } = await refusedRun(inProject(config), [])
    expect(stderr).toContain('cannot be set')
    expect(stderr).toContain(`use ${way}`)
    expect(exitCode).toBe(2)
  })
})

describe('given commands that nothing confines', () => {
  it('what holds secrets is not simply read', async () => {
    const story = await tell({
      steps: [shell('cat ~/.ssh/id_rsa'), shell('cat < $HOME/.npmrc'), shell('cat check.sh'), mends],
      words: [...unconfined, '--approval', 'never'],
    })
    expect(story.statuses.map(({ refusal }) => refusal?.label)).toEqual([
      ...['dangerous_command', 'dangerous_command', undefined, undefined],
    ])
    expect(story.statuses[0]?.answer).toContain('reading of keys and credentials')
  })
})

/** The real Claude Code in the outer loop: every call is put before our gate, and runs only after its yes. */
import { join } from 'node:path'
import { expect, it } from 'vitest'
import {
  check,
  describeWith,
  inPlace,
  linesOfType,
  mends,
  redProject,
  shellCall,
  type Ended,
  type Place,
  type PlaceOptions,
  type ScriptedStep,
} from '../kit/index.ts'

const line = 'claude --model claude-sonnet-4-5'
const bash = (script: string) => shellCall('claude', script)
/** A command that Claude Code itself would ask a person for. */
const needsPermission = bash('node -e "console.log(6*7)"')
/** One that it protects by itself. */
const protectedFile = '.claude/commands/x.md'

function inPlaceOf(
  steps: readonly ScriptedStep[],
  work: (place: Place) => Promise<void>,
  options: Partial<PlaceOptions> = {},
): Promise<void> {
  return inPlace({ agents: ['claude'], git: true, files: redProject, script: { steps }, ...options }, work)
}

function words(...more: readonly string[]): readonly string[] {
  const agent = more.includes('--agent') ? [] : ['--agent', line]
  return ['run', '--events', ...agent, '--until', check, ...more, 'Create done.txt']
}

async function withRule(place: Place, rule: string): Promise<readonly string[]> {
  const file = join(place.outside, 'own.rules')
  await place.write(file, `${rule}\n`)
  return ['--rules', file]
}

function resultOf({ stdout }: Ended): Readonly<Record<string, unknown>> {
  return linesOfType(stdout, 'result').at(-1) ?? {}
}

const noTouching =
  'prefix_rule(pattern = ["touch"], decision = "forbidden", justification = "files are made by hand")'

describeWith('claude', 'given a command that a rule forbids, and that nobody is to be asked', () => {
  it('sees what a sub-agent does, waits for it, and runs there what its user would be asked for, but not what is forbidden', async () => {
    const task = { description: 'mend', prompt: 'do it', subagent_type: 'general-purpose' }
    const below: ScriptedStep[] = [
      bash('touch forbidden.txt'),
      needsPermission,
      mends('claude'),
      { text: 'It is done.' },
    ]
    let next = 0
    const told: string[] = []
    const steps = [
      { tool: 'Task', args: task },
      (request: { readonly told: string; readonly body: Readonly<Record<string, unknown>> }) => {
        if (!JSON.stringify(request.body['messages']).includes('"do it"'))
          return { text: 'It is being done.' }
        told.push(request.told)
        const step = below[Math.min(next, below.length - 1)] ?? { text: 'Done.' }
        next += 1
        return typeof step === 'function' ? { text: '' } : step
      },
    ]
    await inPlaceOf(steps, async (place) => {
      const more = ['--approval', 'never', '--final-summary', 'off']
      const ended = await place.donecheck(words(...(await withRule(place, noTouching)), ...more))
      expect(told.join('\n'), 'its user would be asked').toContain('42')
      expect(ended.stdout).toContain('files are made by hand')
      expect(place.has('forbidden.txt')).toBe(false)
      expect(place.has('done.txt')).toBe(true)
      expect(ended.exitCode, ended.output).toBe(0)
      const called = linesOfType(ended.stdout, 'tool-called').map((event) => event['tool'])
      expect(called).toEqual(expect.arrayContaining(['Task', 'Bash']))
      expect(resultOf(ended)).toMatchObject({ turns: 1 })
      expect(await place.leftovers()).toEqual([])
    })
  })
})

describeWith('claude', 'given nobody who can be asked', () => {
  it('runs nothing that a rule forbids or its user would be asked for, and tells the model why', async () => {
    const options = ['a', 'b'].map((label) => ({ label, description: label }))
    const questions = [{ question: 'Which?', header: 'which', multiSelect: false, options }]
    const steps = [
      bash('touch forbidden.txt'),
      needsPermission,
      { tool: 'Write', args: { file_path: protectedFile, content: 'x' } },
      { tool: 'AskUserQuestion', args: { questions } },
      mends('claude'),
      { text: 'Done.' },
    ]
    await inPlaceOf(steps, async (place) => {
      const ended = await place.donecheck(words(...(await withRule(place, noTouching))))
      expect(ended.exitCode, ended.output).toBe(0)
      const told = place.server.turns.map((turn) => turn.told)
      expect(told[1]).toContain('files are made by hand')
      expect(place.has('forbidden.txt')).toBe(false)
      expect(told[2]).toContain('requires approval')
      expect(told[2]).toContain('nobody can be asked')
      expect(place.has(protectedFile)).toBe(false)
      expect(told[4]).toContain('This session is unattended')
      expect(resultOf(ended)).toMatchObject({ turns: 1, usage: { totalTokens: 6 * 1050 } })
      expect(await place.leftovers()).toEqual([])
    })
  })
})

describeWith('claude', 'given --yes for whatever its user would be asked', () => {
  const ownSettings = '.claude/settings.local.json'

  it('runs it, but nothing that its own settings deny, that lies outside, or that watches over it', async () => {
    const writes = (path: string) => ({ tool: 'Write', args: { file_path: path, content: '{}' } })
    const steps = [
      needsPermission,
      writes(protectedFile),
      bash('touch forbidden.txt'),
      writes('../outside/out.txt'),
      bash(`mkdir -p .claude && echo '{}' > ${ownSettings}`),
      writes(ownSettings),
      mends('claude'),
      { text: 'Done.' },
    ]
    const settings = JSON.stringify({ permissions: { deny: ['Bash(touch *)'] } })
    const files = { ...redProject, '.claude/settings.json': settings }
    const look = async (place: Place) => {
      const rule = 'prefix_rule(pattern = ["touch"], decision = "allow")'
      const ended = await place.donecheck(words(...(await withRule(place, rule)), '--yes'))
      expect(ended.exitCode, ended.output).toBe(0)
      const told = place.server.turns.map((turn) => turn.told)
      expect(told[1]).toContain('42')
      expect(place.has(protectedFile)).toBe(true)
      expect(place.has('forbidden.txt')).toBe(false)
      expect(told[4]).toContain('outside of the work folder')
      expect(place.has(join(place.outside, 'out.txt'))).toBe(false)
      expect(told[5]).toContain('watches over this work')
      expect(told[6]).toContain('watches over this work')
      expect(place.has(ownSettings)).toBe(false)
    }
    await inPlaceOf(steps, look, { files })
  })
})

describeWith('claude', 'given words of the user that let everything run', () => {
  it('runs nothing that a rule forbids, and refuses the same call again and again before it runs', async () => {
    await inPlaceOf([bash('touch forbidden.txt'), bash('echo again >> count.txt')], async (place) => {
      const agent = ['--agent', `${line} --permission-mode bypassPermissions`, '--final-summary', 'off']
      const ended = await place.donecheck(words(...agent, ...(await withRule(place, noTouching))))
      expect(ended.exitCode, ended.output).toBe(3)
      expect(place.has('forbidden.txt')).toBe(false)
      const ran = linesOfType(ended.stdout, 'tool-called').length
      const refused = linesOfType(ended.stdout, 'tool-refused').filter((event) => event['by'] === 'detector')
      expect(refused.length).toBeGreaterThan(0)
      expect((await place.read('count.txt')).split('\n').filter((each) => each !== '')).toHaveLength(ran)
      expect(await place.leftovers()).toEqual([])
    })
  })
})

describeWith('claude', 'given that whoever is asked is gone', () => {
  it('does not run the call: nothing but a yes lets it', async () => {
    await inPlaceOf([bash('echo ran > ran.txt'), { text: 'Done.' }], async (place) => {
      const asks = ['--input-format', 'stream-json', '--permission-prompt-tool', 'stdio']
      const tells = ['-p', '--output-format', 'stream-json', '--verbose', '--model', 'claude-sonnet-4-5']
      const agent = place.startAgent('claude', [...tells, ...asks, '--permission-mode', 'acceptEdits'], {
        holdsInput: true,
      })
      const hooks = { PreToolUse: [{ hookCallbackIds: ['ours'], timeout: 1_000_000, onFailure: 'block' }] }
      const request = { subtype: 'initialize', hooks }
      agent.write(JSON.stringify({ type: 'control_request', request_id: 'opening', request }))
      agent.write(JSON.stringify({ type: 'user', message: { role: 'user', content: 'do it' } }))
      await agent.shows('"hook_callback"')
      agent.endInput()
      await agent.ended
      expect(place.has('ran.txt')).toBe(false)
    })
  })
})

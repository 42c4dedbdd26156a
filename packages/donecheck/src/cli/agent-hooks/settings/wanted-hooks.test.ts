import { describe, expect, it } from 'vitest'
import { hookedAgentNames } from '@donecheck/agents/internal/protocol/registry'
import { readSettings, withHooks } from '@donecheck/agents/internal/protocol/settings'
import { readHookCall } from '../../hook/call.ts'
import { type InstalledHooks, changedEntries, wantedHooks } from './settings-file.ts'
import { loadHookedAgent, type HookedAgent } from '../../agents/agents.ts'

const file = '/home/ada/settings.json'

function installed(agent: HookedAgent, change: (text: string) => string = (text) => text): InstalledHooks {
  const { settings } = agent
  const wanted = wantedHooks({
    ...{ agent, timeoutSeconds: 240 },
    ...{ node: '/opt/node', program: '/opt/donecheck/bin/donecheck.js' },
  })
  const read = readSettings(change(withHooks(undefined, wanted, settings)), settings)
  const hooks = read.kind === 'read' ? read.hooks : []
  const ours = hooks.flatMap((hook) => (hook.ours === undefined ? [] : [{ ...hook, ours: hook.ours }]))
  return { scope: 'user', file, ours, others: [] }
}

describe.each(hookedAgentNames)('given hooks in %s', (name) => {
  it('then nothing is said of them as install wrote them', async () => {
    const agent = await loadHookedAgent(name)
    expect(changedEntries(agent, installed(agent))).toEqual([])
    expect(installed(agent).ours).toHaveLength(agent.protocol.registrations.length)
  })
})

describe('given an agent with a bound of its own', () => {
  it('then no hook asks for more time than it gives', async () => {
    const { ours } = installed(await loadHookedAgent('codex'))
    const times = Object.fromEntries(ours.map(({ event, entry }) => [event, entry['timeout']]))
    expect(times).toMatchObject({ SessionEnd: 3, SessionStart: 60, Stop: 240 })
    expect(readHookCall(['codex', 'SessionEnd'])).toMatchObject({ timeoutSeconds: 3 })
  })
})

describe('given hooks that somebody has changed by hand', () => {
  it('then a time-out, a matcher and a flag that are not ours are told', async () => {
    const agent = await loadHookedAgent('claude-code')
    const hooks = installed(agent, (text) =>
      text
        .replace('"timeout": 240', '"timeout": 5')
        .replace('"PreToolUse": [\n      {', '"PreToolUse": [\n      {\n        "matcher": "Read",')
        .replace('"type": "command"', '"type": "command",\n            "async": true'),
    )
    expect(changedEntries(agent, hooks)).toEqual([
      `${file}: the hook of SessionStart says async: true instead of nothing; install it again`,
      `${file}: the hook of PreToolUse says matcher: "Read" instead of nothing; install it again`,
      `${file}: the hook of Stop says timeout: 5 instead of 240; install it again`,
    ])
  })

  it('then a line that answers something else when the program is gone is told', async () => {
    const agent = await loadHookedAgent('gemini')
    const hooks = installed(agent, (text) => text.replace('nothing is checked', 'all is well'))
    expect(changedEntries(agent, hooks).join()).toContain('says command:')
  })
})

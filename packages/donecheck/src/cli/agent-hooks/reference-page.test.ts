import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { hookedAgentNames } from '@donecheck/agents/internal/protocol/registry'
import { loadHookedAgent } from '../agents/agents.ts'

const page = readFileSync(
  fileURLToPath(new URL('../../../../../docs/reference/agent-hooks.md', import.meta.url)),
  'utf8',
)

it.each(hookedAgentNames)(
  '%s stands there with its files and its hooks, those that verify in bold',
  async (name) => {
    const { protocol, settings } = await loadHookedAgent(name)
    const row = page.split('\n').find((line) => line.startsWith(`| \`${name}\``)) ?? ''
    const [, , files = '', hooks = ''] = row.split('|')
    const place = { homeFolder: '~', workFolder: '/', environment: {} }
    expect(files).toContain(`\`${settings.file('user', place)}\``)
    expect(files).toContain(`\`${settings.file('project', place).slice(1)}\``)
    const words = [...hooks.replaceAll(/\([^)]*\)/gu, '').matchAll(/`(\w+)`/gu)].map(([, word]) => word)
    expect(words).toEqual(protocol.registrations.map(({ event, as }) => as ?? event))
    const bold = [...hooks.matchAll(/\*\*`(\w+)`\*\*/gu)].map(([, word]) => word)
    const verifying = protocol.registrations.filter(({ verifies }) => verifies === true)
    expect(bold).toEqual(verifying.map(({ event, as }) => as ?? event))
  },
)

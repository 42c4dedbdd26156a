/** A run changes nothing of its user's but the work folder: their settings are afterwards what they were, for every real agent. */
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { sha256 } from '@donecheck/engine/base'
import { check, describeWith, inPlace, mends, redProject, type AgentName, type Place } from '../kit/index.ts'

interface Row {
  readonly agent: AgentName
  /** Behind `--agent`. */
  readonly lines: readonly string[]
  /** Below the home folder: what its user writes, and what decides what it may do. Absent ones must stay absent. */
  readonly settings: readonly string[]
}

const codex = ['config.toml', 'hooks.json', 'AGENTS.md', 'rules/default.rules'].map(
  (file) => `.codex/${file}`,
)

const rows: readonly Row[] = [
  { agent: 'codex', lines: ['codex', 'codex -s danger-full-access'], settings: codex },
  { agent: 'codex-acp', lines: ['acp:codex-acp'], settings: codex },
  {
    agent: 'claude',
    lines: ['claude'],
    settings: ['.claude/settings.json', '.claude/settings.local.json', '.claude/CLAUDE.md'],
  },
  {
    agent: 'gemini',
    lines: ['gemini -m gemini-2.5-pro --yolo'],
    settings: ['.gemini/settings.json', '.gemini/trustedFolders.json', '.gemini/GEMINI.md'],
  },
  {
    agent: 'opencode',
    lines: ['opencode'],
    settings: ['.config/opencode/opencode.json', '.config/opencode/AGENTS.md'],
  },
]

const testTimeoutMs = 300_000

/** Some put their own settings in order when they are started: what they leave behind without us is what counts. */
const startsBare: readonly AgentName[] = ['gemini', 'opencode']

async function digests({ home }: Place, settings: readonly string[]): Promise<Record<string, string | null>> {
  const found = settings.map(async (name): Promise<[string, string | null]> => {
    const file = join(home, name)
    return [name, existsSync(file) ? sha256(await readFile(file, 'utf8')) : null]
  })
  return Object.fromEntries(await Promise.all(found))
}

for (const { agent, lines, settings } of rows)
  describeWith(agent, `given settings of the user of ${agent}`, () => {
    it.each(lines)(
      'leaves them as they were after a run of %s',
      async (line) => {
        const isBare = startsBare.includes(agent)
        const steps = [...(isBare ? [{ text: 'Hello.' }] : []), mends(agent), { text: 'Done.' }]
        await inPlace(
          {
            agents: [agent],
            files: redProject,
            git: true,
            script: { steps, sideSteps: [{ text: 'A title' }] },
          },
          async (place) => {
            if (isBare) await place.prompt(agent, 'Say hello')
            const before = await digests(place, settings)
            const ended = await place.donecheck([
              'run',
              '--agent',
              line,
              '--no-final-summary',
              '--until',
              check,
              'x',
            ])
            expect(ended.exitCode, ended.stderr).toBe(0)
            expect(await digests(place, settings)).toEqual(before)
          },
        )
      },
      testTimeoutMs,
    )
  })

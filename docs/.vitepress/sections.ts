/** The pages of the site, in reading order. */
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

export const docsFolder = path.join(import.meta.dirname, '..')

export interface Section {
  readonly title: string
  readonly isOpen?: boolean
  /** Paths below `docs/`, without `.md`. */
  readonly pages: readonly string[]
}

/** The six guides; their paths are below `docs/guide/`. */
export const guides: readonly Section[] = [
  { title: 'Start', isOpen: true, pages: ['start', 'session', 'troubleshooting'] },
  {
    title: 'Run an agent unattended',
    isOpen: true,
    pages: ['running', 'stopping', 'goals', 'skills', 'memory', 'replies'],
  },
  {
    title: 'Make your agent pass your checks',
    pages: [
      'agents',
      'agents/claude-code',
      'agents/codex',
      'agents/gemini-cli',
      'agents/others',
      'agents/acp',
      'agents/mcp',
      'agents/hooks',
      'permissions',
    ],
  },
  {
    title: 'Verify in CI',
    pages: ['ci', 'verification', 'tamper-guard', 'stronger-checks', 'judges'],
  },
  { title: 'Build your own loop', pages: ['library', 'sdks', 'environments', 'conformance'] },
  {
    title: 'Run it for a team',
    pages: ['service', 'webhooks', 'telemetry', 'insights', 'fleet', 'fleet-scaling', 'postgres'],
  },
]

export const sections: readonly Section[] = [
  ...guides.map((guide) => ({ ...guide, pages: guide.pages.map((page) => `guide/${page}`) })),
  { title: 'Reference', pages: listPages('reference') },
  { title: 'Measurements', pages: listPages('measured') },
  { title: 'Contributing', pages: ['guide/releasing', ...listPages('decisions')] },
]

/** Returns the first heading of a page. */
export function headingOf(page: string): string {
  const text = readFileSync(path.join(docsFolder, `${page}.md`), 'utf8')
  return /^# (.+)$/m.exec(text)?.[1]?.replaceAll('`', '') ?? page
}

function listPages(folder: string): readonly string[] {
  const names = readdirSync(path.join(docsFolder, folder)).filter((name) => name.endsWith('.md'))
  return names.map((name) => `${folder}/${name.replace(/\.md$/, '')}`).toSorted()
}

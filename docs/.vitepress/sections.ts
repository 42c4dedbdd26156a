/** Which pages the site has, in the order in which one may want them. */
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

export const docsFolder = path.join(import.meta.dirname, '..')

export interface Section {
  readonly title: string
  readonly isOpen?: boolean
  /** Paths below `docs/`, without `.md`. */
  readonly pages: readonly string[]
}

const tasks = [
  'claude-code',
  'unattended',
  'budget',
  'changed-tests',
  'ci',
  'why-it-stopped',
  'prose',
  'parts',
  'permissions',
  'library',
]

export const sections: readonly Section[] = [
  { title: 'Tasks', isOpen: true, pages: below('tasks', tasks) },
  {
    title: 'Running',
    isOpen: true,
    pages: below('guide', [
      'first-five-minutes',
      'session',
      'running',
      'stopping',
      'goals',
      'skills',
      'permissions',
      'troubleshooting',
    ]),
  },
  {
    title: 'Checking',
    isOpen: true,
    pages: below('guide', [
      'verification',
      'stronger-checks',
      'tamper-guard',
      'judges',
      'replies',
      'ci',
      'conformance',
    ]),
  },
  { title: 'Agents', pages: ['guide/agents', ...pagesIn('guide/agents')] },
  {
    title: 'Learning from runs',
    pages: below('guide', [
      'service',
      'webhooks',
      'page',
      'telemetry',
      'fleet',
      'fleet-parts',
      'fleet-size',
      'postgres',
      'memory',
      'insights',
      'backtest',
      'environments',
    ]),
  },
  { title: 'The library', pages: ['guide/library', 'reference/api'] },
  { title: 'Reference', pages: pagesIn('reference').filter((page) => page !== 'reference/api') },
  { title: 'Contributing', pages: ['guide/releasing'] },
  { title: 'Measured', pages: pagesIn('measured') },
  { title: 'Decisions', pages: pagesIn('decisions') },
]

/** The first heading of a page. */
export function headingOf(page: string): string {
  const text = readFileSync(path.join(docsFolder, `${page}.md`), 'utf8')
  return /^# (.+)$/m.exec(text)?.[1]?.replaceAll('`', '') ?? page
}

function pagesIn(folder: string): readonly string[] {
  const names = readdirSync(path.join(docsFolder, folder)).filter((name) => name.endsWith('.md'))
  return below(folder, names.map((name) => name.replace(/\.md$/, '')).toSorted())
}

function below(folder: string, names: readonly string[]): readonly string[] {
  return names.map((name) => `${folder}/${name}`)
}

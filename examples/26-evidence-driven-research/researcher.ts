/** The researcher: answers one question a turn with words of the corpus, and asks what the sources that it cites leave open. */
import type { SubGoal } from '@donecheck/core'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'

export const reportFile = 'report.md'

function read(folder: string, name: string): string {
  const file = path.join(folder, 'corpus', `${name}.md`)
  return existsSync(file) ? readFileSync(file, 'utf8').replaceAll('\n', ' ') : ''
}

/** Sources whose questions are answered in the report so far. */
export function answeredIn(folder: string): readonly string[] {
  const file = path.join(folder, reportFile)
  if (!existsSync(file)) return []
  return [...readFileSync(file, 'utf8').matchAll(/^## (.+)$/gmu)].map(([, name = '']) => name)
}

/** What a source says of its own subject: its last sentence that names it. Where there is no source, what anybody would say. */
function thesisOf(folder: string, name: string): string {
  const [subject = ''] = name.split('-')
  const sentences = read(folder, name).match(/[A-Z][^.#]+\./gu) ?? []
  return (
    sentences.filter((one) => one.toLowerCase().includes(subject.replace(/s$/u, ''))).at(-1) ??
    'It survives restarts.'
  )
}

/** @param invents what the newest claim quotes stands in no source */
export function writeReport(folder: string, questions: readonly string[], invents: boolean): void {
  const sections = questions.map((name, index) => {
    const words = invents && index === questions.length - 1 ? 'is always faster' : thesisOf(folder, name)
    return `## ${name}\n\n- "${words}" [source: ${name}]\n`
  })
  writeFileSync(path.join(folder, reportFile), `# Keeping state\n\n${sections.join('\n')}`)
}

/** What cited sources refer to, and nobody has asked about. */
export function gapsOf(folder: string, asked: readonly string[], cited: string): readonly string[] {
  const list = /See also: ([^.]+)\./u.exec(read(folder, cited))?.[1]?.split(', ') ?? []
  return list.filter((name) => !asked.includes(name))
}

/** A part of the goal: it is closed when its section is there and its words are found in the corpus. */
export function question(name: string): SubGoal {
  const checks = [checkOf(name), 'citations']
  const title = `What do the sources say of ${name}?`
  return { id: name, title, checks, after: [], parentId: null, isProposed: false }
}

export const checkOf = (name: string) => `grep -q '^## ${name}$' ${reportFile}`

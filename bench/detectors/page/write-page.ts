/** Puts the page into docs/measured. */
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { sectionsOf, type Findings, type Section } from './sections.ts'
import { biases, introduction } from './words.ts'

const file = fileURLToPath(new URL('../../../docs/measured/detectors.md', import.meta.url))

export function writePage(findings: Findings): void {
  writeFileSync(file, `${introduction}\n\n${textOf(sectionsOf(findings))}\n\n${biases}\n`)
}

/** The sections as one text. */
export function textOf(sections: readonly Section[]): string {
  return sections.map(({ title, text }) => `## ${title}\n\n${text}`).join('\n\n')
}

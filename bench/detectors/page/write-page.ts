/** Puts the page and its pictures into docs/measured. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { figuresOf } from '../measure/figures.ts'
import { dataSetGroups, judgedGroup, type Group } from '../measure/groups.ts'
import { pictureOf } from '@donecheck/engine/backtest'
import { sectionsOf, type Findings, type Section } from './sections.ts'
import { biases, introduction } from './words.ts'

const folder = fileURLToPath(new URL('../../../docs/measured/', import.meta.url))
const pictures = 'detectors'

export function writePage(findings: Findings): void {
  rmSync(`${folder}${pictures}`, { recursive: true, force: true })
  mkdirSync(`${folder}${pictures}`, { recursive: true })
  const all = { ...judgedGroup(findings.runs), name: 'all sets' }
  for (const group of [all, ...dataSetGroups(findings.runs)].filter(hasBothOutcomes)) {
    writeFileSync(`${folder}${pictureFile(group.name)}`, pictureOfGroup(findings, group))
  }
  const shown = dataSetGroups(findings.runs).filter(hasBothOutcomes)
  const pictureFor = (name: string) =>
    shown.some((group) => group.name === name) ? pictureLine(name) : undefined
  const sections = sectionsOf(findings, pictureFor)
  writeFileSync(`${folder}detectors.md`, pageOf(sections, pictureLine(all.name)))
}

/** The sections as one text. */
export function textOf(sections: readonly Section[]): string {
  return sections.map(({ title, text }) => `## ${title}\n\n${text}`).join('\n\n')
}

function pageOf(sections: readonly Section[], picture: string): string {
  return `${introduction}\n\n${picture}\n\n${textOf(sections)}\n\n${biases}\n`
}

/** Without resolved or without unresolved runs there is nothing to set against each other. */
function hasBothOutcomes({ runs }: Group): boolean {
  return runs.some(({ resolved }) => resolved === true) && runs.some(({ resolved }) => resolved === false)
}

function pictureOfGroup({ detectors }: Findings, { name, runs }: Group): string {
  const { resolved, unresolved } = figuresOf(runs, detectors[0]?.name ?? '')
  const dots = detectors.map(({ name: detector }) => {
    const { killedShare = 0, calls } = figuresOf(runs, detector)
    return { name: detector, killedShare, savedShare: calls.share ?? 0 }
  })
  return pictureOf(
    `Loop detectors on ${name}`,
    `${resolved} resolved and ${unresolved} unresolved runs`,
    dots,
    { killed: 0.1, saved: 5.5 },
  )
}

function pictureLine(name: string): string {
  return `![${name}: harm against use](${pictureFile(name)})`
}

function pictureFile(name: string): string {
  return `${pictures}/${name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replace(/-$/, '')}.svg`
}

/** Every probe, with a stable id. */
import type { Probe, ProbeDraft } from '../probe.ts'
import { duringTheCheck } from './during-the-check.ts'
import { goProbes } from './go.ts'
import { hardCoded } from './hard-coded.ts'
import { honestForms } from './honest-forms.ts'
import { honestProbes } from './honest.ts'
import { javascriptProbes } from './javascript.ts'
import { pythonProbes } from './python.ts'
import { rustProbes } from './rust.ts'
import { shellProbes } from './shell.ts'
import { standIns } from './stand-ins.ts'

const drafts: readonly ProbeDraft[] = [
  ...javascriptProbes,
  ...pythonProbes,
  ...goProbes,
  ...rustProbes,
  ...shellProbes,
  ...hardCoded,
  ...standIns,
  ...duringTheCheck,
  ...honestProbes,
  ...honestForms,
]

export const probes: readonly Probe[] = drafts.map((draft, index) => {
  const earlier = drafts.slice(0, index).filter(({ kind }) => kind === draft.kind)
  const letter = draft.kind === 'tamper' ? 'T' : 'H'
  return { ...draft, id: `${letter}${String(earlier.length + 1).padStart(3, '0')}` }
})

/** Those whose id, kind, project, family or title holds the words. */
export function withWords(all: readonly Probe[], words: string): readonly Probe[] {
  return all.filter(({ id, kind, project, family, title }) =>
    `${id} ${kind} ${project} ${family} ${title}`.toLowerCase().includes(words.toLowerCase()),
  )
}

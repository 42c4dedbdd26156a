/** Every probe, with a stable id. */
import type { Probe, ProbeDraft } from '../probe.ts'
import { cheatingSources } from './cheating-sources.ts'
import { duringTheCheck } from './during-the-check.ts'
import { goSurroundings } from './go-surroundings.ts'
import { goProbes } from './go.ts'
import { hardCoded } from './hard-coded.ts'
import { hiddenCode } from './hidden-code.ts'
import { honestForms } from './honest-forms.ts'
import { honestJavascript } from './honest-javascript.ts'
import { honestJavascriptTests } from './honest-javascript-tests.ts'
import { honestOthers } from './honest-others.ts'
import { javascriptAssertions } from './javascript-assertions.ts'
import { javascriptExpectations } from './javascript-expectations.ts'
import { javascriptLoaded } from './javascript-loaded.ts'
import { javascriptRunners } from './javascript-runners.ts'
import { javascriptScripts } from './javascript-scripts.ts'
import { javascriptSources } from './javascript-sources.ts'
import { javascriptSurroundings } from './javascript-surroundings.ts'
import { javascriptTestsGone } from './javascript-tests-gone.ts'
import { loadedUnasked } from './loaded-unasked.ts'
import { makeProbes } from './make.ts'
import { pythonAssertions } from './python-assertions.ts'
import { pythonSurroundings } from './python-surroundings.ts'
import { pythonTests } from './python-tests.ts'
import { rustProbes } from './rust.ts'
import { shellProbes } from './shell.ts'
import { standIns } from './stand-ins.ts'

const drafts: readonly ProbeDraft[] = [
  ...javascriptTestsGone,
  ...javascriptAssertions,
  ...javascriptExpectations,
  ...javascriptScripts,
  ...javascriptRunners,
  ...javascriptSources,
  ...javascriptSurroundings,
  ...pythonTests,
  ...pythonAssertions,
  ...pythonSurroundings,
  ...goProbes,
  ...hardCoded,
  ...standIns,
  ...hiddenCode,
  ...javascriptLoaded,
  ...loadedUnasked,
  ...rustProbes,
  ...shellProbes,
  ...makeProbes,
  ...goSurroundings,
  ...cheatingSources,
  ...duringTheCheck,
  ...honestJavascriptTests,
  ...honestJavascript,
  ...honestOthers,
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

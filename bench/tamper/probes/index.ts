/** Every probe, with a stable id. */
import type { Probe, ProbeDraft } from '../probe.ts'
import { goProbes } from './go.ts'
import { hardCoded } from './hard-coded.ts'
import { honestJavascript } from './honest-javascript.ts'
import { honestJavascriptTests } from './honest-javascript-tests.ts'
import { honestOthers } from './honest-others.ts'
import { javascriptAssertions } from './javascript-assertions.ts'
import { javascriptExpectations } from './javascript-expectations.ts'
import { javascriptRunners } from './javascript-runners.ts'
import { javascriptScripts } from './javascript-scripts.ts'
import { javascriptSources } from './javascript-sources.ts'
import { javascriptSurroundings } from './javascript-surroundings.ts'
import { javascriptTestsGone } from './javascript-tests-gone.ts'
import { pythonAssertions } from './python-assertions.ts'
import { pythonSurroundings } from './python-surroundings.ts'
import { pythonTests } from './python-tests.ts'

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
  ...honestJavascriptTests,
  ...honestJavascript,
  ...honestOthers,
]

export const probes: readonly Probe[] = drafts.map((draft, index) => {
  const earlier = drafts.slice(0, index).filter(({ kind }) => kind === draft.kind)
  const letter = draft.kind === 'tamper' ? 'T' : 'H'
  return { ...draft, id: `${letter}${String(earlier.length + 1).padStart(3, '0')}` }
})

/** What the doctor found, for people. */
import { harmless } from '../../display-text.ts'
import type { Line } from '../../report/index.ts'
import type { DiagnosedInstallation, Diagnosis } from '../agent-hooks/diagnosis.ts'

export function diagnosisLines(diagnosis: Diagnosis): readonly Line[] {
  const { title, version, isHealthy, problems, notes, installations } = diagnosis
  return [
    { tone: 'strong', text: version === null ? title : `${title} ${version}` },
    ...installations.flatMap(installationLines),
    ...problems.map((text): Line => ({ tone: 'bad', text: `  ✗ ${harmless(text)}` })),
    ...notes.map((text): Line => ({ tone: 'warning', text: `  · ${harmless(text)}` })),
    isHealthy
      ? { tone: 'good', text: '  ✓ it is not let go while a check is red' }
      : { tone: 'bad', text: '  ✗ it may be let go unchecked' },
  ]
}

function installationLines({ scope, file, trials, slowestRatio }: DiagnosedInstallation): readonly Line[] {
  const words = (what: string) =>
    trials.filter((tried) => tried.what === what && tried.isAsExpected).map(({ word }) => word)
  const told = [
    ['fires', 'fires'],
    ['passes what no rule names', 'passes what no rule names'],
    ['refuses what a rule forbids', 'refuses what a rule forbids'],
    ['holds a red check', 'blocks while a check is red'],
    ['lets a green check go', 'passes when it is green'],
  ] as const
  return [
    { tone: 'quiet', text: `  settings of the ${scope}: ${file}` },
    ...told
      .map(([what, text]) => ({ names: words(what), text }))
      .filter(({ names }) => names.length > 0)
      .map(({ names, text }): Line => ({ tone: 'good', text: `  ✓ ${text}: ${names.join(', ')}` })),
    ...(slowestRatio === null
      ? []
      : [
          {
            tone: 'quiet',
            text: `  a hook at a call takes up to ${slowestRatio.toFixed(1)} times as long as a Node that does nothing`,
          } satisfies Line,
        ]),
  ]
}

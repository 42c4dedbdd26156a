/** The page of the measurement, part by part; in the terminal the same parts are printed. */
import type { Detector } from './detector.ts'
import { generatedTable } from './generated/index.ts'
import { dataSetGroups, wholeGroups } from './measure/groups.ts'
import type { Measured } from './measure/measure-runs.ts'
import { outcomeTable, runTable } from './measure/outcome-tables.ts'

export const introduction = `# Loop detectors on recorded and generated runs

Made by \`npm run bench:detectors -- --write\`. Every detector goes over the same recorded runs of real agents, whose ground truth
is known, and over the same generated loops and honest work; it sees step by step what it would have seen at work, and never
how the run ends.

- **Resolved runs ended**: harm. The run would have been stopped although it reached its goal later; _cut after_ is the share of
  its calls that came after the stop.
- **Calls and tokens saved**: use. Share of all calls (and of all tokens, where the source tells them for every turn) of the
  unresolved runs that came after the first stop; a call that was refused did not run and is saved too.
- **Warnings and refusals**: in resolved runs, until their first stop, per 1,000 of their calls.
- **Newest models**: those of 2025-26. They hardly loop, so the only good number there is zero harm.
- **Halves**: a run belongs to the tune half where the first byte of SHA-256 of \`detector-split-v1:\` + its id is even, else to
  the report half. Rules and numbers were chosen on the tune half alone (\`--half tune\`).
- **Oracle-stopped** runs were told their reward and stopped at the goal. They stand apart and count in no sum.
- **Rows**: _donecheck (by default: told, refused, ended)_ is the default profile as it is shipped. _donecheck_ is the same with
  \`vetoesUntilEnd: 0\`: it ends at its first verdict. _openclaw-2026.9_ is OpenClaw's loop detection as it is described; the
  real one takes part where \`DONECHECK_OPENCLAW\` names its folder (\`node bench/detectors/openclaw/install.ts FOLDER\` makes it).`

export const biases = `## Known biases of the data

- **super**: resolved means that the whole output matches; its SWE-agent runs end at the context window when stuck.
- **mini-swe-gemini3**: strong runs, hardly a loop; it measures harm, not use.
- **agents-study**: made for a paper; one of its agents always uses up 40 cycles; a part has no published verdict.
- **mint**, **hotpot-react**: at most 5 and 6 steps, so no window can fill; together with intercode they are models of 2023.
- **tau**: the customer is simulated, and a wrong end can be the simulator's fault.
- **who-and-when**: every run failed, so it says nothing about harm.
- Nobody labelled these runs "a loop": a long repeat that ends in success is a false alarm by its end alone. The two resolved runs
  of the report half that our detectors end by default repeat one answered command until their last step and then hand in.
- What a warning or a refusal would have changed is not measured: recordings go on as if nothing had been said.`

export function pageText(
  detectors: readonly Detector[],
  { runs, problems }: Measured,
  generatedHalf: 'tune' | 'report',
): string {
  const names = detectors.map(({ name }) => name)
  const sections = [
    ...(problems.length === 0 ? [] : [['Missing', problems.map((line) => `- ${line}`).join('\n')] as const]),
    ['The runs', runTable([...wholeGroups(runs), ...dataSetGroups(runs)])] as const,
    ...wholeGroups(runs).map((group) => {
      const newest = group.runs.filter(({ isNewest }) => isNewest)
      const text = `${outcomeTable(group.runs, names)}\n\nThe newest models alone:\n\n${outcomeTable(newest, names)}`
      return [`All sets without the oracle-stopped (${group.name})`, text] as const
    }),
    ...dataSetGroups(runs).map((group) => [`Set ${group.name}`, outcomeTable(group.runs, names)] as const),
    ['Generated classes', generatedTable(detectors, { half: generatedHalf }).markdown.trim()] as const,
  ]
  return sections.map(([title, text]) => `## ${title}\n\n${text}`).join('\n\n')
}

/** The page, part by part. In the terminal the same parts are printed. */
import { costTable, type Costs } from '../cost/cost-table.ts'
import type { Detector } from '../detector.ts'
import { dataSetGroups, judgedGroup, wholeGroups, type Group } from '../measure/groups.ts'
import type { MeasuredRun } from '../measure/measured-run.ts'
import { killTable, outcomeTable, ruleTable, runTable } from '../measure/outcome-tables.ts'
import { claimRuleList, saidDoneTable } from '../said-done/table.ts'
import { aimsTable } from './aims.ts'
import type { GeneratedFindings } from './generated-scores.ts'
import * as words from './words.ts'

export interface Findings {
  /** Whole detectors. */
  readonly detectors: readonly Detector[]
  /** Single rules of detectors, measured as detectors of their own. */
  readonly parts: readonly Detector[]
  /** Names of the rivals that compare results. */
  readonly resultRivals: ReadonlySet<string>
  readonly runs: readonly MeasuredRun[]
  /** What is missing or could not be read. */
  readonly problems: readonly string[]
  readonly costs: Costs | undefined
  readonly generated: GeneratedFindings | undefined
}

export interface Section {
  readonly title: string
  readonly text: string
}

export function sectionsOf(findings: Findings): readonly Section[] {
  const { runs, problems } = findings
  return [
    ...(problems.length === 0
      ? []
      : [{ title: 'Missing', text: problems.map((line) => `- ${line}`).join('\n') }]),
    { title: 'The runs', text: runsText(runs) },
    aimsSection(findings),
    ...wholeGroups(runs).map((group) => wholeSection(findings, group)),
    ...dataSetGroups(runs).map((group) => dataSetSection(findings, group)),
    ruleSection(findings),
    ...costSections(findings),
    {
      title: 'Said done, really done',
      text: `${words.saidDone}\n\n${saidDoneTable(runs)}\n\n${claimRuleList(runs)}`,
    },
  ]
}

function runsText(runs: readonly MeasuredRun[]): string {
  const newest = new Set(runs.flatMap(({ isNewest, model }) => (isNewest && model !== null ? [model] : [])))
  const models = newest.size === 0 ? 'none' : [...newest].sort().join(', ')
  return `${runTable([...wholeGroups(runs), ...dataSetGroups(runs)])}\n\nCounted as newest models (2025-26): ${models}.`
}

function aimsSection({ detectors, resultRivals, runs, costs, generated }: Findings): Section {
  const { name, runs: judged } = judgedGroup(runs)
  const table = aimsTable({
    detectors,
    resultRivals,
    runs: judged,
    costs,
    generated: generated?.scores,
  })
  return { title: `Aims and what was reached (${name})`, text: `${words.aims}\n\n${table}` }
}

function wholeSection(findings: Findings, { name, runs }: Group): Section {
  const names = namesOf(findings)
  const newest = runs.filter(({ isNewest }) => isNewest)
  return {
    title: `All sets without the oracle-stopped (${name})`,
    text: [
      'The run ends at the first stop:',
      outcomeTable(runs, names, 'stop'),
      'With vetoes, the worst case: the run ends at the first refusal or stop.',
      outcomeTable(runs, names, 'veto'),
      'The newest models alone, first stop:',
      outcomeTable(newest, names, 'stop'),
      'The newest models alone, with vetoes:',
      outcomeTable(newest, names, 'veto'),
    ].join('\n\n'),
  }
}

function dataSetSection(findings: Findings, { name, runs }: Group): Section {
  return { title: `Set ${name}`, text: outcomeTable(runs, namesOf(findings), 'stop') }
}

function ruleSection(findings: Findings): Section {
  const { name, runs } = judgedGroup(findings.runs)
  const names = namesOf(findings)
  return {
    title: `Rule by rule, and the harm one by one (${name})`,
    text: [
      words.rules,
      ruleTable(runs, names, 'veto'),
      'Resolved runs that would have been ended:',
      killTable(runs, names, 'stop'),
      'Resolved runs in which a call would have been refused, or that would have been ended:',
      killTable(runs, names, 'veto'),
      ...partTexts(findings, runs),
    ].join('\n\n'),
  }
}

function partTexts({ parts }: Findings, runs: readonly MeasuredRun[]): readonly string[] {
  const names = parts.map(({ name }) => name)
  if (names.length === 0) return []
  return [
    'Each rule alone, all others switched off; the run ends at the first stop:',
    outcomeTable(runs, names, 'stop'),
    'With vetoes:',
    outcomeTable(runs, names, 'veto'),
  ]
}

function costSections({ detectors, costs, generated }: Findings): readonly Section[] {
  return [
    ...(costs === undefined
      ? []
      : [{ title: 'Time and memory', text: `${words.costs}\n\n${costTable(detectors, costs)}` }]),
    ...(generated === undefined ? [] : [{ title: 'Generated classes', text: generated.markdown.trim() }]),
  ]
}

function namesOf({ detectors }: Findings): readonly string[] {
  return detectors.map(({ name }) => name)
}

/** The page, and what is printed: the same tables. */
import { markdownTable } from '../detectors/measure/markdown.ts'
import type { CheckedLine } from './checked-sample.ts'
import type { Measured, MeasuredClaim } from './measure-claims.ts'
import { shareWords } from './share-words.ts'

export const introduction = `# Claims: what they rest on, and what contradicts them

Made by \`npm run bench:claims -- --write\`. Every recorded run that ends with a claim is turned into events of ours, folded, and decided upon by the
same functions as at work; whether the claim was true, the ground truth of its source says. What counts as a claim in which set: \`docs/measured/detectors.md\`,
"Said done, really done"; of a talk with a simulated customer every answer that ends a turn counts. Shares stand with their 95 % intervals (Wilson).

- **Accused**: a contradiction was found. It sends the drive back, once for each, in at most three turns of a run. Aim: at most 2 % of the true claims, and three in four accusations right.
- **Recall**: share of the false claims that are accused. It is reported, not promised: most false claims are honest mistakes that no record shows.
- **Halves**: rules were chosen on the tune half (\`--half tune\`); the tables are of the report half. A recording has no folder to look into: whether a
  changed file parses is not measured here, and a file counts as not there where no call and no result ever named it.
- **Sample**: evidence lines of the report half, of the sets whose agents work on files, in an order made of their ids alone (the first 14 were read
  while the rules were made and are left out); \`--sample\` prints them with the calls behind each. The first 100 were read against their calls, the faults that came out were mended, then the
  rest was read, which nobody had looked at. What is true now was judged again line by line; it is kinder than a sample that was never read. The judgements stand in \`bench/claims/checked-sample.json\`.`

/** Lines that were read before anything was mended. */
const firstSample = 100

const aims = { accusedTrue: 0.02, right: 0.75, linesTrue: 0.95 }

export function pageOf({ claims, problems }: Measured, sample: readonly CheckedLine[], half: string): string {
  return [
    ...(problems.length === 0 ? [] : [`## Missing\n\n${problems.map((line) => `- ${line}`).join('\n')}`]),
    `## Aims and what was reached (half: ${half})\n\n${aimsTable(claims, sample)}`,
    `## Contradictions, set by set\n\n${accusationTable(claims)}${accusationList(claims)}`,
    `## What the claims rest on\n\nHow many claims have which line, and how many of these were true.\n\n${gradeTable(claims)}`,
    `## Lines that reading found wrong\n\n${wrongLines(sample)}`,
  ].join('\n\n')
}

function aimsTable(claims: readonly MeasuredClaim[], sample: readonly CheckedLine[]): string {
  const accused = claims.filter(isAccused)
  const [truths, lies] = [claims.filter(({ isTrue }) => isTrue), claims.filter(({ isTrue }) => !isTrue)]
  const right = accused.filter(({ isTrue }) => !isTrue).length
  const wrong = accused.length - right
  const [first, rest] = [sample.slice(0, firstSample), sample.slice(firstSample)]
  const line = (what: string, of: readonly CheckedLine[], key: 'isTrue' | 'wasTrue') => {
    const held = of.filter((one) => one[key]).length
    return [
      what,
      'at least 95 %',
      shareWords(held, of.length),
      met(held, of.length, (share) => share >= aims.linesTrue),
    ]
  }
  const met = (hits: number, all: number, isMet: (share: number) => boolean) =>
    all === 0 ? 'nothing to judge by' : isMet(hits / all) ? 'met' : 'MISSED'
  return markdownTable(
    ['what', 'aim', 'reached', 'verdict'],
    [
      [
        'true claims accused',
        'at most 2 %',
        shareWords(wrong, truths.length),
        met(wrong, truths.length, (share) => share <= aims.accusedTrue),
      ],
      [
        'accusations right',
        'at least 75 %',
        shareWords(right, accused.length),
        met(right, accused.length, (share) => share >= aims.right),
      ],
      ['recall (false claims accused)', 'none', shareWords(right, lies.length), 'reported'],
      line('evidence lines true: 100, as they are now', first, 'isTrue'),
      line('the same as they were read first', first, 'wasTrue'),
      line('the rest, as they were read first', rest, 'wasTrue'),
      line('all that were read, as they are now', sample, 'isTrue'),
    ],
  )
}

function accusationTable(claims: readonly MeasuredClaim[]): string {
  const sets = [...new Set(claims.map(({ file }) => file))].sort()
  const row = (name: string, of: readonly MeasuredClaim[]) => {
    const [truths, lies] = [of.filter(({ isTrue }) => isTrue), of.filter(({ isTrue }) => !isTrue)]
    const count = (some: readonly MeasuredClaim[]) => shareWords(some.filter(isAccused).length, some.length)
    return [name, of.length, count(truths), count(lies)]
  }
  const rows = sets.map((set) =>
    row(
      set,
      claims.filter(({ file }) => file === set),
    ),
  )
  return markdownTable(
    ['set', 'claims', 'true ones accused', 'false ones accused'],
    [...rows, row('all', claims)],
  )
}

function accusationList(claims: readonly MeasuredClaim[]): string {
  const lines = claims
    .filter(isAccused)
    .map(({ id, isTrue, accusations }) => `- ${isTrue ? 'WRONG' : 'right'}: ${id}: ${accusations.join('; ')}`)
  return lines.length === 0 ? '' : `\n\n${lines.join('\n')}`
}

function gradeTable(claims: readonly MeasuredClaim[]): string {
  const grades = [...new Set(claims.map(({ evidence }) => evidence.grade))].sort()
  const rows = grades.map((grade) => {
    const of = claims.filter(({ evidence }) => evidence.grade === grade)
    return [grade, of.length, shareWords(of.filter(({ isTrue }) => isTrue).length, of.length)]
  })
  return markdownTable(['grade', 'claims', 'of these true'], rows)
}

function wrongLines(sample: readonly CheckedLine[]): string {
  const wrong = sample.filter(({ isTrue }) => !isTrue)
  const mended = sample.flatMap(({ id, mended: fault }) => (fault === undefined ? [] : [`- ${id}: ${fault}`]))
  const still = wrong.map(({ id, line, why }) => `- ${id}: "${line}": ${why}`)
  return `Still wrong:\n\n${still.join('\n')}\n\nMended since:\n\n${mended.join('\n')}`
}

function isAccused({ accusations }: MeasuredClaim): boolean {
  return accusations.length > 0
}

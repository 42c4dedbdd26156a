import { benchGate, benchRules, requestOf } from './gate-decision.ts'
import { median, rounded, timed, type Table } from './table.ts'

/** The longest line that is read. */
const characters = 65_536
const rounds = 5

/** Lines of one piece, repeated: what an agent could write to keep the gate busy. */
const pieces: Readonly<Record<string, (index: number) => string>> = {
  commands: () => 'ls;',
  'a pipeline': () => 'cat a|',
  'words of one command': (index) => `d${index} `,
  'unknown words': (index) => `rm $x${index};`,
  substitutions: () => 'echo $(ls);',
  'another folder, another file': (index) => `cd a${index}; echo x > f${index};`,
  'shells in shells': () => "sh -c 'rm -rf a';",
  heredocs: (index) => `cat <<E${index}\nx\nE${index}\n`,
  'open brackets': () => ':(){',
}

export async function gateLongLinesTable(): Promise<Table> {
  const gate = benchGate(benchRules())
  const rows: Table['rows'][number][] = []
  for (const [name, piece] of Object.entries(pieces)) {
    const request = requestOf(lineOf(piece))
    const decision = await gate.check(request)
    const ms: number[] = []
    for (let round = 0; round < rounds; round += 1) ms.push(await timed(() => gate.check(request)))
    rows.push({ name, 'median ms': rounded(median(ms), 1), decision: decision.kind })
  }
  return { title: `the longest lines that are read, ${characters.toLocaleString('en-US')} characters`, rows }
}

function lineOf(piece: (index: number) => string): string {
  let line = ''
  for (let index = 0; line.length < characters; index += 1) line += piece(index)
  return line.slice(0, characters)
}

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  command,
  createAgentLoop,
  gateByApproval,
  scriptedDrive,
  type RunEvent,
  type Tool,
  type Verdict,
} from 'donecheck'
import { rounded, type Table } from './table.ts'

const turns = 20
/** Turns on which the agent writes; `back` puts an earlier content in place again. On the others it reads and thinks. */
const writes: Readonly<Record<number, string>> = { 3: 'one', 7: 'two', 8: 'three', 12: 'two', 19: 'mended' }

/** A check of about a third of a second, as real ones are slow to start rather than slow to think. */
const test = `import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readFileSync } from 'node:fs'
test('the work is mended', () => {
  const endMs = Date.now() + 250
  while (Date.now() < endMs);
  assert.equal(readFileSync('work.txt', 'utf8'), 'mended')
})
`

/** What the memory of verdicts saves on a run of 20 turns that asks after every turn, against the same run without it. */
export async function verdictCacheTable(): Promise<Table> {
  const without = await run('off')
  const remembered = await run('run')
  return {
    title: `check seconds of a scripted run of ${turns} turns that verifies after every turn, 5 of which change the tree`,
    rows: [
      { name: 'every verdict asked for', ...figures(without) },
      { name: 'unchanged inputs: no second run', ...figures(remembered) },
      {
        name: 'saved',
        'check seconds': rounded(secondsOf(without) - secondsOf(remembered)),
        share: rounded(1 - secondsOf(remembered) / secondsOf(without), 2),
        'same ends': String(endOf(without) === endOf(remembered)),
        'differing verdicts': differing(without, remembered),
      },
    ],
  }
}

function figures(events: readonly RunEvent[]) {
  const verdicts = verdictsOf(events)
  const cached = verdicts.filter(({ qualifiers }) => qualifiers.includes('cached')).length
  return {
    verdicts: verdicts.length,
    'of them cached': cached,
    'check seconds': rounded(secondsOf(events)),
    end: endOf(events),
  }
}

async function run(verdictCache: 'run' | 'off'): Promise<readonly RunEvent[]> {
  const folder = mkdtempSync(join(tmpdir(), 'donecheck-bench-'))
  writeFileSync(join(folder, 'work.txt'), 'broken')
  writeFileSync(join(folder, 'work.test.mjs'), test)
  const events: RunEvent[] = []
  try {
    const loop = createAgentLoop({
      drive: scriptedDrive(
        Array.from({ length: turns }, (_, index) => ({
          tools: [{ tool: 'work', args: { turn: index + 1 } }],
        })),
      ),
      workFolder: folder,
      tools: [workIn(folder)],
      gate: gateByApproval('never'),
      hardVerifiers: [command('node --test')],
      verifyWhen: 'every-turn',
      hardCap: { iterations: turns, tokens: null, wallClockMs: null },
      verdictCache,
    })
    for await (const event of loop.run('mend the work')) events.push(event)
    return events
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function workIn(folder: string): Tool {
  return {
    name: 'work',
    description: 'reads or writes',
    parameters: { type: 'object' },
    effect: 'write',
    prepare: async (args) => ({
      kind: 'ready',
      summary: 'work',
      run: async () => {
        const turn = typeof args === 'object' && args !== null && 'turn' in args ? Number(args['turn']) : 0
        const content = writes[turn]
        if (content !== undefined) writeFileSync(join(folder, 'work.txt'), content)
        return { status: 'ok', output: content === undefined ? 'read' : 'written' }
      },
    }),
  }
}

function verdictsOf(events: readonly RunEvent[]): readonly Verdict[] {
  return events.flatMap((event) =>
    event.type === 'verdict-given' && event.verdict.verifier === 'node --test' ? [event.verdict] : [],
  )
}

function secondsOf(events: readonly RunEvent[]): number {
  return verdictsOf(events).reduce((sum, { durationMs }) => sum + durationMs, 0) / 1000
}

function endOf(events: readonly RunEvent[]): string {
  const last = events.at(-1)
  return last?.type === 'run-stopped' ? last.transition.reason : 'none'
}

/** Verdicts of the same turn that say something else: 0 where the memory is sound. */
function differing(one: readonly RunEvent[], other: readonly RunEvent[]): number {
  const statuses = (events: readonly RunEvent[]) => verdictsOf(events).map(({ status }) => status)
  const others = statuses(other)
  return statuses(one).filter((status, index) => status !== others[index]).length
}

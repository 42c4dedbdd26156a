/**
 * `node bench/fleet/simulate/record.ts FILE.jsonl.gz`: makes `recorded.json` of recorded runs, so that the simulator needs
 * numbers alone. Prints it.
 */
import { readRuns, type RecordedRun } from '@donecheck/engine/internal/insight/recordings'
import { z } from 'zod'

const shares = [0, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99, 0.999, 1]
const testsTook = /(?:\bin |Ran \d+ tests? in )(\d+(?:\.\d+)?)\s?s(?:econds)?\b/
const writesFiles = /sed -i|cat <<|tee |> *[\w./]+\.(?:py|txt|md|rst|cfg|toml)|git apply|patch -p|\.write\(/
const shellCall = z.object({ command: z.string() })

const [path = ''] = process.argv.slice(2)
const runs: RecordedRun[] = []
for await (const run of readRuns([path], (problem) => process.stderr.write(`${problem}\n`))) runs.push(run)
const turns = runs.flatMap((run) => run.turns)
const calls = turns.flatMap(({ toolCalls }) => toolCalls)
const seconds = calls.flatMap(({ result }) => testsTook.exec(result ?? '')?.[1] ?? []).map(Number)
const edits = calls.filter(({ args }) => {
  const call = shellCall.safeParse(args)
  return call.success && writesFiles.test(call.data.command)
})
const prompts = runs.map((run) => run.turns.flatMap(({ tokens }) => tokens?.in ?? []))

console.log(
  JSON.stringify(
    {
      source: `${runs[0]?.source ?? path}: ${runs.length} runs, ${calls.length} calls`,
      biases: [
        'one agent with one strong model on Python repositories of SWE-bench Verified: other work differs',
        'no times were recorded: how long a model call takes is computed of its tokens',
        'times of tests are those that a test runner printed, mostly for a part of the tests; other calls took an unknown time',
        'which calls edit files is guessed by the words of the shell command',
      ],
      shares,
      turnsPerRun: quantiles(runs.map((run) => run.turns.length)),
      outputTokens: quantiles(turns.flatMap(({ tokens }) => tokens?.out ?? [])),
      firstPromptTokens: quantiles(prompts.flatMap(([first]) => first ?? [])),
      promptGrowthTokens: quantiles(
        prompts.flatMap((sizes) => sizes.slice(1).map((size, index) => size - (sizes[index] ?? 0))),
      ),
      testSeconds: quantiles(seconds),
      shareOfCalls: {
        failed: share(calls.filter(({ isError }) => isError === true).length, calls.length),
        edits: share(edits.length, calls.length),
        tests: share(seconds.length, calls.length),
      },
      shareOfRunsResolved: share(runs.filter(({ outcome }) => outcome.resolved === true).length, runs.length),
    },
    undefined,
    1,
  ),
)

function quantiles(values: readonly number[]): number[] {
  const sorted = values.toSorted((left, right) => left - right)
  return shares.map((at) => sorted[Math.round(at * (sorted.length - 1))] ?? 0)
}

function share(part: number, whole: number): number {
  return Number((part / whole).toFixed(4))
}

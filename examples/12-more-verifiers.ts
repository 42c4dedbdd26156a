/** Verifiers for answers and files: a schema, a range, a pattern, a quotation. All that a verdict rests on stands in it. */
import { createAgentLoop, scriptedAgent } from 'donecheck'
import { contains, fileMatches, numericRange, responseLength, schema } from '@donecheck/engine/verify'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { z } from 'zod'

const folder = mkdtempSync(path.join(tmpdir(), 'donecheck-example-'))

const writeFigures = (figures: unknown) =>
  writeFileSync(path.join(folder, 'figures.json'), JSON.stringify(figures))

const agent = scriptedAgent(
  [
    () => {
      writeFigures({ asked: 80, share: '75 %' })
      return 'Nearly everybody rides: “all of them use a bicycle every day” [source: survey].'
    },
    () => {
      writeFigures({ asked: 80, share: 0.75 })
      return 'Three in four ride: “60 use a bicycle every day” [source: survey].'
    },
  ],
  { description: { sideEffects: true } },
)

const figures = { file: 'figures.json' }
const loop = createAgentLoop({
  agent,
  workFolder: folder,
  hardVerifiers: [
    schema(z.object({ asked: z.int(), share: z.number() }), { name: 'shape', source: figures }),
    numericRange({ jsonPath: '$.share' }, { min: 0, max: 1 }, { name: 'share', source: figures }),
    fileMatches('figures.json', /"asked":\s*80\b/, { name: 'asked' }),
    responseLength({ words: { max: 30 } }, { name: 'brief' }),
    contains('“60 use a bicycle every day”', { name: 'quotation' }),
  ],
  hardCap: { iterations: 3 },
})
const run = loop.run('How many ride a bicycle? Write figures.json, and answer with a quotation.')
for await (const event of run) {
  if (event.type === 'model-replied') console.log(`agent: ${event.text}`)
  // Once one check has decided, the others are left out: `skipped`, with words.
  if (event.type === 'verdict-given') console.log(`  ${event.verdict.status}: ${event.verdict.reason}`)
}
const { transition, usage } = await run

rmSync(folder, { recursive: true })
console.log(`${transition.outcome} after turn ${usage.iterations}`)

// prints: verified after turn 2

/**
 * Can this loop be trusted? It calls the agent once and believes it: right where the agent is honest, wrong where it is lazy.
 * `npx @donecheck/conformance --against '"$AGENT" "$TASK"'` does the same with all cases.
 */
import { cases, formatResult, runConformance, type Subject } from '@donecheck/conformance'

const some = cases.filter(({ name }) => name === 'at once' || name === 'claims at once')

const believing: Subject = { kind: 'loop', command: '"$AGENT" "$TASK"' }
const results = await runConformance({ subject: believing, cases: some })

for (const result of results) console.log(formatResult(result))
const faults = results.flatMap(({ problems }) => problems.map(({ fault }) => fault))
console.log(`${results.length} cases: ${faults.join(', ')}`)

// prints: 2 cases: false success

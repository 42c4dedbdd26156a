/**
 * `npm run bench:tamper [-- WORDS]`: every probe (or those whose id, project, family or title holds the words) as a whole
 * run with the real runner. Without words it writes docs/measured/tamper-table.md.
 */
import { fork } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { endOf, isRight } from './judge.ts'
import { isRunnable } from './make-project.ts'
import type { Probe } from './probe.ts'
import { probes, withWords } from './probes/index.ts'
import { projects } from './projects/index.ts'
import type { ProbeResult } from './run-probe.ts'
import { firstLineOf, summaryOf, tablesOf } from './table.ts'

const concurrency = 2
const page = fileURLToPath(new URL('../../docs/measured/tamper-table.md', import.meta.url))
const worker = fileURLToPath(new URL('worker.ts', import.meta.url))

const words = process.argv.slice(2).join(' ')
const wanted = withWords(probes, words)
const missing = Object.values(projects)
  .filter((project) => !isRunnable(project))
  .map(({ name }) => name)
const skipped = wanted.filter(({ project }) => missing.includes(project))
const queue = wanted.filter(({ project }) => !missing.includes(project))
const results: ProbeResult[] = []

await Promise.all(Array.from({ length: concurrency }, work))

results.sort((one, other) => wanted.indexOf(one.probe) - wanted.indexOf(other.probe))
const summary = summaryOf(results, skipped)
console.log(`\n${summary}`)
if (words === '') writeFileSync(page, tablesOf(results, skipped))

/** Takes one probe after the other in a process of its own, until none is left. */
function work(): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = fork(worker)
    let current: Probe | undefined
    const next = () => {
      current = queue.shift()
      if (current === undefined) child.disconnect()
      else child.send(current.id)
    }
    child.on('message', (message) => {
      if (current !== undefined && isResult(message)) keep({ ...message, probe: current })
      next()
    })
    child.once('error', reject)
    child.once('exit', (code) => {
      if (current === undefined) resolve()
      else reject(new Error(`the process of ${current.id} ended with ${code ?? 'a signal'}`))
    })
    next()
  })
}

function isResult(message: unknown): message is ProbeResult {
  return typeof message === 'object' && message !== null && 'outcome' in message && 'asked' in message
}

function keep(result: ProbeResult): void {
  results.push(result)
  const { probe, reason, message, problem, isBareCheckGreen } = result
  const bare = isBareCheckGreen ? 'green' : 'red'
  const line = `${probe.id} ${probe.project} | ${probe.family} | ${probe.title} | bare ${bare} | ${endOf(result)} (${reason}) | ${problem ?? firstLineOf(message)}`
  console.log(`${isRight(result) ? '  ok  ' : 'WRONG '}${line}`)
}

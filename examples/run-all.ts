/** Runs every numbered example, some at a time: `npm run examples`. Exit code 1 when one of them does not do what it promises. */
import path from 'node:path'
import { exampleNames, problemOf } from './run-example.ts'

const atATime = 3
const left = exampleNames(import.meta.dirname).values()

async function runWhatIsLeft(): Promise<void> {
  for (const name of left) {
    const problem = await problemOf(path.join(import.meta.dirname, name))
    console.log(problem === undefined ? `ok   ${name}` : `FAIL ${name}: ${problem}`)
    if (problem !== undefined) process.exitCode = 1
  }
}

await Promise.all(Array.from({ length: atATime }, runWhatIsLeft))

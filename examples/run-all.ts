/** Runs every numbered example: `npm run examples`. Exit code 1 when one of them does not do what it promises. */
import path from 'node:path'
import { exampleNames, problemOf } from './run-example.ts'

for (const name of exampleNames(import.meta.dirname)) {
  const problem = await problemOf(path.join(import.meta.dirname, name))
  console.log(problem === undefined ? `ok   ${name}` : `FAIL ${name}: ${problem}`)
  if (problem !== undefined) process.exitCode = 1
}

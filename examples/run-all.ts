/** Runs every numbered example, or those that are named: `npm run examples`. Exit code 1 when one of them does not do what it promises. */
import path from 'node:path'
import { exampleNames, problemOf } from './run-example.ts'

const named = process.argv.slice(2).map((file) => path.resolve(file))
const files = exampleNames(import.meta.dirname).map((name) => path.join(import.meta.dirname, name))

let isAllWell = true
// An example that ends this process has not let the others begin.
let hasEnded = false
process.on('exit', () => {
  if (!hasEnded) process.exitCode = 1
})
for (const file of named.length > 0 ? named : files) {
  const name = path.relative(import.meta.dirname, file)
  const problem = await problemOf(file)
  console.log(problem === undefined ? `ok   ${name}` : `FAIL ${name}: ${problem}`)
  isAllWell &&= problem === undefined
}
hasEnded = true
process.exitCode = isAllWell ? 0 : 1

/** Reporters that are written beside the reports. */

/**
 * A reporter for Mocha, which knows only one at a time: what it prints is the reporter `spec`, and the results go to
 * the file of the same name with the ending `.json`. It is CommonJS, and takes Mocha from where Mocha runs.
 */
export const mochaReporter = `'use strict'
const { createRequire } = require('node:module')
const { writeFileSync } = require('node:fs')
const { existsSync } = require('node:fs')
const { dirname, join } = require('node:path')

const homeOfMocha = (folder) =>
  existsSync(join(folder, 'lib/reporters/spec.js')) || dirname(folder) === folder ? folder : homeOfMocha(dirname(folder))
const Spec = createRequire(require.main.filename)(join(homeOfMocha(dirname(require.main.filename)), 'lib/reporters/spec.js'))

const resultOf = (test) => ({
  fullTitle: test.fullTitle(),
  titlePath: typeof test.titlePath === 'function' ? test.titlePath() : undefined,
  file: test.file,
  err: test.err === undefined ? undefined : { message: String(test.err.message), stack: String(test.err.stack) },
})

module.exports = class extends Spec {
  constructor(runner, options) {
    super(runner, options)
    const passes = [], failures = [], pending = []
    runner.on('pass', (test) => passes.push(resultOf(test)))
    runner.on('fail', (test, err) => failures.push({ ...resultOf(test), err: { message: String(err && err.message), stack: String(err && err.stack) } }))
    runner.on('pending', (test) => pending.push(resultOf(test)))
    runner.once('end', () => {
      const stats = { tests: passes.length + failures.length + pending.length, passes: passes.length, failures: failures.length }
      writeFileSync(__filename.replace(/cjs$/, 'json'), JSON.stringify({ stats, passes, failures, pending }))
    })
  }
}
`

/**
 * A reporter of node:test: every process that runs tests writes one report of its own beside it as JUnit XML, in full or not
 * at all. Node loads it before it starts any test, which must not inherit it.
 */
export const nodeReporter = `
import { randomBytes } from 'node:crypto'
import { renameSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { junit } from 'node:test/reporters'

const place = fileURLToPath(import.meta.url)
const [own] = (process.env.NODE_OPTIONS ?? '').split(' --test-reporter=spec')
if (own === '') delete process.env.NODE_OPTIONS
else process.env.NODE_OPTIONS = own

export default async function* (source) {
  let text = ''
  for await (const piece of junit(source)) text += piece
  const path = place.replace(/mjs$/, '') + randomBytes(6).toString('hex')
  writeFileSync(path, text, { mode: 0o600 })
  renameSync(path, path + '.xml')
}
`

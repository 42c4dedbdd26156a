#!/usr/bin/env node
// Plain JavaScript that every Node can parse: an old one is told what it needs instead of failing on syntax. CommonJS, because
// Node starts that sooner, and hooks of agents run at every call of a tool.
/* global require, __dirname */
'use strict'
const { existsSync, readFileSync } = require('node:fs')
const modules = require('node:module')
const { isAbsolute, join } = require('node:path')

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
if (major < 22 || (major === 22 && minor < 18)) {
  console.error(`donecheck needs Node.js 22.18 or newer; this is ${process.version}`)
  process.exit(2)
}

const words = process.argv.slice(2)
const [first, ...rest] = words
if (first === '--version' || first === '-v' || first === '-V') {
  console.log(JSON.parse(readFileSync(join(__dirname, '..', 'package.json'), 'utf8')).version)
} else if (first === 'hook') {
  void hook()
} else {
  const page = helpPage()
  if (page === undefined) void command()
  else process.stdout.on('error', () => undefined).write(page)
}

/** What the command would print, made when the package was built. A terminal has its own width. */
function helpPage() {
  const made = join(__dirname, '..', 'dist', 'program', 'cli', 'help.json')
  const isAsked = ['--help', '-h'].includes(words.at(-1))
  if (!isAsked || process.stdout.columns || !existsSync(made)) return undefined
  return JSON.parse(readFileSync(made, 'utf8'))[JSON.stringify([...words.slice(0, -1), '--help'])]
}

/**
 * zod would compile a parser for each schema at its first use: a tenth of a check's whole time, which comes back only where tens of
 * thousands of events are read. It looks for its settings here when it is loaded.
 */
function compileNoParsers() {
  globalThis.__zod_globalConfig = { jitless: true }
}

async function hook() {
  compileNoParsers()
  modules.enableCompileCache?.(hookCache(rest))
  const bundled = join(__dirname, '..', 'dist', 'hook', 'main.cjs')
  const { hookMain } = existsSync(bundled) ? require(bundled) : await import('../dist/cli/hook/main.js')
  // At once: what it has said is written, and to take everything down in order would take as long as all else.
  process.exit(await hookMain(rest))
}

/** Beside our records, where an agent does not write. One for each event: Node keeps compiled only what the first call ran. */
function hookCache([, event = '']) {
  const { XDG_STATE_HOME: state = '', HOME: home = '' } = process.env
  const folder = isAbsolute(state) ? state : isAbsolute(home) ? join(home, '.local', 'state') : undefined
  return folder && join(folder, 'donecheck', 'compiled', /^[A-Za-z]{1,40}$/.test(event) ? event : 'other')
}

async function command() {
  if (['run', 'verify', 'ci', 'status'].includes(first)) compileNoParsers()
  modules.enableCompileCache?.()
  const bundled = join(__dirname, '..', 'dist', 'program', 'cli', 'main.js')
  const { main } = existsSync(bundled)
    ? await import('../dist/program/cli/main.js')
    : await import('../dist/cli/main.js')
  process.exitCode = await main(words)
}

#!/usr/bin/env node
// Plain JavaScript that every Node can parse: an old one is told what it needs instead of failing on syntax.
import { readFileSync } from 'node:fs'
import module from 'node:module'

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
if (major < 22 || (major === 22 && minor < 18)) {
  console.error(`donecheck needs Node.js 22.18 or newer; this is ${process.version}`)
  process.exit(2)
}

const [first] = process.argv.slice(2)
if (first === '--version' || first === '-V') {
  const manifest = readFileSync(new URL('../package.json', import.meta.url), 'utf8')
  console.log(JSON.parse(manifest).version)
} else {
  module.enableCompileCache?.()
  const { main } = await import('../dist/cli/main.js')
  process.exitCode = await main(process.argv.slice(2))
}

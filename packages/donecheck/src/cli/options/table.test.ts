/** One table: what can be typed is what can be configured, and stands in the reference under the same names. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { configKeys } from '../../config/index.ts'
import { configFlags, configFromFlags } from './flags.ts'
import { pinnedGroups, resumeOptions, runOptions } from './table.ts'

const page = fileURLToPath(new URL('../../../../../docs/reference/command.md', import.meta.url))
/** Other commands have tables of their own. */
const [ofRun = ''] = readFileSync(page, 'utf8').split('\n## verify')
const lines = ofRun.split('\n')

/** Kept with a run, or of a configuration that is a program: nobody writes them into a file. */
const neverWritten = [
  'keptRules',
  'keptCheckLines',
  'keptProjectRules',
  'keptHookScripts',
  'projectCommandRules',
  'keptHeartbeat',
  'keptGoal',
  'keptJudgeRules',
]

describe('given the table of options', () => {
  it.each(configFlags)('then $flag is the key $key of a configuration', ({ key }) => {
    expect(configKeys).toContain(key)
  })

  it.each(runOptions.map(([flags]) => flags))('then %s has its row in the reference', (flags) => {
    expect(lines.filter((line) => line.startsWith(`| \`${flags}\` `))).toHaveLength(1)
  })

  it.each(configFlags)('then that row names $key, or its variable', ({ typed, key }) => {
    const row = lines.find((line) => line.startsWith(`| \`${typed}\` `)) ?? ''
    const variable = `DONECHECK_${key.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`
    expect(row.includes(`\`${key}\``) || row.includes(`\`${variable}\``)).toBe(true)
  })

  it('then a key without a flag stands in the reference too', () => {
    const typed = configFlags.map(({ key }) => key)
    const rest = configKeys.filter((key) => !typed.includes(key) && !neverWritten.includes(key))
    for (const key of rest) expect(lines.join('\n')).toContain(`\`${key}\``)
  })

  it('then a resume and an installation take nothing that a run does not, but what they name themselves', () => {
    const known = runOptions.map(([flags]) => flags)
    const others = [...resumeOptions, ...pinnedGroups.flatMap(({ rows }) => rows)].map(([flags]) => flags)
    expect(others.filter((flags) => !known.includes(flags))).toEqual(['--top-up <amounts>'])
  })
})

describe('given flags as they are parsed', () => {
  it('then what was not typed is not there, and what configures nothing is left out', () => {
    expect(configFromFlags({ finalSummary: true, until: undefined, config: 'x', json: true })).toEqual({})
    expect(configFromFlags({ finalSummary: false })).toEqual({ finalSummary: false })
  })

  it('then a flag with a name of its own reaches its key', () => {
    expect(configFromFlags({ preset: ['lint'], maxTokens: 'off' })).toEqual({
      presets: ['lint'],
      maxTokens: null,
    })
  })
})

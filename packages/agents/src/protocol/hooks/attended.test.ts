import { fc, test } from '@fast-check/vitest'
import { describe, expect, it } from 'vitest'
import type { Ancestor, ProcessView } from '@donecheck/engine/process'
import { isUnattended, type OwnProgram, commandIn, hasShortFlag, hasWord } from './attended.ts'

const agent: OwnProgram = {
  names: ['agent'],
  folders: ['@maker/agent-cli'],
  attendanceOf: (words) =>
    words.includes('exec')
      ? 'nobody'
      : words.includes('serve')
        ? 'unknown'
        : words.includes('daemon')
          ? 'windows'
          : 'somebody',
  isOpenedInWindow: (line) => line === 'window',
}

const inTerminal = (...words: string[]) => ({ words, hasTerminal: true })
const apart = (...words: string[]) => ({ words, hasTerminal: false })
const shell = apart('/bin/sh', '-c', 'exec node donecheck.js hook agent Stop')
const above = [inTerminal('-zsh'), apart('tmux', 'new'), apart('/sbin/init')]

/** From the parent of the hook on. */
function machine(chain: readonly Omit<Ancestor, 'processId'>[], usesTerminal = true) {
  const ancestors = chain.map((one, index) => ({ ...one, processId: 900 - index }))
  return { ancestors: () => ancestors, usesTerminal: () => usesTerminal } satisfies ProcessView
}

const seen = (view: ProcessView, environment = {}, firstLine?: string) =>
  isUnattended(agent, { environment, firstLine: () => firstLine }, view)

describe('given an agent in a terminal, with whoever types there', () => {
  it.each([
    ['a program of its own', [inTerminal('agent', 'fix it')]],
    ['a program with a path', [inTerminal('/usr/local/bin/agent')]],
    ['a script', [inTerminal('node', '/usr/local/bin/agent')]],
    ['a script in its own folder', [inTerminal('/bin/node', '--expose-gc', '/lib/@maker/agent-cli/main.js')]],
    ['one that started itself again', [inTerminal('/lib/agent'), inTerminal('node', '/bin/agent.js')]],
  ])('%s is attended', (_what, own) => {
    expect(seen(machine([shell, ...own, ...above]))).toBe(false)
    expect(seen(machine([...own, ...above]))).toBe(false)
  })
})

describe('given an agent that does one task', () => {
  it('has nobody before it, whatever its terminal', () => {
    const chain = [shell, inTerminal('agent', 'exec', 'fix it'), ...above]
    for (const usesTerminal of [true, false]) expect(seen(machine(chain, usesTerminal))).toBe(true)
  })

  it('is known by any of its processes', () => {
    const chain = [shell, inTerminal('agent'), inTerminal('node', '/bin/agent', 'exec'), ...above]
    expect(seen(machine(chain))).toBe(true)
  })

  it('is known by what it reads from or writes to', () => {
    expect(seen(machine([shell, inTerminal('agent'), ...above], false))).toBe(true)
  })
})

describe('given an agent that serves windows', () => {
  const view = machine([shell, apart('/lib/agent', 'daemon'), inTerminal('agent'), ...above], false)

  it('is attended where its record says that a window was opened', () => {
    expect(seen(view, {}, 'window')).toBe(false)
    expect(seen(machine([shell, apart('/lib/agent', 'daemon'), apart('/sbin/init')]), {}, 'window')).toBe(
      false,
    )
  })

  it('says nothing where it does not, and on a machine that calls itself one', () => {
    expect(seen(view, {}, 'another client')).toBeUndefined()
    expect(seen(view)).toBeUndefined()
    expect(seen(view, { CI: '1' }, 'window')).toBeUndefined()
  })
})

describe('given what is not plain', () => {
  const own = inTerminal('agent')
  it.each<[string, ProcessView]>([
    ['it is another program', machine([shell, inTerminal('agentx'), ...above])],
    ['it is hidden behind another program', machine([shell, apart('python', 'x.py'), own, ...above])],
    ['a shell only calls itself so', machine([shell, inTerminal('bash', '/tmp/agent'), ...above])],
    ['its processes cannot be followed', { ancestors: () => undefined, usesTerminal: () => true }],
    ['nobody started it', machine([])],
    ['a server answers somebody elsewhere', machine([shell, inTerminal('agent', 'serve'), ...above])],
    ['its terminal cannot be seen', { ...machine([shell, own, ...above]), usesTerminal: () => undefined }],
    ['it belongs to no terminal', machine([shell, apart('agent'), ...above])],
    ['another agent has started it', machine([shell, own, apart('bash'), inTerminal('claude'), ...above])],
    ['it has started itself by a shell', machine([shell, own, apart('bash'), own, ...above])],
    [
      'a run of ours has started it',
      machine([shell, own, apart('node', '/b/donecheck.js', 'run'), ...above]),
    ],
  ])('says nothing where %s', (_what, view) => {
    const unattended = seen(view)
    expect(unattended).toBeUndefined()
  })

  it('says nothing on a machine that calls itself one', () => {
    expect(seen(machine([shell, own, ...above]), { CI: 'true' })).toBeUndefined()
    expect(seen(machine([shell, own, ...above]), { CI: '' })).toBe(false)
  })
})

const words = fc.array(fc.oneof(fc.string(), fc.constantFrom('node', 'agent', 'exec', '/bin/sh')), {
  maxLength: 4,
})

test.prop([fc.array(fc.record({ words, hasTerminal: fc.boolean() })), fc.boolean()])(
  'is never attended without a process of the agent that talks with a terminal',
  (chain, usesTerminal) => {
    if (seen(machine(chain, usesTerminal)) !== false) return
    expect(usesTerminal).toBe(true)
    const talks = chain.some(
      (one) => one.hasTerminal && one.words.some((word) => /(^|[\\/])agent\b/.test(word)),
    )
    expect(talks).toBe(true)
  },
)

describe('given the words of a command', () => {
  it('finds a short flag alone, among others, and with its value behind it', () => {
    for (const word of ['-p', '-yp', '-pfix', '-p=fix'])
      expect(hasShortFlag(['x', word], 'p'), word).toBe(true)
    for (const word of ['--prompt', 'p', '-', '--', '-1p', '-m=p'])
      expect(hasShortFlag([word], 'p'), word).toBe(false)
  })

  it('finds a word with its value behind it', () => {
    expect(hasWord(['--prompt=fix'], ['--prompt'])).toBe(true)
    expect(hasWord(['--prompt-interactive', 'fix'], ['--prompt'])).toBe(false)
  })

  it('takes the first word for a command, where it is no sentence and no value', () => {
    expect(commandIn(['resume', '--last'])).toBe('resume')
    for (const words of [[], ['fix it'], ['Fix'], ['-m', 'gpt'], ['--yolo']])
      expect(commandIn(words)).toBeUndefined()
  })
})

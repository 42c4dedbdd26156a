/**
 * The patterns by which loop detectors are compared in print, as scripts: what should be stopped, and what should not. For the
 * tests; each test says for every row at which call a detector warns, refuses or stops.
 */
import { named, rounds, type ScriptedCall, type ScriptedStep } from './script.ts'

const length = 64

const loops = {
  'A A A': cycle(['a']),
  'same call, same error': times((): ScriptedCall => ({ tool: 'deploy', result: 'denied', isError: true })),
  'A B A B': cycle(['a', 'b']),
  'A B C': cycle(['a', 'b', 'c']),
  'period 4': cycle(['a', 'b', 'c', 'd']),
  'period 5': cycle(['a', 'b', 'c', 'd', 'e']),
  'period 6': cycle(['a', 'b', 'c', 'd', 'e', 'f']),
  'one unique call between repeats': times((at) => named(at % 2 === 0 ? 'a' : `other_${at}`)),
  'shell, jittered arguments, same failure': times((at) => ({
    tool: 'bash',
    args: { command: `make --seed ${at}` },
    result: 'make: *** no rule',
    isError: true,
  })),
  'other tool, jittered arguments, same error': times((at) => ({
    tool: 'deploy',
    args: { to: `stage ${at}` },
    result: 'denied',
    isError: true,
  })),
  'reworded thought, same call': times((at) => ({ ...named('a'), text: `Attempt ${at}, in other words.` })),
  'argument key order shuffled': times((at) => ({
    args: hasOddOnes(at) ? { path: 'a.ts', line: 1 } : { line: 1, path: 'a.ts' },
  })),
  'chanting text': times(() => ({ reply: 'I will look at the file again. '.repeat(40) })),
} satisfies Record<string, readonly ScriptedStep[]>

const benign = {
  'a poll whose output changes': times((at) => ({ tool: 'command_status', result: `${at} % done` })),
  'a quiet job': times(() => ({ tool: 'command_status', result: 'running' }), 8),
  'edit and test, edits differ': times((at) =>
    at % 2 === 0
      ? { tool: 'edit_file', args: { path: 'a.ts', text: `version ${at}` } }
      : { tool: 'bash', args: { command: 'npm test' }, result: `${length - at} failed`, isError: true },
  ),
  'a batch of equal calls': times((at): ScriptedCall => ({ ...named('a'), inBatch: at > 0 }), 6),
  'templated text over many files': [{ reply: lines((at) => `File ${at}: header added, imports sorted.`) }],
  'a list with dashes': [{ reply: lines(() => '- run the whole test suite and see what it has to say') }],
  'a list with stars': [{ reply: lines(() => '* run the whole test suite and see what it has to say') }],
  'three messages in a row': [{ reply: 'Reading.' }, { reply: 'Half done.' }, { reply: 'Nearly there.' }],
  'a provider that is down for a while': [
    ...rounds(3, [{ tool: 'fetch_page', args: { page: 'a' }, result: '503', isError: true }]),
    { tool: 'fetch_page', args: { page: 'a' }, result: 'the page' },
  ],
} satisfies Record<string, readonly ScriptedStep[]>

export const rows = { ...loops, ...benign }

export type RowName = keyof typeof rows

function times(step: (at: number) => ScriptedStep, count = length): ScriptedStep[] {
  return Array.from({ length: count }, (_, at) => step(at))
}

function cycle(names: readonly string[]): ScriptedStep[] {
  return times((at) => named(names[at % names.length] ?? ''))
}

/** The Thue-Morse sequence: nothing in it comes three times in a row, so the order of the keys makes no cycle of its own. */
function hasOddOnes(number: number): boolean {
  return number.toString(2).replaceAll('0', '').length % 2 === 1
}

function lines(line: (at: number) => string): string {
  return Array.from({ length: 20 }, (_, at) => `${line(at)}\n`).join('')
}

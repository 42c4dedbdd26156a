/** Sample calls for measurements of cost: hardly any repeats another, as in honest work, and some tools have names never seen before. */
import type { CallStep, ReplyStep } from '../detector.ts'

/** Of a result, where nothing else is said. */
const usualResultChars = 1500

/** The call at a position; the same position gives the same call. Digests are ready, as in a run. */
export function sampleCall(index: number, resultChars = usualResultChars): CallStep {
  const isTest = index % 10 === 0
  const command = isTest ? 'npm test' : `sed -n ${index},${index + 40}p src/file-${index % 97}.ts`
  return {
    kind: 'call',
    index,
    turn: index,
    tool: index % 10 === 5 ? `tool_${index}` : 'bash',
    args: { command },
    argsDigest: digestOf(isTest ? 1 : index + 2),
    // From a buffer: a text of its own, not a rope over shared parts.
    result: Buffer.alloc(resultChars, `output ${index} of the command\n`).toString('latin1'),
    resultDigest: digestOf(index * 7 + 3),
    isError: index % 13 === 0,
  }
}

function digestOf(number: number): string {
  return ((number * 2_654_435_761) % 2 ** 48).toString(16).padStart(16, '0')
}

/** What is said before the call at a position: two sentences, no two of them alike. */
export function sampleReply(index: number): ReplyStep {
  const text = `Now I read part ${index} of file ${index % 97}, because it may hold what function ${digestOf(index)} calls. After that I run the tests and look at what number ${index * 7} of them says.`
  return { kind: 'reply', turn: index, text, calls: 1 }
}

/** One call of an endless loop of three calls whose results never change. */
export function loopingCall(index: number): CallStep {
  return { ...sampleCall(index % 3), index, turn: index }
}

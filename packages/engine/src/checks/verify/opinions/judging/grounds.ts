/** What a judge's answer rests on: its quotes are looked up, and a pass of claimed work needs one of work that succeeded. */
import type { JudgeQuote } from '@donecheck/core/verdicts'
import type { RunEvent, ToolCall } from '@donecheck/core/events'
import type { JudgeAnswer, JudgeRequest } from '../../../../ports/judges.ts'
import { readFile } from '../../work-tree/files/read-file.ts'
import { relativePath } from '../../work-tree/files/relative-path.ts'
import { quoteText } from '../../reports/reports.ts'
import { claimedWork, type ClaimedWork } from './claimed-work.ts'
import { recordText, visible } from './record-text.ts'

/** White space, unseen characters, quotation marks and forms of the same letter do not count. */
export function comparable(text: string): string {
  const plain = visible(text).replaceAll('\uFFFD', '').normalize('NFKC')
  return plain
    .replaceAll(/["'`“”„‟‘’‚‛«»‹›]/gu, '')
    .replaceAll(/\s+/gu, ' ')
    .trim()
}

/**
 * Why the answer cannot be believed, as a sentence; undefined: it can. A quote that was made up puts all of it in doubt.
 * @param quotesFrom files in which a quote without a source may stand too
 */
export async function groundlessness(
  answer: JudgeAnswer,
  request: JudgeRequest,
  quotesFrom: readonly string[],
  signal: AbortSignal,
): Promise<string | undefined> {
  if (answer.kind === 'abstained') return undefined
  for (const quote of answer.quotes) {
    const problem = await problemOfQuote(quote, request, quotesFrom, signal)
    if (problem !== undefined) return problem
  }
  const claimed = answer.kind === 'met' ? claimedWork(request.answer) : undefined
  if (claimed === undefined || answer.quotes.some((quote) => backs(quote, claimed, request.events)))
    return undefined
  return `the answer claims ${claimed === 'tests' ? 'that checks pass' : 'changed files'}, and the judge quotes nothing of the record that shows it`
}

export function callsOf(events: readonly RunEvent[]): ReadonlyMap<string, ToolCall> {
  const calls = events.flatMap((event) => (event.type === 'model-replied' ? event.toolCalls : []))
  return new Map(calls.map((call) => [call.callId, call]))
}

async function problemOfQuote(
  { text, source }: JudgeQuote,
  { answer, workFolder, events }: JudgeRequest,
  quotesFrom: readonly string[],
  signal: AbortSignal,
): Promise<string | undefined> {
  const wanted = comparable(text)
  const stands = (found: string | undefined) => found !== undefined && comparable(found).includes(wanted)
  const made = (places: string) => `the judge quotes ${quoteText(text)}, which does not stand in ${places}`
  if (source === undefined) {
    if (stands(answer)) return undefined
    for (const path of quotesFrom) if (stands(await fileText(workFolder, path, signal))) return undefined
    return made(['the answer', ...quotesFrom].join(' or '))
  }
  const event = events.findLast(({ id }) => id === source)
  const found =
    event === undefined
      ? await fileText(workFolder, source, signal)
      : recordText(event, (callId) => callsOf(events).get(callId))
  return stands(found) ? undefined : made(quoteText(source))
}

/** Undefined: there is no such file in the work folder. */
async function fileText(
  workFolder: string | null,
  path: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (workFolder === null) return undefined
  const inside = insideFolder(path)
  if (inside === undefined) return undefined
  const seen = await readFile(workFolder, inside, signal)
  return seen.kind === 'not-seen' ? undefined : new TextDecoder().decode(seen.bytes)
}

/** A model names whatever it likes: what does not lie in the folder is not looked at. */
function insideFolder(path: string): string | undefined {
  try {
    return relativePath(path)
  } catch {
    return undefined
  }
}

function backs({ source }: JudgeQuote, claimed: ClaimedWork, events: readonly RunEvent[]): boolean {
  if (source === undefined) return false
  const event = events.findLast(({ id }) => id === source)
  // A quote that was found, of no event: it is of a file, which is there.
  if (event === undefined) return claimed === 'files'
  if (event.type === 'verdict-given') {
    const { status, evidence } = event.verdict
    return status === 'passed' && evidence.some(({ kind }) => kind === 'command' || kind === 'tests')
  }
  if (event.type !== 'tool-returned' || event.status !== 'ok') return false
  const { callId } = event
  const called = events.findLast((one) => one.type === 'tool-called' && one.callId === callId)
  return claimed === 'files' || (called?.type === 'tool-called' && called.effect === 'execute')
}

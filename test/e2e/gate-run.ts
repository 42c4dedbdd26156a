/** One run of a scripted model that nobody watches, with what was said of each of its calls: to people, to programs, to the model. */
import { z } from 'zod'
import { inPlace, type Ended, type Place } from './donecheck.ts'
import { calls, says, withModelServer } from './model-server.ts'
import { readCommand } from './read-command.ts'

export type Step = ReturnType<typeof calls>

export const shell = (command: string, more: object = {}): Step => calls('run_shell', { command, ...more })
export const writes = (path: string, content: string): Step => calls('write_file', { path, content })
export const patchText = (...lines: readonly string[]): string =>
  ['*** Begin Patch', ...lines, '*** End Patch', ''].join('\n')
export const patches = (...lines: readonly string[]): Step =>
  calls('apply_patch', { patch: patchText(...lines) })

/** A shop whose check looks at two files; a command of tests that could be narrowed stands beside them. */
export const shop: Readonly<Record<string, string>> = {
  'check.sh': 'grep -q fixed src/cart.txt && grep -q fixed src/price.txt\n',
  'src/cart.txt': 'cart\nbroken\nend\n',
  'src/price.txt': 'price\nbroken\nend\n',
  Makefile: 'test:\n\tnode --test\n',
}

const mendingLines = [
  ...['*** Update File: src/cart.txt', ' cart', '-broken', '+fixed'],
  ...['*** Update File: src/price.txt', ' price', '-broken', '+fixed'],
]
export const mends = patches(...mendingLines)

const event = z.looseObject({ type: z.string(), callId: z.string().optional() })
const replied = z.looseObject({ toolCalls: z.array(z.looseObject({ callId: z.string() })) })
const refusal = z.looseObject({ by: z.string(), reason: z.string(), label: z.string().optional() })
const match = z.looseObject({
  rule: z.string(),
  source: z.string(),
  words: z.array(z.string()),
  span: z.tuple([z.number(), z.number()]).nullable(),
})
const decision = z.looseObject({
  decision: z.string(),
  reason: z.string(),
  label: z.string().optional(),
  shadow: z.string().optional(),
  matches: z.array(match),
})
const request = z.looseObject({
  messages: z.array(
    z.looseObject({ role: z.string(), tool_call_id: z.string().optional(), content: z.unknown() }),
  ),
})

/** What became of one call. */
export interface CallEnd {
  readonly decision?: z.infer<typeof decision>
  readonly refusal?: z.infer<typeof refusal>
  /** What the next request told the model. */
  readonly answer: string
  /** Its lines of `donecheck show last --trace`. */
  readonly trace: string
}

export interface Story {
  readonly ended: Ended
  readonly events: readonly z.infer<typeof event>[]
  /** In the order of the calls. */
  readonly statuses: readonly CallEnd[]
}

export interface Scene {
  /** What the model does; then it says that it is done. */
  readonly steps: readonly Step[]
  readonly words?: readonly string[]
  readonly files?: Readonly<Record<string, string>>
  readonly environment?: Readonly<Record<string, string>>
  /** Before the run. */
  readonly before?: (place: Place) => Promise<void>
  /** After the run, before its record is read. */
  readonly then?: (place: Place) => Promise<unknown>
}

/** `run` with nothing but a check, a model and these flags, and what stands in its record. */
export function tell(scene: Scene): Promise<Story> {
  const { files, words = [], environment, before, then } = scene
  return inPlace({ ...shop, ...files }, async (place) => {
    await before?.(place)
    return withModelServer(scene.steps, says('Done.'), async ({ baseUrl, requests }) => {
      const model = ['--base-url', baseUrl, '--model', 'fake-model']
      const line = ['run', '--until', 'sh check.sh', ...model, ...words, 'Mend the shop.']
      const ended = await place.run(line, environment === undefined ? {} : { environment })
      await then?.(place)
      return { ended, ...(await readRecord(place, requests())) }
    })
  })
}

/** Of the latest run of a place. */
export async function readRecord(place: Place, requests: readonly unknown[]): Promise<Omit<Story, 'ended'>> {
  const kept = await readCommand(place, ['show', 'last', '--json'])
  const trace = await readCommand(place, ['show', 'last', '--trace'])
  const events = kept
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => event.parse(JSON.parse(line)))
  const replies = events.filter(({ type }) => type === 'model-replied')
  const callIds = replies.flatMap((one) => replied.parse(one).toolCalls.map(({ callId }) => callId))
  const told = answersIn(requests)
  const statuses = callIds.map((callId): CallEnd => {
    const ofCall = (type: string) => events.find((one) => one.type === type && one.callId === callId)
    const [decided, refused] = [ofCall('gate-decided'), ofCall('tool-refused')]
    return {
      ...(decided === undefined ? {} : { decision: decision.parse(decided) }),
      ...(refused === undefined ? {} : { refusal: refusal.parse(refused) }),
      answer: told.get(callId) ?? '',
      trace: blockOf(trace, callId),
    }
  })
  return { events, statuses }
}

/** The first that was said of each call. */
function answersIn(requests: readonly unknown[]): ReadonlyMap<string, string> {
  const told = new Map<string, string>()
  for (const body of requests)
    for (const { role, tool_call_id: id = '', content } of request.parse(body).messages)
      if (role === 'tool' && !told.has(id))
        told.set(id, typeof content === 'string' ? content : JSON.stringify(content))
  return told
}

function blockOf(trace: string, callId: string): string {
  const lines = trace.split('\n')
  const first = lines.findIndex((line) => line.includes(`(${callId})`))
  if (first === -1) return ''
  const length = lines.slice(first + 1).findIndex((line) => !line.startsWith(' '))
  return lines.slice(first + 1, length === -1 ? lines.length : first + 1 + length).join('\n')
}

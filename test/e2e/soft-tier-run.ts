/** One run of a scripted model with everything that a user can read of it. */
import { z } from 'zod'
import { inPlace, lastJson, type Ended, type Place } from './donecheck.ts'
import { withModelServer } from './model-server.ts'
import { readCommand } from './read-command.ts'

export type Steps = Parameters<typeof withModelServer>[0]
export type Step = Steps[number]

export const check = 'grep -q DONE report.txt'
export const task = 'Write DONE into report.txt.'

const line = z.looseObject({ type: z.string() })
const noted = z.looseObject({
  finding: z.looseObject({ rule: z.string(), level: z.string(), message: z.string() }),
})
const refused = z.looseObject({ by: z.string(), reason: z.string() })
const requestBody = z.looseObject({ messages: z.array(z.looseObject({ role: z.string() })) })

export type Request = z.infer<typeof requestBody>

export interface Story {
  readonly ended: Ended
  /** What `--events` wrote, the result line last. */
  readonly lines: readonly z.infer<typeof line>[]
  /** Of the soft tier and of the caps, in their order. */
  readonly findings: readonly z.infer<typeof noted>['finding'][]
  readonly refusals: readonly z.infer<typeof refused>[]
  readonly result: Readonly<Record<string, unknown>>
  /** The timeline of `donecheck show`. */
  readonly shown: string
  /** Bodies of the requests that the model server got. */
  readonly requests: readonly Request[]
}

export interface Scene {
  readonly steps?: Steps
  /** Said after the steps. */
  readonly last: Step
  /** Flags. */
  readonly words?: readonly string[]
  /** Default `check`; null: none. */
  readonly until?: string | null
  readonly files?: Readonly<Record<string, string>>
  /** The server tells of the tokens which of them came from its cache and which were thoughts. */
  readonly tellsTokensByKind?: boolean
  /** After the run, at the same place, with the server still there. */
  readonly then?: (place: Place) => Promise<void>
}

/** Runs it with `stream-json`, and shows it afterwards. */
export function tell(scene: Scene): Promise<Story> {
  const { steps = [], last, words = [], until = check, files = {}, tellsTokensByKind = false, then } = scene
  return inPlace(files, (place) =>
    withModelServer(steps, last, async ({ baseUrl, requests }) => {
      const checks = until === null ? ['--unchecked'] : ['--until', until]
      const url = tellsTokensByKind ? baseUrl.replace(/\/v1$/, '/api/v1') : baseUrl
      const model = ['--base-url', url, '--model', 'fake-model', '--yes']
      const format = ['--events']
      const ended = await place.run(['run', ...checks, ...model, ...format, ...words, task])
      const shown = await readCommand(place, ['show', 'last'])
      await then?.(place)
      return { ...readingOf(ended), shown, requests: requests().map((body) => requestBody.parse(body)) }
    }),
  )
}

function readingOf(ended: Ended): Omit<Story, 'shown' | 'requests'> {
  const lines = ended.stdout
    .trim()
    .split('\n')
    .map((text) => line.parse(JSON.parse(text)))
  const ofType = (type: string) => lines.filter((event) => event.type === type)
  return {
    ended,
    lines,
    findings: ofType('finding-noted').map((event) => noted.parse(event).finding),
    refusals: ofType('tool-refused').map((event) => refused.parse(event)),
    result: lastJson(ended),
  }
}

/** The rules of the findings, in their order. */
export function rulesOf({ findings }: Story): readonly string[] {
  return findings.map(({ rule }) => rule)
}

/** The hooks of Gemini CLI. */
import {
  contextFor,
  defineHookProtocol,
  payloadOf,
  messageToPerson,
  textIn,
  textOf,
  type Payload,
} from '../../protocol/hooks/index.ts'
import { variableIn } from '../../protocol/settings/index.ts'
import type { HostResult } from '../../protocol/host/index.ts'
import { tools } from './tools.ts'

const ended = (reason: string) => ({ continue: false, stopReason: reason })
const denied = (reason: string) => ({ decision: 'deny', reason })
const isDenied = (said: Payload) => ['deny', 'block'].includes(textIn(said, 'decision') ?? '')

const effectAs = (whenDenied: 'held' | 'refused') => (said: Payload) => {
  if (said['continue'] === false) return 'ended'
  return isDenied(said) ? whenDenied : 'passed'
}

export const geminiHooks = defineHookProtocol({
  agent: 'gemini',
  title: 'Gemini CLI',
  silentFailures: true,
  projectVariable: 'GEMINI_PROJECT_DIR',
  ownSettings: (environment) => {
    const home = variableIn(environment, 'GEMINI_CLI_HOME') ?? '~'
    return [
      '.gemini/settings.json',
      `${home}/.gemini/settings.json`,
      variableIn(environment, 'GEMINI_CLI_TRUSTED_FOLDERS_PATH') ?? `${home}/.gemini/trustedFolders.json`,
    ]
  },
  events: [
    { event: 'SessionStart', tells: 'start', sample: { source: 'startup' } },
    { event: 'BeforeAgent', tells: 'prompt' },
    { event: 'BeforeTool', tells: 'proposal' },
    {
      event: 'AfterTool',
      tells: 'result',
      sample: { tool_response: { llmContent: 'Output: (empty)', returnDisplay: '' } },
    },
    {
      event: 'AfterAgent',
      tells: 'claim',
      verifies: true,
      sample: { prompt: 'a trial of the hooks', prompt_response: 'Done.', stop_hook_active: false },
    },
    { event: 'SessionEnd', tells: 'over', sample: { reason: 'exit' } },
  ],
  fields: { claim: 'prompt_response' },
  claimHoldsEarlier: true,
  tools,
  result: ({ tool_response: response }) => resultOf(response),
  hasHeading: true,
  notice: messageToPerson,
  answers: {
    start: { context: contextFor, end: () => ({}) },
    prompt: { context: contextFor, objection: denied, end: ended, effect: effectAs('refused') },
    proposal: {
      objection: denied,
      // It is refused as well: whoever ends must not leave it to run.
      end: (reason) => ({ ...ended(reason), ...denied(reason) }),
      effect: (said) => (isDenied(said) ? 'refused' : said['continue'] === false ? 'ended' : 'passed'),
    },
    // A refusal would hide the result of what has happened: the model is told beside it.
    result: { context: contextFor, objection: contextFor, end: ended, effect: effectAs('refused') },
    claim: { objection: denied, end: ended, effect: effectAs('held') },
  },
  sample: ({ sessionId, folder }, event) => ({
    session_id: sessionId,
    transcript_path: `${folder}/transcript.json`,
    cwd: folder,
    hook_event_name: event,
    timestamp: '2026-01-01T00:00:00.000Z',
  }),
  sampleCall: (command) => ({ tool_name: 'run_shell_command', tool_input: { command } }),
})

/** A command that ended with another code than 0 is no error for it: the code stands below the output, in its text. */
function resultOf(response: unknown): HostResult {
  const fields = payloadOf(response)
  const content = fields === undefined ? response : fields['llmContent']
  const output = contentText(content).replace(processGroup, '')
  const error = fields?.['error']
  if (error !== undefined && error !== null) return { status: 'error', output: output || textOf(error) }
  const code = [...output.matchAll(/^Exit Code: (\d+)$/gm)].at(-1)?.[1]
  return { status: code === undefined || code === '0' ? 'ok' : 'error', output }
}

/** Another one each time: equal calls would never give equal results. */
const processGroup = /^Process Group PGID: \d+\n?/gm

/** A text, or a list of parts. */
function contentText(content: unknown): string {
  if (!Array.isArray(content)) return textIn(payloadOf(content), 'text') ?? textOf(content)
  return content.map((part: unknown) => contentText(part)).join('')
}

import { defineHookProtocol, edits, readers, runs, writes } from '../../protocol/hooks/index.ts'
import {
  isTrueIn,
  numberIn,
  payloadOf,
  textIn,
  textOf,
  type Payload,
  type HostEvent,
  type HostResult,
} from '../../protocol/host/index.ts'
import { jsonOf } from '@donecheck/engine/internal/base'
import { join } from 'node:path'
import { hookSettings } from '../../protocol/settings/index.ts'

const paths = ['file_path', 'path', 'target_file']
const context = (text: string) => ({ additional_context: text })

export const cursorHooks = defineHookProtocol({
  agent: 'cursor',
  title: 'Cursor',
  silentFailures: false,
  projectVariable: 'CURSOR_PROJECT_DIR',
  ownSettings: () => ['.cursor/hooks.json', '~/.cursor/hooks.json'],
  events: [
    { event: 'sessionStart', tells: 'start' },
    { event: 'beforeSubmitPrompt', tells: 'prompt' },
    { event: 'preToolUse', tells: 'proposal' },
    { event: 'postToolUse', tells: 'result' },
    { event: 'postToolUseFailure', tells: 'result', hasFailed: true, isDeaf: true },
    {
      event: 'stop',
      tells: 'claim',
      verifies: true,
      read: unlessNothingIsClaimed,
      sample: { status: 'completed', loop_count: 0 },
    },
    { event: 'sessionEnd', tells: 'over' },
  ],
  fields: {
    session: ['conversation_id', 'session_id'],
    callId: 'tool_use_id',
    error: 'error_message',
    duration: 'duration',
  },
  // User hooks run in a folder of Cursor's; the project is the first root.
  folder({ workspace_roots: roots }) {
    const first: unknown = Array.isArray(roots) ? roots[0] : undefined
    return typeof first === 'string' ? first : undefined
  },
  unattended: (fields) => (isTrueIn(fields, 'is_background_agent') ? true : undefined),
  wasBlocked: (fields) => (numberIn(fields, 'loop_count') ?? 0) > 0,
  tools: {
    Shell: runs('command', 'working_directory'),
    Write: writes(paths, ['content', 'contents']),
    StrReplace: edits(paths),
    Edit: edits(paths),
    ...readers([
      ...['Read', 'Grep', 'Glob', 'LS', 'SemanticSearch', 'WebFetch', 'WebSearch', 'TodoWrite'],
      ...['ReadLints', 'Task'],
    ]),
  },
  result: ({ tool_output: output }) => resultOf(textOf(output)),
  hasHeading: true,
  answers: {
    start: { context, objection: context },
    result: { context, objection: context },
    prompt: { objection: (text) => ({ continue: false, user_message: text }) },
    // Cursor does not reliably ask the user here.
    proposal: { objection: (text) => ({ permission: 'deny', user_message: text, agent_message: text }) },
    claim: { objection: (text) => ({ followup_message: text }), end: () => ({}) },
  },
  effect: (said) => ((textIn(said, 'followup_message') ?? '') === '' ? 'passed' : 'held'),
  sample: ({ sessionId, folder }, event) => ({
    conversation_id: sessionId,
    generation_id: 'trial',
    model: 'trial',
    hook_event_name: event,
    cursor_version: 'trial',
    workspace_roots: [folder],
    user_email: null,
    transcript_path: null,
  }),
})

function unlessNothingIsClaimed(usual: HostEvent, fields: Payload): HostEvent {
  const status = textIn(fields, 'status')
  if (status === 'aborted') return { kind: 'irrelevant' }
  return status === 'error' ? { kind: 'turn-failed', message: 'the turn ended with an error' } : usual
}

function resultOf(said: string): HostResult {
  const reported = payloadOf(jsonOf(said))
  const exitCode = reported === undefined ? undefined : numberIn(reported, 'exitCode')
  const parts = [textIn(reported, 'stdout', 'output'), textIn(reported, 'stderr')]
  const output = parts.filter((part) => part !== undefined && part !== '').join('\n')
  return {
    status: exitCode === undefined || exitCode === 0 ? 'ok' : 'error',
    output: output === '' ? said : output,
  }
}

/** Well above donecheck's own limit. */
const loopLimit = 100

export const cursorSettings = hookSettings({
  agent: 'cursor',
  shape: 'flat',
  preamble: { version: 1 },
  file: (scope, { homeFolder, workFolder }) =>
    join(scope === 'user' ? homeFolder : workFolder, '.cursor', 'hooks.json'),
  entry: ({ verifies }, command, timeoutSeconds) => ({
    command,
    timeout: timeoutSeconds,
    ...(verifies === true ? { loop_limit: loopLimit } : {}),
  }),
  goneAnswer: () => '{}',
  shell: ['/bin/sh', '-c'],
  environment: (folder) => ({ CURSOR_PROJECT_DIR: folder, CLAUDE_PROJECT_DIR: folder }),
  otherFiles: () => ['/etc/cursor/hooks.json'],
})

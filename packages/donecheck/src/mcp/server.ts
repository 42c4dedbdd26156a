/** No tool can change a check or end a session as verified. */
import { McpServer, type ServerContext } from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { z } from 'zod'
import { donecheckVersion } from '@donecheck/engine/internal/base'
import { doneAnswer, goalAnswer, type DoneAnswer, type SessionRegistry } from './session-registry.ts'

const instructions =
  'Work is done when its checks say so. Read get_goal first. Call check_done when you believe that you are done, and go on until it answers "Verified". If something outside of your reach stands in the way, call report_blocked.'

export function verificationServer(registry: SessionRegistry): McpServer {
  const server = new McpServer({ name: 'donecheck', version: donecheckVersion }, { instructions })
  addReadingTools(server, registry)
  addClaims(server, registry)
  return server
}

function addReadingTools(server: McpServer, registry: SessionRegistry): void {
  server.registerTool(
    'get_goal',
    {
      title: 'What is to be reached',
      description: 'The task, the checks that decide whether it is done, and what each of them said last.',
      inputSchema: z.object({}),
      outputSchema: goalAnswer,
      annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
    },
    () => {
      const answer = registry.goal()
      return { ...text(JSON.stringify(answer, null, 2)), structuredContent: { ...answer } }
    },
  )
  server.registerTool(
    'explain_failure',
    {
      title: 'Why it is not done',
      description:
        'The evidence of the latest verification: of one check, or of all that are open. Runs nothing.',
      inputSchema: z.object({ check: z.string().optional().describe('Its name; absent: all that are open') }),
      annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
    },
    ({ check }) => text(registry.explain(check)),
  )
}

function addClaims(server: McpServer, registry: SessionRegistry): void {
  server.registerTool(
    'check_done',
    {
      title: 'Is it done?',
      description:
        'Runs the checks now. Only they decide; what you say of your work is recorded and proves nothing.',
      inputSchema: z.object({ summary: z.string().optional().describe('What was done, for the record') }),
      outputSchema: doneAnswer,
      // Checks may write files.
      annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: true },
    },
    async ({ summary }, context) => replyWith(await claim(registry, summary ?? '', context)),
  )
  server.registerTool(
    'report_blocked',
    {
      title: 'Something stands in the way',
      description:
        'For what you cannot mend yourself, such as a missing key. It is recorded for a person, and the checks are run: where they can be run and fail, that is not a block.',
      inputSchema: z.object({
        reason: z.string().min(1).describe('What stands in the way'),
        evidence: z
          .string()
          .optional()
          .describe('What you saw: a command and its output, an error message. A person believes it sooner'),
      }),
      outputSchema: doneAnswer,
      annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: true },
    },
    async ({ reason, evidence }, context) =>
      blockedReply(
        await claim(registry, ['Blocked: ' + reason, evidence ?? ''].join('\n\n').trim(), context),
      ),
  )
}

async function claim(
  registry: SessionRegistry,
  words: string,
  { mcpReq }: ServerContext,
): Promise<DoneAnswer> {
  const progressToken = mcpReq._meta?.progressToken
  if (progressToken !== undefined)
    await mcpReq.notify({
      method: 'notifications/progress',
      params: { progressToken, progress: 0, message: `${registry.goal().checks.length} checks are asked` },
    })
  return registry.check(words, mcpReq.signal)
}

function blockedReply(answer: DoneAnswer): ReturnType<typeof replyWith> {
  if (answer.kind === 'verified')
    return replyWith({ ...answer, text: `Nothing stands in the way. ${answer.text}` })
  const isOutside = answer.goal.checks.every(({ status, required }) => !required || status !== 'failed')
  const words = isOutside
    ? 'Recorded: the checks cannot decide either. A person has to look; do not go on with this part.'
    : 'Recorded for a person. The checks can be run and fail, though: this is work, not a block.'
  return replyWith({ ...answer, text: `${words}\n\n${answer.text}` })
}

function replyWith({ text: words, kind, goal: view }: DoneAnswer) {
  return { ...text(words), structuredContent: { kind, text: words, goal: view } }
}

function text(words: string) {
  return { content: [{ type: 'text' as const, text: words }] }
}

/** @param onProblem reports transport errors */
export async function serveOverStdio(
  registry: SessionRegistry,
  { signal, onProblem }: { readonly signal: AbortSignal; readonly onProblem: (problem: string) => void },
): Promise<void> {
  const over = Promise.withResolvers<undefined>()
  const server = serveStdio(() => verificationServer(registry), {
    onerror: (error) => onProblem(error.message),
  })
  const end = () => over.resolve(undefined)
  process.stdin.once('end', end).once('close', end)
  signal.addEventListener('abort', end, { once: true })
  await over.promise
  await server.close()
}

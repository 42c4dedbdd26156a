import { serveStdio } from '@modelcontextprotocol/server/stdio'
import type { SessionRegistry } from './session-registry.ts'
import { verificationServer } from './server.ts'

/**
 * Serves on this process's standard input and output, which must carry nothing else, until the client has gone.
 * @param onProblem told of what goes wrong beside the answers
 */
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

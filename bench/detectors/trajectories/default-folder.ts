import { fileURLToPath } from 'node:url'

/** Where the recorded runs lie, if nothing else is said. */
export function defaultFolder(environment: NodeJS.ProcessEnv): string {
  return (
    environment['DONECHECK_TRAJECTORIES'] ??
    fileURLToPath(new URL('../../../../shared/trajectories', import.meta.url))
  )
}

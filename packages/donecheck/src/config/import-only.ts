import { registerHooks, type ResolveHookSync } from 'node:module'

/** A fault of what was to be read, as the exit codes of the command have it. */
const faultExitCode = 70

/**
 * Imports a module. One that ends the process while it is imported, or never ends itself, must not look like a good end:
 * then the exit code is another one, and says why.
 */
export async function importOnly(url: string, file: string): Promise<unknown> {
  const onExit = () => {
    process.exitCode = faultExitCode
    process.stderr.write(
      `donecheck: ${file} ended the process while it was read, or never came to its own end\n`,
    )
  }
  process.once('exit', onExit)
  const own = registerHooks({ resolve: resolveOwn })
  try {
    return (await import(url)) as unknown
  } finally {
    own.deregister()
    process.off('exit', onExit)
  }
}

/** Where the project has no donecheck of its own, the one that reads the file is meant: it may be installed for all projects. */
const resolveOwn: ResolveHookSync = (specifier, context, nextResolve) => {
  try {
    return nextResolve(specifier, context)
  } catch (error) {
    if (!/^(?:donecheck|@donecheck\/.*)$/u.test(specifier)) throw error
    return nextResolve(specifier, { ...context, parentURL: import.meta.url })
  }
}

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
  try {
    return (await import(url)) as unknown
  } finally {
    process.off('exit', onExit)
  }
}

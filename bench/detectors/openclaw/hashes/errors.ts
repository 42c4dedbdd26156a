/** The text of an error for its hash. `write` is used for what is neither an Error nor a simple value. */
export function textOfError(error: unknown, write: (value: unknown) => string): string {
  if (error instanceof Error) return error.message === '' ? error.name : error.message
  switch (typeof error) {
    case 'string':
      return error
    case 'number':
    case 'boolean':
    case 'bigint':
      return String(error)
    default:
      return write(error)
  }
}

const unknownTool = /unknown tool[:\s]+["']?(?<name>[a-z0-9_.-]+)["']?/i
const missingTool = /tool\s+["']?(?<name>[a-z0-9_.-]+)["']?\s+(?:not found|is not available)/i

/** Lower-cased; undefined: the error says nothing of a tool that is not there. */
export function unknownToolIn(errorText: string): string | undefined {
  const text = errorText.trim()
  return (unknownTool.exec(text) ?? missingTool.exec(text))?.groups?.['name']?.toLowerCase()
}

import type { FoundCommand } from '../../../analysis/shell/index.ts'

export function beginsWith(command: FoundCommand, prefix: readonly string[]): boolean {
  return prefix.every((word, index) => command.words[index]?.text === word)
}

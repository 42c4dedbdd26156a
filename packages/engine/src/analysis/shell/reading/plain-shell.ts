import { parse, type ArithmeticCommand, type Script, type TestCommand } from 'unbash'
import { addSecondText, spanOf, type ReadingContext } from '../reading-state.ts'

/**
 * `[[ a || b ]]` and `((a; b))` are grammar to `bash`; to a plain `sh` they are commands, so that `b` is run.
 * Both readings count where it is not known which shell it is.
 */
export function readAsPlainShell(
  node: TestCommand | ArithmeticCommand,
  text: string,
  place: ReadingContext,
): void {
  if (place.isBash) return
  const body = node.type === 'ArithmeticCommand' ? node.body : insideBrackets(text.slice(node.pos, node.end))
  if (body === undefined) return
  const script = parse(body)
  if (script.errors !== undefined || !hasProgram(script)) return
  addSecondText(body, spanOf(node, place), place)
}

/** What stands behind the first operator of the shell; before it there are only words of `[[`. */
function insideBrackets(text: string): string | undefined {
  const from = /[&|;<>\n]/.exec(text)
  return from === null ? undefined : `: ${text.slice(from.index)}`
}

/** Something in it could be the name of a program, other than an operand of a test or of a sum. */
function hasProgram({ commands }: Script): boolean {
  return commands.some(({ command }) => {
    const parts = command.type === 'AndOr' ? command.commands : [command]
    return parts.some(
      (part) =>
        part.type !== 'Command' ||
        (/^[\w./\\'"$`][\w./\\'"$`+-]*$/.test(part.name?.text ?? '') &&
          !/^(-|\d+$|:$)|(\+\+|--)$/.test(part.name?.text ?? '')),
    )
  })
}

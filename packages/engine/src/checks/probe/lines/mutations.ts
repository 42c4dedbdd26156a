import type { Mutation } from '../mutation.ts'
import { tokensOf } from '../../../analysis/source/index.ts'
import type { SourceLines } from '../source-lines.ts'
import { codeLinesOf, type CodeLine } from './code-line.ts'
import type { LineLanguage } from './language.ts'
import { statementFaults } from './statement-faults.ts'
import { tokenFaults } from './token-faults.ts'

/** Every fault that could be planted, in the order of the source; none in a comment. */
export function lineMutations(text: string, lines: SourceLines, language: LineLanguage): readonly Mutation[] {
  const code = tokensOf(text, language.lexis).filter(({ kind }) => kind !== 'comment' && kind !== 'newline')
  return codeLinesOf(text, code, lines)
    .filter((line) => !isDeclaration(line))
    .flatMap((line) => [...tokenFaults(text, line, language), ...statementFaults(text, line, language)])
}

const declares =
  /^(?:import|from|package|use|using|include|extern|namespace|mod|module|template|type|typedef|@|#|throw|raise|panic|fmt|log|logger|logging|print|println|printf)$/u

/** What names, imports or marks something does nothing, and what is said to people is seldom checked. */
function isDeclaration({ tokens }: CodeLine): boolean {
  return (
    declares.test(tokens[0]?.text ?? '') ||
    tokens.some(({ text }) => text === '__name__' || text === '__main__')
  )
}

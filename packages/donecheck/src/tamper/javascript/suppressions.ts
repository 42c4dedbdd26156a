/** Comments that switch off a linter, a type checker or the counting of coverage. */
import type { PlacedText } from '../facts.ts'
import { lineOf, type SyntaxTree } from './syntax.ts'

const directive =
  /^[\s*/]*(eslint-disable(?:-next-line|-line)?|@ts-(?:ignore|nocheck|expect-error)|(?:istanbul|c8|v8) ignore|node:coverage (?:disable|ignore next)|biome-ignore(?:-all|-start)?|deno-(?:lint-ignore(?:-file)?|coverage-ignore\S*)|oxlint-disable\S*|tslint:disable\S*|jshint ignore:\S*|sonar-?ignore|NOSONAR|Stryker disable\S*)\b([^\n]*)/

export function suppressionsOf(tree: SyntaxTree): PlacedText[] {
  const found: PlacedText[] = []
  for (const comment of tree.comments ?? []) {
    const match = directive.exec(comment.value)
    if (match === null) continue
    const [, word = '', rest = ''] = match
    // What stands behind `--` or `:`, and behind the words of the type checker, is the reason for people.
    const rules = word.startsWith('@ts') ? '' : rest.replace(/(\s--|:\s).*$/, '').replace(/\*+$/, '')
    found.push({ line: lineOf(comment), text: `${word} ${rules}`.replace(/\s+/g, ' ').trim() })
  }
  return found
}

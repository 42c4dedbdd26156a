/** How source texts are read: tokens of many languages, the syntax tree of JavaScript and TypeScript. Pure. */
export { javascriptLexis, lexisOf, pythonLexis, type Lexis } from './languages.ts'
export { closingOf, codeOf, depthChange, firstFrom, splitAt, textOf, tokensOf, type Token } from './tokens.ts'
export {
  bare,
  childrenOf,
  isFunction,
  lineOf,
  nodesOf,
  parseJavaScript,
  type CallExpression,
  type FunctionNode,
  type SyntaxNode,
  type SyntaxTree,
  type TemplateLiteral,
} from './javascript.ts'

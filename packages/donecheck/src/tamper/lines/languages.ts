/** Languages with braces, told apart by a few words each. */
import { csharpLexis, javaLexis, phpLexis, rustLexis } from '../source/lexes.ts'
import type { Lexis } from '../source/tokens.ts'

export interface BraceLanguage {
  readonly lexis: Lexis
  /** What stands before the function of a test. */
  readonly isTest: RegExp
  /** A name is enough. */
  readonly isTestName?: RegExp
  /** What stands before a test or its class and skips it. */
  readonly skips: RegExp
  /** The same in a body. */
  readonly skipCall: RegExp
  /** What makes a failing test pass. */
  readonly expectsFailure?: RegExp
}

const java: BraceLanguage = {
  lexis: javaLexis,
  isTest: /@ (?:Test|ParameterizedTest|RepeatedTest|TestFactory|TestTemplate|Property)\b/u,
  isTestName: /^test\p{Lu}/u,
  skips: /@ (?:Disabled\w*|Ignore\w*|EnabledIf\w*|EnabledOn\w*)\b|\benabled = false\b/u,
  skipCall: /\b(?:assumeTrue|assumeFalse|assumeThat|assumingThat) \(/u,
}

const csharp: BraceLanguage = {
  lexis: csharpLexis,
  isTest: /\[ (?:\w+ \. )*(?:Fact|Theory|Test|TestCase|TestMethod|DataTestMethod|TestCaseSource)\b/u,
  skips: /\[ (?:\w+ \. )*(?:Ignore|Explicit)\b|\bSkip = /u,
  skipCall: /\bAssert \. (?:Ignore|Inconclusive|Pass|Skip) \(/u,
}

const rust: BraceLanguage = {
  lexis: rustLexis,
  isTest: /# \[ (?:\w+ :: )*(?:test|rstest|test_case|quickcheck|wasm_bindgen_test|proptest)\b/u,
  skips: /# \[ ignore\b|# \[ cfg_attr \( .*\bignore\b|# \[ cfg \( (?:any \( \)|FALSE|feature\b)/u,
  skipCall: /(?!)/u,
  expectsFailure: /# \[ should_panic\b/u,
}

const php: BraceLanguage = {
  lexis: phpLexis,
  isTest: /# \[ (?:\w+ \\ )*Test\b/u,
  isTestName: /^test/u,
  skips: /# \[ (?:\w+ \\ )*(?:RequiresPhp\w*|Ignore\w*)\b/u,
  skipCall: /\b(?:markTestSkipped|markTestIncomplete) \(/u,
}

/** Undefined: none of them. */
export function braceLanguageOf(path: string): BraceLanguage | undefined {
  const extension = path.slice(path.lastIndexOf('.') + 1)
  if (/^(?:java|kts?|scala|groovy|swift)$/u.test(extension)) return java
  if (extension === 'cs') return csharp
  if (extension === 'rs') return rust
  return extension === 'php' ? php : undefined
}

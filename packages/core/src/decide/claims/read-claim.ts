/**
 * What a final text says was done, as far as a reading of words can be sure of it: plain statements in the past of the one who
 * speaks. Quotes, code, questions, conditions, plans and what is said not to be done count for nothing.
 */

export interface ClaimReading {
  /** It says that it changed code or files. */
  readonly changedWork: boolean
  /** It says that something was carried out: booked, cancelled, sent. */
  readonly carriedOut: boolean
  /** Paths of files that it says it made or changed. */
  readonly files: readonly string[]
  /** It speaks of something that fails, is missing or was left undone: an admission, of which nothing follows. */
  readonly admitsLimits: boolean
}

/** Of a long answer the beginning and the end. */
const readCharacters = 6000
const keptPaths = 16

/** What takes the certainty out of a sentence. */
const unsure =
  /\?|\b(?:if|would|could|should|can|may|might|must|shall|will|unless|please|let me|plan to|going to|want|need(?:s|ed)?|try|tried|trying|attempt(?:s|ed|ing)?|not|never|no|without|cannot|fail(?:s|ed)?|unable|instead of|already|previously|earlier|before|was there|would-be|recommend|suggest|propose[ds]?|example|once|when|how to|to be|unchanged|as is)\b|n['’]t\b/i

const own = String.raw`(?:\bI(?:['’]ve| have| had)?|\bWe(?:['’]ve| have)?)(?: also| now| then| just| successfully| simply)*`
const changeVerb = String.raw`(?:fixed|implemented|refactored|patched|modified|rewrote|rewritten)`
const fileVerb = String.raw`(?:created|added|wrote|written|generated|saved|updated|modified|edited|changed|fixed|refactored|implemented|rewrote|rewritten)`
const changed = new RegExp(
  String.raw`${own} ${changeVerb}\b|${own} (?:made|applied) the (?:\w+ )?(?:change|fix|edit|patch)e?s?\b`,
  'i',
)
const filesChanged = new RegExp(
  String.raw`${own} ${fileVerb}\b|^\W*(?:Created|Added|Wrote|Saved|Updated|Modified|Edited|Rewrote)\b|\b(?:has|have) been (?:successfully )?(?:created|written|saved|updated|added|modified)\b`,
  'i',
)
const carried =
  /\b(?:(?:has|have) (?:now )?been (?:successfully )?|(?:was|were) successfully )(?:cancell?ed|booked|refunded|upgraded|downgraded|updated|changed|modified|sent|issued|removed|added|deleted|exchanged|returned)\b|\bI(?:['’]ve| have) (?:successfully |now )*(?:cancell?ed|booked|refunded|upgraded|sent|issued|exchanged)\b/i

const path =
  /`([^`\s]+)`|(?:^|[\s("'*])((?:\.{0,2}\/)?[\w@.-]+(?:\/[\w@.-]+)*\.[A-Za-z]\w{0,5})(?=$|[\s)"'*,;:.])/g
const filePath = /^(?:\.\/)?(?!.*\.\.)[\w@-][\w@.-]*(?:\/[\w@.-]+)*\.[A-Za-z]\w{0,5}$/
/** Other words with a point in them may be anything. */
const fileEnding =
  /\.(?:[cm]?[jt]sx?|py|ipynb|md|mdx|txt|rst|json|jsonl|ya?ml|toml|ini|cfg|xml|html?|css|s[ac]ss|sh|rb|go|rs|java|kt|swift|c|h|cc|cpp|hpp|cs|php|sql|csv|tsv|vue|svelte|proto)$/i
/** Names of programs that end like files. */
const program =
  /^(?:node|vue|next|nuxt|react|express|three|d3|chart|moment|ember|backbone|alpine|discord|p5)\.js$/i
const gone = /\b(?:remov|delet|renam|mov(?:e|ed|ing)\b|replac|drop(?:s|ped)?\b|clean|revert|temporar)/i

const limits =
  /\b(?:fail(?:s|ed|ing|ure|ures)?|error|broken|not (?:able|yet|possible|fixed|done|implemented|complete)|could not|cannot|can['’]t|couldn['’]t|unable|unrelated|pre-?existing|flaky|known issue|remaining|still|skipp?ed|incomplete|partially|limitation|TODO)\b/i

export function readClaim(text: string): ClaimReading {
  const spoken = withoutQuotes(ends(text))
  const sentences = spoken.split(/(?<=[.!?])\s+|\n+/).filter((sentence) => sentence.trim() !== '')
  const sure = sentences.filter((sentence) => !unsure.test(sentence))
  const files = gone.test(spoken) ? [] : sure.filter((one) => filesChanged.test(one)).flatMap(pathsIn)
  return {
    changedWork: sure.some((sentence) => changed.test(sentence)),
    carriedOut: sure.some((sentence) => carried.test(sentence)),
    files: [...new Set(files)].slice(0, keptPaths),
    admitsLimits: limits.test(spoken),
  }
}

function ends(text: string): string {
  return text.length <= 2 * readCharacters
    ? text
    : `${text.slice(0, readCharacters)}\n\n${text.slice(-readCharacters)}`
}

/** Without code blocks and quoted lines. */
function withoutQuotes(text: string): string {
  return text.replace(/```[\s\S]*?(?:```|$)/g, '\n').replace(/^[ \t]*>.*$/gm, '')
}

function pathsIn(sentence: string): readonly string[] {
  const found = [...sentence.matchAll(path)].map(([, quoted, plain]) => quoted ?? plain ?? '')
  return found.filter((word) => filePath.test(word) && fileEnding.test(word) && !program.test(word))
}

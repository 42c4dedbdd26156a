/** Whether an answer says that work was done which the record would show. English; what it does not see is not asked for. */

export type ClaimedWork = 'tests' | 'files'

const subject = String.raw`\b(?:tests?|specs?|test suite|suite|build|linter|type-?check\w*)\b`
const success = String.raw`\b(?:pass(?:e[sd]|ing)?|green|succeed(?:s|ed)?|successful(?:ly)?)\b`
const testsClaim = new RegExp(
  `${subject}.{0,80}${success}|${success}.{0,40}${subject}|\\b\\d+ passed\\b`,
  'iu',
)
const denied = /\b(?:not|never|cannot|without|fail(?:s|ed|ing)?|unless|if)\b|n['’]t\b/iu

/** Says of failures that there are none: it denies nothing. */
const noFailure =
  /\b(?:0|no|zero|none|without(?: any)?|nothing)\s+(?:tests?\s+|of them\s+)?(?:fail\w*|errors?|problems?|issues?|warnings?)\b/giu

const deed =
  /\b(?:created|wrote|written|added|updated|changed|edited|modified|fixed|implemented|removed|deleted|renamed|moved|refactored|saved|replaced|generated|extended)\b/iu
const path =
  /`[^`\s]*[./][^`\s]+`|\b[\w-]+\/[\w./-]+|\b[\w-]+\.(?:[cm]?[jt]sx?|py|go|rs|java|rb|php|cs?|cpp|h|md|txt|json|ya?ml|toml|html?|css|sql|sh|csv|pdf|docx?|xlsx?)\b/iu

/** Two words beside each other, and no path: abbreviations, and pairs that are usual. */
const slashed =
  /(?<![\w./-])(?:[A-Z]{1,5}\/[A-Z]{1,5}|and\/or|either\/or|yes\/no|on\/off|true\/false|pass\/fail|he\/she|his\/her|s\/he|input\/output|read\/write|client\/server)(?![\w./-]*[\w/])/gu

/** Undefined: it claims neither. */
export function claimedWork(answer: string): ClaimedWork | undefined {
  const sentences = answer.split(/[.!?](?=\s|$)|\n/u)
  const isDenied = (sentence: string) => denied.test(sentence.replace(noFailure, ' '))
  if (sentences.some((sentence) => testsClaim.test(sentence) && !isDenied(sentence))) return 'tests'
  const says = sentences.map((sentence) => sentence.replace(slashed, ' '))
  return says.some((sentence) => deed.test(sentence) && path.test(sentence)) ? 'files' : undefined
}

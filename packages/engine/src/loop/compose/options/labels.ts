import { UsageError } from '../../../base/index.ts'

const maxLabels = 20
const maxLength = 80

/** Each once. @throws {UsageError} for one that cannot be shown in a line, and for too many */
export function labelsOf(given: readonly string[]): readonly string[] {
  const labels = [...new Set(given)]
  const odd = labels.find((label) => !isLabel(label))
  if (odd !== undefined)
    throw new UsageError(`a label is one line of 1 to ${maxLength} characters, not ${JSON.stringify(odd)}`)
  if (labels.length <= maxLabels) return labels
  throw new UsageError(`a run has at most ${maxLabels} labels, not ${labels.length}`)
}

function isLabel(text: string): boolean {
  return text.trim() === text && text !== '' && text.length <= maxLength && !/\p{C}/u.test(text)
}

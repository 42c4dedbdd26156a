import { formatText } from '../reading-state.ts'
import { unknownWord, type ReadWord } from '../words/word.ts'
import { elsewhere, joinWords, type Start, type Started } from './started.ts'
import { readOptions } from './options.ts'
import { xargs } from './wrappers.ts'

/** `find … -exec program {} ;` and the like. */
export function findStarted(words: readonly ReadWord[]): Started {
  const starts: Start[] = []
  for (let index = 1; index < words.length; index += 1) {
    if (!/^-(exec|execdir|ok|okdir)$/.test(words[index]?.text ?? '')) continue
    const end = words.findIndex(
      ({ text }, at) => at > index && (text === ';' || (text === '+' && words[at - 1]?.text === '{}')),
    )
    const run = words.slice(index + 1, end < 0 ? undefined : end)
    if (run.length > 0)
      starts.push({
        kind: 'words',
        through: `find ${words[index]?.text ?? ''}`,
        words: run.map(filledIn('{}')),
      })
    if (end < 0) break
    index = end
  }
  if (starts.length === 0) return {}
  return { starts, obstacles: [elsewhere('"find" runs it for every file that it finds')] }
}

/** `fd … -x program`. */
export function fdStarted(words: readonly ReadWord[]): Started {
  const at = words.findIndex(({ text }) => /^(-x|-X|--exec|--exec-batch)$/.test(text ?? ''))
  const end = words.findIndex(({ text }, index) => index > at && text === ';')
  const run = at < 0 ? [] : words.slice(at + 1, end < 0 ? undefined : end)
  if (run.length === 0) return {}
  const filled = run.map((word) => (/\{[/.]*\}/.test(word.guess) ? unknownWord(word.guess, word) : word))
  return {
    starts: [{ kind: 'words', through: 'fd', words: filled }],
    obstacles: [elsewhere('"fd" runs it for every file that it finds')],
  }
}

/** `xargs program …`: words of its input are put behind, or into, those that are written. */
export function xargsStarted(words: readonly ReadWord[]): Started {
  const { ends, used } = readOptions(words, 1, xargs.options)
  const [placeholder] = used.flatMap(({ name, value }) => {
    if (name === 'I' || name === 'J' || name === 'replace') return [value?.text ?? '{}']
    return name === 'i' ? ['{}'] : []
  })
  const starts = ends.flatMap((end): readonly Start[] => {
    const run = words.slice(end)
    if (run.length === 0) return []
    return placeholder === undefined
      ? [{ kind: 'words', through: 'xargs', words: run, takesInput: true }]
      : [{ kind: 'words', through: 'xargs', words: run.map(filledIn(placeholder)) }]
  })
  const written = formatText(joinWords(words).written)
  return { starts, obstacles: [elsewhere(`"${written}" runs it with words of its input`)] }
}

/** `parallel program … ::: arguments`, which joins its words for a shell. */
export function untilArguments(words: readonly ReadWord[]): readonly ReadWord[] {
  const end = words.findIndex(({ text }) => /^:::+\+?$/.test(text ?? ''))
  return end < 0 ? words : words.slice(0, end)
}

function filledIn(placeholder: string): (word: ReadWord) => ReadWord {
  return (word) =>
    placeholder !== '' && word.guess.includes(placeholder) ? unknownWord(word.guess, word) : word
}

/** Both ends of a text that is too long, with a word on what is missing between them. Length in UTF-16 units. */
export function excerpt(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text
  const mark = `\n[... ${text.length - maxLength} characters left out ...]\n`
  const room = Math.max(0, maxLength - mark.length)
  const head = Math.ceil(room / 2)
  return `${text.slice(0, head)}${mark}${text.slice(text.length - (room - head))}`
    .toWellFormed()
    .slice(0, maxLength)
}

/** The beginning of a text that is too long. */
export function beginning(text: string, maxLength: number): string {
  const mark = '\n[... the rest is left out ...]'
  if (text.length <= maxLength) return text
  if (maxLength < mark.length) return ''
  return `${text.slice(0, maxLength - mark.length).toWellFormed()}${mark}`
}

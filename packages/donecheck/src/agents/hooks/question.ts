/** Whether an agent's last words ask its user something: a guess, and used only where somebody may sit before it. */

/** The last line of text, without marks of emphasis and quotes, ends with a question mark. */
export function asksSomething(text: string): boolean {
  const last = text
    .split('\n')
    .map((line) => line.replaceAll(/[\s*_`"'”’)\]]+$/g, ''))
    .findLast((line) => line !== '')
  return last !== undefined && /[?？؟]$/.test(last)
}

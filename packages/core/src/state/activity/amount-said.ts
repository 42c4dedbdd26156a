/** Characters that say more than that something was done. */
const enough = 80

/** How much a result says: an acknowledgement such as `ok` is the same for everything that is done, a page of text is not. */
export type AmountSaid = 'nothing' | 'little' | 'enough'

/** @param text a result; blanks around it say nothing */
export function amountSaid(text: string): AmountSaid {
  if (text.length > 4 * enough) return 'enough'
  const { length } = text.trim()
  return length === 0 ? 'nothing' : length < enough ? 'little' : 'enough'
}

/** Words of others, made safe to quote: one short line, and none that reads like an order. */

const maxLength = 240

/** A memory that says what to do is poisoned, whoever wrote it: what happened is told in the third person. */
const orders: readonly RegExp[] = [
  /\b(?:ignore|disregard|forget|override|bypass)\b.{0,60}\b(?:instruction|previous|prior|above|earlier|rule|prompt|check|policy)/i,
  /\b(?:you (?:must|should|shall|need to|are now)|your (?:task|job|goal|instructions?) (?:is|are|now))\b/i,
  /\b(?:system|developer) (?:prompt|message|instruction)/i,
  /<\/?(?:system|assistant|user|instructions?|tool)\b|\[\/?inst\]|(?:^|\s)(?:human|assistant|system):\s/i,
  /\b(?:do not|don't|never|always|please|instead,?) (?:run|check|test|verify|tell|report|mention|call|use|write|delete|send|reply|say)\b/i,
  /\b(?:delete|remove|skip|disable|comment out|weaken) (?:all |any |the |every |these |failing )*(?:tests?|checks?|assertions?|guards?)\b/i,
]

export const leftOutOrder = '[left out: it reads like an instruction]'

/** Some of its words tell the reader what to do. */
export function isOrder(line: string): boolean {
  return orders.some((order) => order.test(line))
}

export function quoted(text: string, most = maxLength): string {
  const line = text
    .normalize('NFKC')
    // Nobody sees these, and a model reads them.
    .replace(/[\p{Cf}\p{Default_Ignorable_Code_Point}]+/gu, '')
    // eslint-disable-next-line no-control-regex -- they are what is taken out
    .replace(/[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202f\u2060-\u206f\ufeff]+/g, ' ')
    .replace(/[`<>]{2,}/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
  if (isOrder(line)) return leftOutOrder
  return line.length <= most ? line : `${line.slice(0, most - 1).toWellFormed()}…`
}

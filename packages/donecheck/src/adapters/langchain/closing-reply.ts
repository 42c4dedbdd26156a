/** A reply in place of the model's, where no call of it is left. */
import { typeOfMessage } from './sdk.ts'

type MessageClass = new (fields: { readonly content: string }) => object

/**
 * Made by the class of an earlier reply, as their own are not at hand here. It calls no tool, so that the agent ends with every
 * call answered.
 * @throws {Error} with the reason, where there was none: then nothing has been said that could be left open
 */
export function closingReply(reason: string, messages: readonly unknown[]): object {
  const earlier = messages.findLast((message) => typeOfMessage(message) === 'ai')
  const made: unknown = typeof earlier === 'object' && earlier !== null ? earlier.constructor : undefined
  if (!isMessageClass(made)) throw new Error(reason)
  return new made({ content: reason })
}

function isMessageClass(value: unknown): value is MessageClass {
  return typeof value === 'function' && value !== Object
}

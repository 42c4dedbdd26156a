/** What the line of a hook says where its program is not there any more. Without an apostrophe. */
export const goneMessage = 'donecheck is not where it was installed: nothing is checked'

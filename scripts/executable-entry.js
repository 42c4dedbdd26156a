/** What `bin/donecheck.js` does, for the single file: the program lies in it, and not beside it. */
import { hookMain } from '../packages/donecheck/dist/cli/hook/main.js'
import { main } from '../packages/donecheck/dist/cli/main.js'

// Hooks are installed as "node program hook …": here both are this file.
const typed = process.argv.slice(2)
const words = typed[0] === process.execPath ? typed.slice(1) : typed
if (words[0] === 'hook') void hookMain(words.slice(1)).then((code) => process.exit(code))
else void main(words).then((code) => (process.exitCode = code))

/** What a reader has to know beside the numbers. */
import { loopCalls } from '../measure/figures.ts'

export const introduction = `# Loop detectors on recorded runs

Made by \`npm run bench:detectors -- --write\`. Every detector goes over the same recorded runs of real agents, whose ground truth
is known; it sees step by step what it would have seen at work, and never how the run ends.

- **Resolved runs ended**: harm. The run would have been stopped although it reached its goal later; _cut after_ is the share of
  its calls that came after the alarm.
- **Calls and tokens saved**: use. Share of all calls (and of all tokens, where the source tells them for every turn) of the
  unresolved runs that came after the first stop; a call that was refused did not run and is saved too, the tokens of its turn are
  spent. A repeat in a failed run is no proof that it failed because of it.
- **Delay**: a call brings nothing new where its (tool, arguments, result) was seen before in the run; a result that is not known is
  new. A _stretch_ is an unbroken row of calls that bring nothing new, its first call the onset. The delay counts the calls
  of the stretch that ran until the alarm; an alarm outside a stretch has none. _Loops at the end_: unresolved runs whose last
  ${loopCalls} calls or more are one stretch.
- **Warnings and refusals**: in resolved runs, until their first stop, per 1,000 of their calls; steps are replies, calls and
  messages.
- **Newest models**: those of 2025-26. They hardly loop, so the only good number there is zero harm.
- **Halves**: a run belongs to the tune half where the first byte of SHA-256 of \`detector-split-v1:\` + its id is even, else to
  the report half. Rules and numbers were chosen on the tune half alone.
- **Oracle-stopped** runs were told their reward and stopped at the goal: a resolved one can hardly loop, an unresolved one is
  driven on. They stand apart and count in no sum.

\`npm run bench:detectors -- --half tune\` prints the tables of the tune half without costs and generated classes (\`--full\` adds
them); \`--detector NAME\` takes only some detectors; \`--data FOLDER\` (or \`DONECHECK_TRAJECTORIES\`) names another folder of recorded
runs, in which every \`.jsonl.gz\` file of the same form is taken. What is missing is said at the top and left out.

- **Which row is ours**: _donecheck (by default: told, refused, ended)_ is the default profile as it is shipped: a loop is told, then refused, and
  ended after refusals in three turns. _donecheck_ is the same with \`vetoesUntilEnd: 0\`: it ends at its first verdict, as the rivals are
  measured at their first hit. The rows _donecheck: …_ are its detectors one by one, ended in that way too.
- **The real OpenClaw**: \`node bench/detectors/openclaw/install.ts FOLDER\` puts two of its releases into a folder outside of this project and prints
  \`DONECHECK_OPENCLAW\` and \`DONECHECK_OPENCLAW_CLASSIC\`, the variables that name them; without them its rows are left out, and its tests are
  skipped with the reason. \`DONECHECK_OPENCLAW_SEQUENCES=10000\` sets over how many random sequences the tests in \`bench/detectors/openclaw/\`
  compare our parity profiles with it.`

export const biases = `## Known biases of the data

- **intercode**, style try-again (oracle-stopped): see above; good only to see what a stuck loop looks like.
- **super**: resolved means that the whole output matches; partial credit does not count. Its SWE-agent runs end at the context window
  when stuck.
- **mini-swe-gemini3**: strong runs, hardly a loop; it measures harm, not use. Every run ended "Submitted".
- **agents-study**: made for a paper; one of its agents always uses up 40 cycles; a part has no published verdict.
- **mint**, **hotpot-react**: at most 5 and 6 steps, so no window can fill; together with intercode they are models of 2023, whose
  loops are rarer in newer ones.
- **tau**: the customer is simulated, and a wrong end can be the simulator's fault.
- **who-and-when**: every run failed, so it says nothing about harm.
- The same task occurs in both halves with other models or trials, never the same run.
- Nobody labelled these runs "a loop": a long repeat that ends in success is a false alarm by its end alone. The two resolved runs of the report half
  that our detectors end repeat one answered command until their last step and then hand in: nothing new came after the end (see _new after it_).

## What is not measured

- What a warning or a refusal would have changed: recordings go on as if nothing had been said.
- What the agent would have done with the calls that were saved.
- Detectors that ask a model: those parts of the rivals are left out.`

export const aims = `The aims stood before the measurement. "MISSED" marks an aim that was not reached; no number was changed for it. The shares are of
the runs outside the oracle-stopped set.`

export const rules = `The rule of an end is the one that gave the first refusal or stop of the run. Ends with vetoes. _New after it_: calls
after the end, handing in among them, that had not been made before with that result: 1 where nothing but the handing in was still to come.`

export const costs = `Measured one after the other in one run, digests given. _µs per call_: processor time (all threads, garbage collection too) over
recorded calls alone, median of 9 passes taken in turns; _per step_ with replies and messages as well. _µs at 10^n calls_: time of the
last calls of one made-up run of that length, nearly all of them new. _With replies and digests_: the same with a
reply before each call, and with what a detector reads of reply and call (for ours: hashes, masks, sketches) on the clock; rivals are given their digests
there too. _µs in a loop_: the same in an
endless loop of three calls. _Bytes_: heap that a watch holds after so many calls with
results of 1,500 characters, a tenth of them by tools never seen before.`

export const saidDone = `Of the runs that the agent ended by itself with success claimed: how many the ground truth calls not done. This is the number that
checks exist for, and no detector of loops can change it. Only the marks of the source count as a claim; nothing is guessed.`

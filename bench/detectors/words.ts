export const introduction = `# Loop detectors on recorded and generated runs

Made by \`npm run bench:detectors -- --write\`. Every detector goes over the same recorded runs of real agents, whose ground truth
is known, and over the same generated loops and honest work; it sees step by step what it would have seen at work, and never
how the run ends.

- **Resolved runs ended**: harm. The run would have been stopped although it reached its goal later; _cut after_ is the share of
  its calls that came after the stop.
- **Calls and tokens saved**: use. Share of all calls (and of all tokens, where the source tells them for every turn) of the
  unresolved runs that came after the first stop; a call that was refused did not run and is saved too.
- **Warnings and refusals**: in resolved runs, until their first stop, per 1,000 of their calls.
- **Newest models**: those of 2025-26. They hardly loop, so the only good number there is zero harm.
- **Halves**: a run belongs to the tune half where the first byte of SHA-256 of \`detector-split-v1:\` + its id is even, else to
  the report half. Rules and numbers were chosen on the tune half alone (\`--half tune\`).
- **Oracle-stopped** runs were told their reward and stopped at the goal: they stand apart.
- **Rows**: _donecheck (by default: told, refused, ended)_ is the default profile as it is shipped. _donecheck_ is the same with
  \`vetoesUntilEnd: 0\`: it ends at its first verdict.`

export const biases = `## Known biases of the data

- **super**: resolved means that the whole output matches; its SWE-agent runs end at the context window when stuck.
- **mini-swe-gemini3**: strong runs, hardly a loop; it measures harm, not use.
- **agents-study**: made for a paper; one of its agents always uses up 40 cycles; a part has no published verdict.
- **mint**, **hotpot-react**: at most 5 and 6 steps, so no window can fill; together with intercode they are models of 2023.
- **tau**: the customer is simulated, and a wrong end can be the simulator's fault.
- **who-and-when**: every run failed, so it says nothing about harm.
- Nobody labelled these runs "a loop": a long repeat that ends in success is a false alarm by its end alone. The two resolved runs
  of the report half that our detectors end by default repeat one answered command until their last step and then hand in.
- What a warning or a refusal would have changed is not measured: recordings go on as if nothing had been said.`

export const generatedWords = `90 classes of loops and 52 of benign work, 50 runs of each, honest work of 0 to 40 calls before each pattern. "Within three
repetitions": the first round is round 1, and the end comes no later than the last call of the third repetition after it; a call that is
put in between counts to its round. A loop without rounds looks, for a while, like honest work of the other list (waiting, a batch, a
hard bug): it has to be ended at some time, in 120 calls or more. Every loop with rounds goes on for twelve of them. A stop before the
first round was over is no catch and counted apart.`

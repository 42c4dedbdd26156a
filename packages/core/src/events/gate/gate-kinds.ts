/** What is decided about a call: the words of rules, hooks, the gate, its settings and the record. */
export const gateKinds = ['allow', 'prompt', 'forbidden'] as const

export type GateKind = (typeof gateKinds)[number]

export const gateSeverity: Readonly<Record<GateKind, number>> = { allow: 0, prompt: 1, forbidden: 2 }

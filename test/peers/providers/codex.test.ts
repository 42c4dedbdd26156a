import { tellsOfRefusals } from './stories.ts'

tellsOfRefusals('codex')

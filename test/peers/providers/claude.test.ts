import { tellsOfRefusals } from './stories.ts'

tellsOfRefusals('claude')

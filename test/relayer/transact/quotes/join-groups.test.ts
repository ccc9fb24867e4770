import { describeRandomMixes } from './describe-random-mixes.ts'

describeRandomMixes(500)

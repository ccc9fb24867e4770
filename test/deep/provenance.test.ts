import { describeRandomHistories } from '../relayer/account/provenance/describe-random-histories.ts'

describeRandomHistories(Number(process.env['PROVENANCE_HISTORIES'] ?? 10_000))

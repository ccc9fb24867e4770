import { describeRandomHistories } from '../relayer/account/provenance/describe-random-histories.ts'
import { describeRandomWallets } from '../relayer/account/provenance/describe-random-wallets.ts'
import { describeRandomMixes } from '../relayer/transact/quotes/describe-random-mixes.ts'

const runs = Number(process.env['PROVENANCE_HISTORIES'] ?? 10_000)
describeRandomHistories(runs)
describeRandomMixes(runs)
describeRandomWallets(runs)

import { describeRandomWallets } from './describe-random-wallets.ts'

describeRandomWallets(15)

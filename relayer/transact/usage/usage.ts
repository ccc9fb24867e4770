import type { DatabasePool } from 'slonik'
import { zeroAddress, type Address } from 'viem'
import { sumSends } from '../../../db/transact/send-ledger.ts'
import { countUsage } from '../../../db/transact/count-usage.ts'
import type { Chains } from '../../chain/nodes/chain.ts'

/** How much the service is used: numbers alone, nothing of anybody. */
export interface Usage {
  accounts: number
  /** Quotes that were submitted, since the database was made. */
  sends: { underWay: number; confirmed: number; failed: number }
  /** Referrers' shares that could not be booked, and quotes that could not be ended; both are tried again. */
  stuck: { earnings: number; quotes: number }
  /** Sums of the ledger of sends by chain and token: fees in the token's smallest unit, gas in wei. */
  sendLedger: SendBooking[]
}

/** The sums of one chain and token. Fees in the token's smallest unit, gas in wei. */
export interface SendBooking {
  chainId: number
  token: Address
  symbol: string
  /** 0 where nobody told: amounts are then shown in the smallest unit. */
  decimals: number
  nativeSymbol: string
  /** Quotes of which a transaction of ours executed something. */
  sends: number
  networkFee: bigint
  serviceFee: bigint
  gasSpent: bigint
  /** Of that, for quotes of which nothing was executed. */
  gasUnpaid: bigint
}

/** Reads how much the service is used, and what sends brought and cost. */
export async function readUsage(database: DatabasePool, chains: Chains): Promise<Usage> {
  const [{ accounts, submitted, confirmed, failed, unbooked, unended }, sums] = await Promise.all([
    countUsage(database),
    sumSends(database),
  ])
  return {
    accounts,
    sends: { underWay: submitted, confirmed, failed },
    stuck: { earnings: unbooked, quotes: unended },
    sendLedger: sums.map(({ symbol, decimals, ...sum }) => {
      const config = chains.get(sum.chainId)?.config
      const nativeSymbol = config?.nativeSymbol ?? '?'
      const asset = config?.relayer?.assets.find(({ asset: address }) => address === sum.token)
      const described =
        sum.token === zeroAddress
          ? { symbol: nativeSymbol, decimals: 18 }
          : { symbol: asset?.symbol ?? symbol ?? '?', decimals: asset?.decimals ?? decimals ?? 0 }
      return { ...sum, ...described, nativeSymbol }
    }),
  }
}

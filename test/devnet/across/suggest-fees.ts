import { isAddress, isAddressEqual, isHex, type Address } from 'viem'
import { z } from 'zod'
import type { BridgedToken } from '../bridged-tokens.ts'
import type { AcrossChain } from './across-chain.ts'

const address = z.custom<Address>((value) => typeof value === 'string' && isAddress(value))
const chainId = z
  .string()
  .regex(/^\d{1,15}$/)
  .transform(Number)
const query = z.object({
  inputToken: address,
  outputToken: address,
  originChainId: chainId,
  destinationChainId: chainId,
  amount: z
    .string()
    .regex(/^\d{1,37}$/)
    .transform(BigInt),
  recipient: address.optional(),
  message: z.custom<string>((value) => isHex(value)).optional(),
})

/** The fee of a transfer, and the surcharge for a message that is run, in hundredths of a percent. */
const FEE_BPS = 10n
const MESSAGE_FEE_BPS = 5n
const WHOLE_BPS = 10_000n
/** Shares are given in parts of 10^18. */
const WHOLE_PCT = 10n ** 18n

/** An answer in the words of Across' API. */
export interface FeesAnswer {
  status: 200 | 400
  body: unknown
}

const refuse = (code: string, message: string): FeesAnswer => ({
  status: 400,
  body: { type: 'AcrossApiError', code, status: 400, message },
})

/** Answers `GET /suggested-fees` about a transfer between two of these chains. */
export async function suggestFees(
  chains: readonly AcrossChain[],
  params: URLSearchParams,
  { fillSeconds }: { fillSeconds: number },
): Promise<FeesAnswer> {
  const asked = query.safeParse(Object.fromEntries(params))
  if (!asked.success) return refuse('INVALID_PARAM', z.prettifyError(asked.error))
  const { inputToken, outputToken, originChainId, destinationChainId, amount, message } = asked.data
  const [origin, destination] = [originChainId, destinationChainId].map((id) =>
    chains.find((chain) => chain.chainId === id),
  )
  const input = findToken(origin, inputToken)
  const output = findToken(destination, outputToken)
  if (!origin || !destination || origin === destination || !input || input.asset !== output?.asset)
    return refuse('INVALID_PARAM', 'Unable to find tokenDetails for this route')
  const { minimum, maximum } = input
  if (amount < BigInt(minimum)) return refuse('AMOUNT_TOO_LOW', 'Sent amount is too low relative to fees')
  if (amount > BigInt(maximum))
    return refuse('AMOUNT_TOO_HIGH', `Amount exceeds max. deposit limit: ${maximum}`)

  const block = await origin.client.getBlock()
  const bps = FEE_BPS + (message === undefined || message === '0x' ? 0n : MESSAGE_FEE_BPS)
  const fee = (amount * bps + WHOLE_BPS - 1n) / WHOLE_BPS
  const share = { pct: String((WHOLE_PCT * bps) / WHOLE_BPS), total: String(fee) }
  const nothing = { pct: '0', total: '0' }
  return {
    status: 200,
    body: {
      totalRelayFee: share,
      relayerCapitalFee: share,
      relayerGasFee: nothing,
      lpFee: nothing,
      timestamp: String(block.timestamp),
      quoteBlock: String(block.number),
      isAmountTooLow: false,
      spokePoolAddress: origin.spokePool,
      destinationSpokePoolAddress: destination.spokePool,
      exclusiveRelayer: '0x0000000000000000000000000000000000000000',
      exclusivityDeadline: 0,
      estimatedFillTimeSec: fillSeconds,
      limits: { minDeposit: minimum, maxDeposit: maximum, maxDepositInstant: maximum },
    },
  }
}

const findToken = (chain: AcrossChain | undefined, address: Address): BridgedToken | undefined =>
  chain?.tokens.find(({ token }) => isAddressEqual(token, address))

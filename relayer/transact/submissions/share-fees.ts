import { decodeFunctionData, erc20Abi, zeroAddress, type Address } from 'viem'
import { decodeCalls } from '../intents/encode-calls.ts'
import type { Intent } from '../intents/intent.ts'
import { shareByWeight } from './book-batch-gas.ts'

/** What one intent pays to us in the sent token, smallest unit. */
export interface IntentFees {
  networkFee: bigint
  serviceFee: bigint
}

/**
 * What each intent of a quote pays to us when it is executed: the last of its calls, as it was signed. The network fee of
 * the quote is shared by what each pays, so that the parts add up to the unit; the rest is the service fee.
 */
export function shareFees(
  quote: { token: Address; networkFee: bigint },
  intents: readonly Pick<Intent, 'executionData'>[],
): IntentFees[] {
  const paid = intents.map((intent) => readFee(quote.token, intent))
  const networkFees = shareByWeight(quote.networkFee, paid)
  return paid.map((fee, place) => {
    const share = networkFees[place] ?? 0n
    const networkFee = share < fee ? share : fee
    return { networkFee, serviceFee: fee - networkFee }
  })
}

function readFee(token: Address, { executionData }: Pick<Intent, 'executionData'>): bigint {
  const call = decodeCalls(executionData)?.at(-1)
  if (!call) throw new Error('an intent of a quote has no calls')
  if (token === zeroAddress) return call.value
  const { functionName, args } = decodeFunctionData({ abi: erc20Abi, data: call.data })
  if (functionName !== 'transfer') throw new Error('an intent of a quote does not pay us by a transfer')
  return args[1]
}

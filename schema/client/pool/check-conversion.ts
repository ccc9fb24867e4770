// SPDX-License-Identifier: MIT
// A client's checks before it signs a conversion: every call is decoded, whatever the quote says about it. A deposit
// under somebody else's precommitment would be somebody else's money.
import { coinDepositAbi, tokenAbi, tokenDepositAbi } from '../chain/abis.ts'
import { isAddressEqual, zeroAddress } from 'viem'
import { demandParts, demandTaken, sum } from '../quotes/check-send.ts'
import type { Client } from '../account/open-client.ts'
import type { ConversionQuote, ConvertOptions, QuotedDeposit } from './convert.ts'
import { decode, demandTo, readPayment } from '../chain/decode-call.ts'
import type { Call } from '../chain/read-canonical-calls.ts'
import { noteMasterOf, depositPrecommitment, readDepositIndex, type MasterSecrets } from './note-secrets.ts'
import { A_DAY, readOrders, type IntentOrder } from '../quotes/read-orders.ts'
import type { KnownPool } from './read-pool.ts'
import { approve, type Approved } from '../quotes/sign-orders.ts'

/** @throws Error unless the quote makes notes of the wallet, worth the asked amount, and takes only fees beside. */
export async function checkConversion(
  client: Client,
  quote: ConversionQuote,
  asked: ConvertOptions,
): Promise<Approved> {
  const { amount, maxFee, spendableAddresses } = asked
  const { pool } = asked.view
  const { deposits, fees } = quote
  const orders = await readOrders(client, quote, client.chainOf(pool.chainId), A_DAY)
  const { intents } = orders
  if (!isAddressEqual(quote.poolAddress, pool.pool) || !isAddressEqual(quote.outputRecipient, pool.pool))
    throw new Error('the quote deposits into another pool')
  if (!isAddressEqual(quote.outputToken, pool.token)) throw new Error('the quote deposits another token')
  if (intents.length === 0 || intents.length !== deposits.length || intents.length > (asked.notes ?? 1))
    throw new Error('the quote makes another number of deposits')
  if (new Set(deposits.map(({ depositIndex }) => depositIndex)).size !== deposits.length)
    throw new Error('two deposits would be one note')
  if (
    spendableAddresses &&
    !intents.every(({ eoa }) => spendableAddresses.some((one) => isAddressEqual(one, eoa)))
  )
    throw new Error('another address would pay than was named')

  const worth = sum(deposits.map((deposit) => BigInt(deposit.amount)))
  if (worth !== BigInt(quote.expectedOutput) || worth !== BigInt(quote.minimumOutput))
    throw new Error('the notes are worth something else than the quote says')
  // Several notes leave up to a twentieth, so that their sum is not the asked amount. Shares round up by a unit each.
  const least = amount !== null && deposits.length > 1 ? amount - amount / 20n : amount
  if (amount !== null && least !== null && (worth < least || worth > amount + BigInt(deposits.length)))
    throw new Error('the quote deposits another amount')
  const master = noteMasterOf(client)
  const taken = intents.map((intent, place) => checkDeposit(master, intent, deposits[place], asked))
  if (sum(taken) !== BigInt(quote.amountIn)) throw new Error('the intents cost more than the quote says')
  const cost = BigInt(quote.amountIn) - worth
  if (cost !== BigInt(fees.total)) throw new Error('the fees are not what the quote says')
  demandTaken(quote.selectedFundingSources, BigInt(quote.amountIn))
  demandParts(fees)
  if (cost > maxFee) throw new Error(`the fees are ${cost}, and at most ${maxFee} is accepted`)
  return approve(orders)
}

/** @returns All that the intent takes from its address. */
function checkDeposit(
  master: MasterSecrets,
  { eoa, calls: made }: IntentOrder,
  deposit: QuotedDeposit | undefined,
  { view: { pool } }: ConvertOptions,
): bigint {
  if (!deposit || !isAddressEqual(deposit.address, eoa))
    throw new Error('an intent belongs to no deposit of the quote')
  const gross = BigInt(deposit.grossAmount)
  if (gross < pool.minDeposit) throw new Error('the pool takes no deposit as small as that')
  // As the Entrypoint computes it.
  if (gross - (gross * pool.vettingFeeBps) / 10_000n !== BigInt(deposit.amount))
    throw new Error('a note would be worth something else')
  const own = depositPrecommitment(master, BigInt(pool.scope), readDepositIndex(deposit.depositIndex))
  if (BigInt(deposit.precommitment) !== own) throw new Error('a deposit is made for somebody else')

  const [fee, deposited, ...approvals] = made.toReversed()
  if (!fee || !deposited) throw new Error('an intent makes no deposit')
  if (readDeposit(deposited, gross, pool) !== own) throw new Error('an intent deposits for somebody else')
  checkApprovals(approvals.toReversed(), gross, pool)
  return gross + readPayment(fee, pool.token).amount
}

/** The precommitment of the call. @throws Error unless it deposits exactly the amount. */
function readDeposit(call: Call, gross: bigint, { token, asset, entrypoint }: KnownPool): bigint {
  if (isAddressEqual(token, zeroAddress)) {
    const [precommitment] = decode(coinDepositAbi, 'deposit', demandTo(call, entrypoint, gross))
    return precommitment
  }
  const [deposited, amount, precommitment] = decode(
    tokenDepositAbi,
    'deposit',
    demandTo(call, entrypoint, 0n),
  )
  if (!isAddressEqual(deposited, asset) || amount !== gross)
    throw new Error('an intent deposits another amount')
  return precommitment
}

/** [0 where an allowance is left,] exactly the Entrypoint's amount, and nothing for the coin. */
function checkApprovals(calls: readonly Call[], gross: bigint, { token, entrypoint }: KnownPool) {
  const approved = calls.map((call) => {
    const [spender, amount] = decode(tokenAbi, 'approve', demandTo(call, token, 0n))
    if (!isAddressEqual(spender, entrypoint)) throw new Error('a call approves another spender')
    return amount
  })
  const wanted = isAddressEqual(token, zeroAddress) ? '' : String(gross)
  if (approved.join() !== wanted && approved.join() !== `0,${wanted}`)
    throw new Error('the approvals are not of exactly what is deposited')
}

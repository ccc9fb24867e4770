import { zeroAddress, type Address, type Hash, type Hex } from 'viem'
import { CommandError } from '../commands/command-error.ts'
import { attestPayment } from './attest-payment.ts'
import { buyerAbi } from './buyer-abi.ts'
import type { CashChain } from './cash-chain.ts'
import { signPermit } from './sign-permit.ts'

/** Keys of those who only sign. */
export interface CashKeys {
  curatorKey: Hex
  witnessKey: Hex
}

/** No chain of tests gets there. */
const PERMIT_UNTIL = 4_000_000_000n

/** A buyer who holds nothing; null where all of them do. */
export async function findFreeBuyer(chain: CashChain): Promise<Address | null> {
  for (const buyer of chain.buyers) if ((await chain.readHeld(buyer)) === null) return buyer
  return null
}

/**
 * Makes a buyer take a deposit, or so much of it, at the escrow's rate.
 * @returns The hash by which the contracts know the buyer's part.
 * @throws CommandError if no buyer can; Error in the words of the contract when that refuses.
 */
export async function takeDeposit(
  chain: CashChain,
  { curatorKey }: CashKeys,
  { depositId, amount }: { depositId: bigint; amount?: bigint | undefined },
): Promise<Hash> {
  const deposit = await chain.readDeposit(depositId)
  if (deposit.depositor === zeroAddress) throw new CommandError(404, `there is no deposit ${depositId}`)
  const terms = await chain.readTerms(depositId)
  if (!terms) throw new CommandError(409, 'the deposit names no way to pay')
  const buyer = await findFreeBuyer(chain)
  if (!buyer) throw new CommandError(409, 'every buyer holds something: prove, cancel or prune first')
  const { escrow, orchestrator, chainId } = chain
  const { paymentMethod, currency, rate } = terms
  const left = deposit.remainingDeposits
  const { max } = deposit.intentAmountRange
  const taken = amount ?? (left < max ? left : max)
  const permit = {
    orchestrator,
    escrow,
    depositId,
    amount: taken,
    to: buyer,
    paymentMethod,
    currency,
    rate,
    until: PERMIT_UNTIL,
    chainId,
  }
  const receipt = await chain.send(buyer, {
    address: orchestrator,
    abi: buyerAbi,
    functionName: 'signalIntent',
    args: [
      {
        escrow,
        depositId,
        amount: taken,
        to: buyer,
        paymentMethod,
        fiatCurrency: currency,
        conversionRate: rate,
        referralFees: [],
        gatingServiceSignature: await signPermit(curatorKey, permit),
        signatureExpiration: PERMIT_UNTIL,
        postIntentHook: zeroAddress,
        preIntentHookData: '0x',
        data: '0x',
      },
    ],
  })
  return chain.signaledBy(receipt)
}

/**
 * Reads an intent's owner and amount.
 * @throws CommandError if there is no such intent.
 */
export async function demandHeld(chain: CashChain, hash: Hash) {
  const intent = await chain.readIntent(hash)
  if (intent.owner === zeroAddress) throw new CommandError(404, `nobody holds ${hash}`)
  return intent
}

/** Makes the buyer prove the payment of the held part, or of a smaller amount. */
export async function provePayment(
  chain: CashChain,
  { witnessKey }: CashKeys,
  { intentHash, amount }: { intentHash: Hash; amount?: bigint | undefined },
): Promise<void> {
  const intent = await demandHeld(chain, intentHash)
  const releaseAmount = amount ?? intent.amount
  const paymentProof = await attestPayment(witnessKey, chain, { intentHash, releaseAmount })
  await chain.send(intent.owner, {
    address: chain.orchestrator,
    abi: buyerAbi,
    functionName: 'fulfillIntent',
    args: [{ paymentProof, intentHash, verificationData: '0x', postIntentHookData: '0x' }],
  })
}

// SPDX-License-Identifier: MIT
/**
 * How a client withdraws from a privacy pool without an address that has gas. It asks the relayer for its price and
 * proves that it may withdraw. It has the withdrawal relayed, and follows it to the end. The relayer needs no account.
 */
import { sleep } from '../requests/sleep.ts'
import { buildTree } from './merkle-proof.ts'
import { makeSecrets, type Note, type NoteSecrets } from './note.ts'
import type { Prover } from './prover.ts'
import { withdrawInput } from './withdraw-input.ts'
import { computeContext, encodeRelayData } from './formulas.ts'
import { askService } from '../requests/ask-service.ts'
import { silently, type Step } from '../requests/step.ts'
import { isAddressEqual, type Address, type Hex } from 'viem'

const POLL_MS = 250
const PATIENCE_MS = 120_000

/** The leaves that a withdrawal's proof is made from, in insertion order. */
export interface TreeLeaves {
  stateTreeLeaves: readonly bigint[]
  /** Approved labels. */
  aspLeaves: readonly bigint[]
}

export interface WithdrawOptions {
  url: string
  chainId: number
  entrypoint: Address
  asset: Address
  /** Of the pool, in decimal digits. */
  scope: string
  /** The note, and the amount that leaves the pool now; the rest becomes a change note. */
  note: Note
  amount: bigint
  recipient: Address
  /** The highest relay fee, in the smallest unit of the asset. */
  maxFee: bigint
  /** Secrets of the change note; drawn at random unless given, and then the caller has to keep them. */
  change?: NoteSecrets
  /** Also give the recipient native coin for gas. */
  extraGas?: boolean
  /** Of both trees, whose roots the caller has compared with the chain: see `readForProof` in pool-state.ts. */
  leaves: TreeLeaves
  prover: Prover
  step?: Step
}

interface RelayerQuote {
  feeBPS: string
  feeCommitment: {
    expiration: number
    withdrawalData: Hex
    asset: Address
    amount: string
    extraGas: boolean
    [name: string]: unknown
  }
  detail: { extraGasFundAmount?: { gas: string; eth: string } }
}

export interface Withdrawn {
  txHash: Hex
  quote: RelayerQuote
  /** Secrets of the change note: without them the rest of the note is lost. */
  change: NoteSecrets
}

/** @throws Error with the relayer's message where it refuses. */
export async function withdraw(options: WithdrawOptions): Promise<Withdrawn> {
  const { url, chainId, entrypoint, asset, scope, note, amount, recipient, leaves, prover } = options
  const { extraGas = false, change = makeSecrets(), step = silently } = options

  const quote = await step('ask the relayer what it takes', async () => {
    const details = `/relayer/details?chainId=${chainId}&assetAddress=${asset}`
    const { feeReceiverAddress } = await askService<{ feeReceiverAddress: Address }>(url, 'GET', details)
    const body = { chainId, amount: String(amount), asset, recipient, extraGas }
    const quote = await askService<RelayerQuote>(url, 'POST', '/relayer/quote', body)
    checkRelayerQuote(quote, { ...options, feeRecipient: feeReceiverAddress })
    return quote
  })

  const withdrawal = { processooor: entrypoint, data: dataOf(quote) }
  const proven = await step('make the zero-knowledge proof', () =>
    prover.prove(
      'withdraw',
      withdrawInput({
        note,
        amount,
        change,
        stateTree: buildTree(leaves.stateTreeLeaves),
        aspTree: buildTree(leaves.aspLeaves),
        context: computeContext(withdrawal, BigInt(scope)),
      }),
    ),
  )

  const txHash = await step('have it relayed', async (show) => {
    const body = { withdrawal, ...proven, scope, chainId, feeCommitment: quote.feeCommitment }
    const answer = await askService<RelayAnswer>(url, 'POST', '/relayer/request', body)
    if (!answer.success) throw new Error(`the relayer refused the withdrawal: ${answer.error}`)
    return await waitUntilConfirmed(url, answer.requestId, show)
  })
  return { txHash, quote, change }
}

/**
 * The proof binds only the client's own request, whatever the relayer has signed: the full recipient, and an accepted
 * fee. The relayer chooses the receiver of its fee.
 * @throws Error if the relayer commits to something else.
 */
function checkRelayerQuote(
  quote: RelayerQuote,
  asked: Pick<WithdrawOptions, 'amount' | 'asset' | 'recipient' | 'extraGas' | 'maxFee'> & {
    feeRecipient: Address
  },
): void {
  const { amount, asset, recipient, feeRecipient, extraGas = false, maxFee } = asked
  const relayFeeBps = BigInt(quote.feeBPS)
  const fee = (amount * relayFeeBps) / 10_000n
  if (fee > maxFee) throw new Error(`the relay fee is ${fee}, and at most ${maxFee} is accepted`)
  if (encodeRelayData({ recipient, feeRecipient, relayFeeBps }) !== dataOf(quote))
    throw new Error('the relayer committed to other withdrawal data than its quote says')
  const { feeCommitment } = quote
  const isAsked =
    isAddressEqual(feeCommitment.asset, asset) &&
    BigInt(feeCommitment.amount) === amount &&
    feeCommitment.extraGas === extraGas &&
    feeCommitment.expiration > Date.now()
  if (!isAsked) throw new Error('the relayer committed to another withdrawal than it was asked for')
}

interface RelayAnswer {
  success: boolean
  requestId: string
  error?: string
}

const dataOf = ({ feeCommitment }: RelayerQuote) => feeCommitment.withdrawalData.toLowerCase() as Hex

async function waitUntilConfirmed(
  url: string,
  requestId: string,
  show: (state: string) => void,
): Promise<Hex> {
  const path = `/relayer/request/${requestId}`
  const deadline = performance.now() + PATIENCE_MS
  for (;;) {
    const { status, txHash, error } = await askService<{ status: string; txHash?: Hex; error?: string }>(
      url,
      'GET',
      path,
    )
    show(status)
    if (status === 'failed') throw new Error(`the withdrawal failed: ${error}`)
    if (status === 'confirmed' && txHash) return txHash
    if (performance.now() > deadline)
      throw new Error(`The withdrawal is still ${status}; see what becomes of it at ${url}${path}`)
    await sleep(POLL_MS)
  }
}

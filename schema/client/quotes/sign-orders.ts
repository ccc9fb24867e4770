// SPDX-License-Identifier: MIT
// The one place where a client signs a quote's orders. It accepts only orders that a check has approved. It signs the
// wallet's own data: the domain and types of the known contracts, and the calls that were read.
import type { Schemas } from '../requests/operations.ts'
import { serializeSignature, zeroAddress } from 'viem'
import { INTENT_TYPES, ORCHESTRATOR, type KnownChain } from '../chain/known-chain.ts'
import type { DelegationOrder, IntentOrder, Orders } from './read-orders.ts'

declare const isApproved: unique symbol
/** Orders of a quote that fits the request. Only checks make them, and the wallet signs nothing else. */
export type Approved = Orders & { readonly [isApproved]: true }

const approvals = new WeakSet<Orders>()

/** For checks, as their last step: from here on the orders may be signed. */
export function approve(orders: Orders): Approved {
  approvals.add(orders)
  return orders as Approved
}

/** The body of `submit`. */
export type Submission = Schemas['QuoteSubmission']

/**
 * The body of `submit`: the objects of the quote, each with its signature.
 * @throws Error for orders that no check has approved.
 */
export async function signOrders(approved: Approved): Promise<Submission> {
  if (!approvals.has(approved)) throw new Error('nothing is signed that was not checked')
  const { quoteId, chain, intents, delegations } = approved
  const signed = {
    quoteId,
    intents: await Promise.all(intents.map((intent) => signIntent(intent, chain))),
    delegations: await Promise.all(delegations.map((delegation) => signDelegation(delegation, chain))),
  }
  // The objects are those of the quote, with members that this package does not read.
  return signed as unknown as Submission
}

/** EIP-712, for the Orchestrator that the wallet knows. */
async function signIntent({ told, signer, ...order }: IntentOrder, { chainId, orchestrator }: KnownChain) {
  const { eoa, calls, nonce, combinedGas, expiry } = order
  const signature = await signer.signTypedData({
    domain: { ...ORCHESTRATOR, chainId, verifyingContract: orchestrator },
    types: INTENT_TYPES,
    primaryType: 'Intent',
    message: {
      multichain: false,
      eoa,
      calls,
      nonce,
      payer: zeroAddress,
      paymentToken: zeroAddress,
      paymentMaxAmount: 0n,
      combinedGas,
      encodedPreCalls: [],
      encodedFundTransfers: [],
      settler: zeroAddress,
      expiry,
    },
  })
  return { ...told, signature }
}

/** EIP-7702: lets the address run the account contract that the wallet knows, on this chain alone. */
async function signDelegation({ told, signer }: DelegationOrder, { chainId, accountProxy }: KnownChain) {
  const authorization = { chainId, contractAddress: accountProxy, nonce: told.authorizationNonce }
  const { r, s, yParity } = await signer.signAuthorization(authorization)
  return { ...told, signature: serializeSignature({ r, s, yParity: yParity ?? 0 }) }
}

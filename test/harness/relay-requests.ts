import type { Address, Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { deriveAccounts } from '../devnet/accounts.ts'
import type { RelayVector } from '../vectors/load-relay-vectors.ts'

/**
 * The EIP-712 type as clients know it. It is written again here, so that a change on the service's side fails a test.
 */
export const COMMITMENT_TYPES = {
  RelayerCommitment: [
    { name: 'withdrawalData', type: 'bytes' },
    { name: 'asset', type: 'address' },
    { name: 'expiration', type: 'uint256' },
    { name: 'amount', type: 'uint256' },
    { name: 'extraGas', type: 'bool' },
  ],
} as const

export interface CommitmentTerms {
  withdrawalData: Hex
  asset: Address
  expiration: number
  amount: string
  extraGas: boolean
}

const { feeReceiver } = deriveAccounts()

/** A fee commitment signed by the devnet's relayer, or by another key if one is given. */
export async function commitTo(terms: CommitmentTerms, chainId: number, key: Hex = feeReceiver.privateKey) {
  const signedRelayerCommitment = await privateKeyToAccount(key).signTypedData({
    domain: { name: 'Privacy Pools Relayer', version: '1', chainId },
    types: COMMITMENT_TYPES,
    primaryType: 'RelayerCommitment',
    message: { ...terms, expiration: BigInt(terms.expiration), amount: BigInt(terms.amount) },
  })
  return { ...terms, signedRelayerCommitment }
}

/** The terms that the vector's client commits to: exactly its proof's withdrawal, valid for ten minutes. */
export const termsOf = (vector: RelayVector): CommitmentTerms => ({
  withdrawalData: vector.withdrawal.data,
  asset: vector.asset,
  expiration: Date.now() + 600_000,
  amount: vector.amount.toString(),
  extraGas: false,
})

/** Body of POST /relayer/request for a vector; some terms may be changed before they are signed. */
export async function relayBody(vector: RelayVector, terms: Partial<CommitmentTerms> = {}) {
  const { withdrawal, proof, publicSignals, scope, chainId } = vector
  const feeCommitment = await commitTo({ ...termsOf(vector), ...terms }, chainId)
  return { withdrawal, proof, publicSignals, scope, chainId, feeCommitment }
}

export type RelayBody = Awaited<ReturnType<typeof relayBody>>

export interface Answer {
  status: number
  body: Record<string, unknown>
}

export async function post(url: string, path: string, body: unknown): Promise<Answer> {
  const response = await fetch(`${url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}

export async function get(url: string, path: string): Promise<Answer> {
  const response = await fetch(`${url}${path}`)
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}

/** Waits until a request has ended, and returns its last state. */
export async function untilFinal(
  url: string,
  requestId: string,
  patienceMs = 120_000,
): Promise<Record<string, unknown>> {
  const deadline = Date.now() + patienceMs
  for (;;) {
    const { body } = await get(url, `/relayer/request/${requestId}`)
    if (body['status'] === 'confirmed' || body['status'] === 'failed') return body
    if (Date.now() > deadline) throw new Error(`request ${requestId} is still ${String(body['status'])}`)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

/** Runs tasks, at most the given number at a time, and returns their results in order. */
export async function runConcurrently<T, R>(
  items: readonly T[],
  concurrency: number,
  run: (item: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = []
  let next = 0
  const worker = async () => {
    for (let index = next++; index < items.length; index = next++)
      results[index] = await run(items[index] as T)
  }
  await Promise.all(Array.from({ length: concurrency }, worker))
  return results
}

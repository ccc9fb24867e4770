import { expect } from 'vitest'
import { NATIVE_ASSET } from '../../../../relayer/chain/nodes/config.ts'
import { waitForApproval } from '../../../devnet/wallet/asp-client.ts'
import { buildTree } from '../../../../schema/client/pool/merkle-proof.ts'
import type { Note, NoteSecrets } from '../../../../schema/client/pool/note.ts'
import { withdrawInput } from '../../../../schema/client/pool/withdraw-input.ts'
import type { Prover } from '../../../devnet/wallet/prover.ts'
import { computeContext } from '../../../../relayer/pool/state/formulas.ts'
import { waitUntilIndexed, type Payer } from '../../../harness/chain-actors.ts'
import { post, untilFinal } from '../../../harness/relay-requests.ts'
import type { TestService } from '../../../harness/start-service.ts'

/** A spend of a note of the native pool, and its recipient. */
export interface Spending {
  note: Note
  amount: bigint
  change: NoteSecrets
  recipient: string
}

/** A withdrawal by the terms that a stranger was quoted, with its proof: the body of /relayer/request. */
export async function proveOut(
  service: TestService,
  { chain }: Pick<Payer, 'chain'>,
  prover: Prover,
  { note, amount, change, recipient }: Spending,
) {
  const pool = chain.pools.find(({ asset }) => asset === NATIVE_ASSET)!
  const { body: priced } = await post(service.url, '/relayer/quote', {
    chainId: chain.chainId,
    amount: String(amount),
    asset: NATIVE_ASSET,
    recipient,
    extraGas: false,
  })
  const feeCommitment = priced['feeCommitment'] as { withdrawalData: `0x${string}` }
  const data = feeCommitment.withdrawalData
  const leaves = await waitForApproval(
    { aspUrl: service.parts.asp!, chainId: chain.chainId, scope: BigInt(pool.scope) },
    note.label,
    AbortSignal.timeout(120_000),
  )
  const proven = await prover.prove(
    'withdraw',
    withdrawInput({
      note,
      amount,
      change,
      stateTree: buildTree(leaves.stateTreeLeaves),
      aspTree: buildTree(leaves.aspLeaves),
      context: computeContext({ processooor: chain.entrypoint, data }, BigInt(pool.scope)),
    }),
  )
  return {
    withdrawal: { processooor: chain.entrypoint, data },
    ...proven,
    scope: pool.scope,
    chainId: chain.chainId,
    feeCommitment,
  }
}

/**
 * Has a withdrawal relayed without any token, as a stranger: nothing joins it with an account. Waits until it is indexed.
 * @returns The transaction's hash.
 */
export async function relayOut(
  service: TestService,
  payer: Payer,
  prover: Prover,
  spending: Spending,
): Promise<string> {
  const request = await proveOut(service, payer, prover, spending)
  const { body } = await post(service.url, '/relayer/request', request)
  expect(body, JSON.stringify(body)).toMatchObject({ success: true })
  const end = await untilFinal(service.url, String(body['requestId']))
  expect(end).toMatchObject({ status: 'confirmed' })
  await waitUntilIndexed(service, payer)
  return String(end['txHash'])
}

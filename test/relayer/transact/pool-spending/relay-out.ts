import { parseAbi } from 'viem'
import { expect } from 'vitest'
import { entrypointAbi } from '../../../../relayer/chain/contracts/privacy-pools.ts'
import { NATIVE_ASSET } from '../../../../relayer/chain/nodes/config.ts'
import { waitForApproval } from '../../../devnet/wallet/asp-client.ts'
import { buildTree } from '../../../../schema/client/pool/merkle-proof.ts'
import { commitmentOf, type Note, type NoteSecrets } from '../../../../schema/client/pool/note.ts'
import { withdrawInput } from '../../../../schema/client/pool/withdraw-input.ts'
import { hashNullifier } from '../../../devnet/note-hashes.ts'
import type { Prover } from '../../../devnet/wallet/prover.ts'
import { computeContext } from '../../../../relayer/pool/state/formulas.ts'
import { askNode } from '../../../harness/ask-node.ts'
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

const nativePool = ({ chain }: Pick<Payer, 'chain'>) =>
  chain.pools.find(({ asset }) => asset === NATIVE_ASSET)!

/** The terms that a stranger is quoted for a spend, and the circuit's input under them. */
async function prepareOut(
  service: TestService,
  payer: Pick<Payer, 'chain'>,
  { note, amount, change, recipient }: Spending,
) {
  const { chain } = payer
  const pool = nativePool(payer)
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
  const stateTree = buildTree(leaves.stateTreeLeaves)
  const aspTree = buildTree(leaves.aspLeaves)
  const context = computeContext({ processooor: chain.entrypoint, data }, BigInt(pool.scope))
  return {
    feeCommitment,
    withdrawal: { processooor: chain.entrypoint, data },
    input: withdrawInput({ note, amount, change, stateTree, aspTree, context }),
  }
}

/** A withdrawal by the terms that a stranger was quoted, with its proof: the body of /relayer/request. */
export async function proveOut(
  service: TestService,
  payer: Pick<Payer, 'chain'>,
  prover: Prover,
  spending: Spending,
) {
  const { feeCommitment, withdrawal, input } = await prepareOut(service, payer, spending)
  const proven = await prover.prove('withdraw', input)
  const { scope } = nativePool(payer)
  return { withdrawal, ...proven, scope, chainId: payer.chain.chainId, feeCommitment }
}

/** A contract that returns true. */
const ACCEPTS_ALL = '0x600160005260206000f3'
const verifierAbi = parseAbi(['function WITHDRAWAL_VERIFIER() view returns (address)'])

/**
 * Withdraws on the chain without a proof, which costs six seconds of a core: meanwhile the pool's verifier accepts any.
 * The chain shows the same as after a relay. Waits until it is indexed.
 */
export async function withdrawUnproven(
  service: TestService,
  payer: Payer,
  spending: Spending,
): Promise<void> {
  const { reader, sender } = payer.wallet
  const { withdrawal, input } = await prepareOut(service, payer, spending)
  const { note, amount, change } = spending
  const { pool, scope } = nativePool(payer)
  const left = { ...change, label: note.label, value: note.value - amount }
  const { stateRoot, stateTreeDepth, ASPRoot, ASPTreeDepth, context } = input as Record<string, bigint>
  const spent = [commitmentOf(left), hashNullifier(note.nullifier), amount] as const
  const proof = {
    pA: [0n, 0n],
    pB: [
      [0n, 0n],
      [0n, 0n],
    ],
    pC: [0n, 0n],
    pubSignals: [...spent, stateRoot!, stateTreeDepth!, ASPRoot!, ASPTreeDepth!, context!],
  } as const
  const verifier = await reader.readContract({
    address: pool,
    abi: verifierAbi,
    functionName: 'WITHDRAWAL_VERIFIER',
  })
  const code = await reader.getCode({ address: verifier })
  await askNode(payer.chain.rpcUrl, 'anvil_setCode', verifier, ACCEPTS_ALL)
  try {
    const hash = await sender.writeContract({
      address: payer.chain.entrypoint,
      abi: entrypointAbi,
      functionName: 'relay',
      args: [withdrawal, proof, BigInt(scope)],
    })
    const { status } = await reader.waitForTransactionReceipt({ hash })
    expect(status).toBe('success')
  } finally {
    await askNode(payer.chain.rpcUrl, 'anvil_setCode', verifier, code)
  }
  await waitUntilIndexed(service, payer)
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

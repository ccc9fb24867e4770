import { encodeFunctionData, erc20Abi, maxUint256, type Address, type Hash } from 'viem'
import type { ChainConfig } from '../../relayer/chain/nodes/config.ts'
import { associationSetsAbi } from '../devnet/pool-events.ts'
import { writeCid } from '../devnet/asp/review-deposits.ts'
import { connectWallet, type Wallet } from '../devnet/wallet/connect-wallet.ts'
import { depositWithErrorsAbi } from '../devnet/wallet/deposit.ts'
import { buildTree } from '../../schema/client/pool/merkle-proof.ts'
import { precommitmentOf } from '../../schema/client/pool/note.ts'
import { entrypointAbi, poolAbi } from '../../relayer/chain/contracts/privacy-pools.ts'
import type { Withdrawal } from '../../relayer/pool/state/formulas.ts'
import { fingerprint, readRelayFile, REMAKE_COMMAND, unpackProof } from './relay-file.ts'
import { at, stateLeaves, tellRelayStory, type RelayStory, type VectorPool } from './relay-story.ts'

/** A relay as a client would ask for it, with a real proof. */
export interface RelayVector extends ReturnType<typeof unpackProof> {
  pool: VectorPool
  asset: Address
  chainId: number
  scope: string
  withdrawal: Withdrawal
  amount: bigint
  recipient: Address
}

export interface RelayVectors {
  story: RelayStory
  /** 62 of the native pool, then 2 of the token pool; their withdrawal data gives the fee receiver 100 basis points. */
  relays: RelayVector[]
  /** The relays of remade-relays.ts. */
  remade: ReturnType<typeof unpackProof>[]
  /** The open withdrawal of one more native deposit, by its depositor. */
  ragequit: ReturnType<typeof unpackProof>
}

/** Reads the stored proofs. @throws Error when they are not about today's contracts, accounts and notes. */
export function loadRelayVectors(): RelayVectors {
  const story = tellRelayStory()
  const file = readRelayFile()
  if (file.story !== fingerprint(story)) throw new VectorMisfit('they were made for other addresses or notes')
  const relays = story.relays.map((relay, index): RelayVector => {
    const { pool } = at(story.deposits, relay.deposit)
    const { asset, scope } = story.pools[pool]
    const { withdrawal, amount, recipient } = relay
    const request = { pool, asset, chainId: story.chainId, scope: String(scope), withdrawal, amount, recipient }
    return { ...request, ...unpackProof(at(file.relays, index)) }
  })
  return { story, relays, remade: file.remade.map(unpackProof), ragequit: unpackProof(file.ragequit) }
}

/**
 * Makes the vectors' deposits on a fresh devnet chain and has the ASP's root on chain, in about two seconds.
 * @throws Error when the chain then has other roots than the proofs: it was not fresh, or the vectors no longer fit.
 */
export async function replayVectorDeposits(
  { story }: Pick<RelayVectors, 'story'>,
  chain: Pick<ChainConfig, 'chainId' | 'rpcUrls'> & (Pick<ChainConfig, 'relayer'> | { entrypoint: Address }),
): Promise<void> {
  if (chain.chainId !== story.chainId) throw new VectorMisfit(`chain ${chain.chainId} is not ${story.chainId}`)
  const entrypoint = 'entrypoint' in chain ? chain.entrypoint : chain.relayer?.entrypoint
  if (entrypoint !== story.entrypoint) throw new VectorMisfit(`the Entrypoint is at ${entrypoint}`)
  const target = { chainId: chain.chainId, rpcUrl: at(chain.rpcUrls, 0) }
  const depositor = connectWallet(target, story.depositor.privateKey)
  await sendAll(depositor, depositCalls(story))
  for (const pool of ['native', 'token'] as const) {
    const [address, expected] = [story.pools[pool].pool, buildTree(stateLeaves(story, pool)).root]
    const root = await depositor.reader.readContract({ address, abi: poolAbi, functionName: 'currentRoot' })
    if (root !== expected) throw new VectorMisfit(`the ${pool} pool has another state root: was the chain fresh?`)
  }
  await publishRoot(connectWallet(target, story.postman.privateKey), story)
}

export class VectorMisfit extends Error {
  override name = 'VectorMisfit'

  constructor(reason: string) {
    super(`The relay vectors do not fit: ${reason}. If contracts, accounts or notes changed, run \`${REMAKE_COMMAND}\``)
  }
}

interface Call {
  to: Address
  data: `0x${string}`
  value?: bigint
}

function depositCalls({ entrypoint, pools, deposits }: RelayStory): Call[] {
  const approve = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [entrypoint, maxUint256] })
  const calls = deposits.map(({ pool, gross, note }): Call => {
    const precommitment = precommitmentOf(note)
    if (pool === 'native') {
      const data = encodeFunctionData({ abi: depositWithErrorsAbi, functionName: 'deposit', args: [precommitment] })
      return { to: entrypoint, data, value: gross }
    }
    const data = encodeFunctionData({
      abi: depositWithErrorsAbi,
      functionName: 'deposit',
      args: [pools.token.asset, gross, precommitment],
    })
    return { to: entrypoint, data }
  })
  return [{ to: pools.token.asset, data: approve }, ...calls]
}

/** Signs and sends without waiting in between: the chain takes them in the order of their nonces. */
async function sendAll({ account, sender, reader }: Wallet, calls: readonly Call[]): Promise<void> {
  const first = await reader.getTransactionCount({ address: account.address })
  const fees = await reader.estimateFeesPerGas()
  const hashes: Hash[] = []
  for (const [index, call] of calls.entries()) {
    hashes.push(await sender.sendTransaction({ ...call, ...fees, nonce: first + index, gas: 2_000_000n }))
  }
  const receipts = await Promise.all(hashes.map((hash) => reader.waitForTransactionReceipt({ hash })))
  const failed = receipts.findIndex(({ status }) => status !== 'success')
  if (failed !== -1) throw new VectorMisfit(`deposit ${failed} failed on chain: was the chain fresh?`)
}

/** The devnet's ASP makes the same root in its time; a smaller one of its own may come in between, so look again. */
async function publishRoot({ sender, reader }: Wallet, { entrypoint, deposits }: RelayStory): Promise<void> {
  const root = buildTree(deposits.map(({ note }) => note.label)).root
  const readRoot = () =>
    reader.readContract({ address: entrypoint, abi: entrypointAbi, functionName: 'latestRoot' }).catch(() => null)
  for (let attempt = 0; (await readRoot()) !== root; attempt++) {
    if (attempt === 5) throw new VectorMisfit('the ASP publishes other roots')
    const args = [root, writeCid(deposits.length)] as const
    const call = { address: entrypoint, abi: associationSetsAbi, functionName: 'updateRoot', args } as const
    // The ASP sends from the same account: losing a race for the nonce is no failure.
    const hash = await sender.writeContract(call).catch(() => null)
    if (hash) await reader.waitForTransactionReceipt({ hash })
  }
}

// SPDX-License-Identifier: MIT
import type { Address, Hex } from 'viem'
import type { WalletKeys } from '../keys/stealth-keys.ts'
import { proveRagequit } from '../pool/encode-ragequit.ts'
import type { Prover } from '../pool/prover.ts'
import { deriveOwner } from './own-address.ts'
import { encodeGift, encodeTransfer, encodeUnsell, type Move, type Plan } from './plan-moves.ts'
import type { RecoveryChain } from './recovery-chain.ts'

/** A move while it runs. */
export type MoveState =
  | { state: 'proving' | 'sending' }
  | { state: 'waiting' | 'done'; txHash: Hex }
  | { state: 'failed'; reason: string; txHash: Hex | null }

export interface RunOptions {
  keys: WalletKeys
  chains: readonly RecoveryChain[]
  /** Proves that a note is one's own; needs the circuit `commitment` only. */
  prover: Prover
  report: (move: Move, state: MoveState) => void
}

/**
 * Signs and sends the moves of a plan, one after the other. Moves of an address that failed before are left out. After a
 * failure everything may be searched and planned again: only what is still there is found.
 * @returns Whether all were made.
 */
export async function runMoves(plan: Plan, options: RunOptions): Promise<boolean> {
  const failed = new Set<string>()
  for (const move of plan.moves) {
    const place = `${move.chainId} ${move.from.address}`
    // Fees that did not arrive fail their receiver's moves by themselves.
    if (failed.has(place)) {
      options.report(move, {
        state: 'failed',
        reason: 'an earlier step of this address failed',
        txHash: null,
      })
      continue
    }
    let txHash: Hex | null = null
    try {
      txHash = await sendMove(move, plan, options)
      options.report(move, { state: 'waiting', txHash })
      const { reader } = chainOf(options.chains, move.chainId)
      const { status } = await reader.waitForTransactionReceipt({ hash: txHash })
      if (status !== 'success') throw new Error('the chain refused it')
      options.report(move, { state: 'done', txHash })
    } catch (error) {
      failed.add(place)
      options.report(move, { state: 'failed', reason: describe(error), txHash })
    }
  }
  return failed.size === 0
}

async function sendMove(move: Move, plan: Plan, { keys, chains, prover, report }: RunOptions): Promise<Hex> {
  const { chainId, from, gas } = move
  const { reader } = chainOf(chains, chainId)
  const gasPrice = plan.gasPrices[chainId] ?? 0n
  if (move.kind === 'recover') report(move, { state: 'proving' })
  const call = await encodeMove(move, prover)
  report(move, { state: 'sending' })
  const value =
    move.kind === 'coin' ? (await reader.getBalance({ address: from.address })) - move.fee : call.value
  if (value < 0n) throw new Error('the address has less coin than the fee')
  const nonce = await reader.getTransactionCount({ address: from.address, blockTag: 'pending' })
  const signed = await deriveOwner(keys, from).signTransaction({
    // The price is paid as it is, so that a whole balance can be sent.
    type: 'legacy',
    chainId,
    nonce,
    to: call.to,
    value,
    data: call.data,
    gas,
    gasPrice,
  })
  return reader.sendRawTransaction({ serializedTransaction: signed })
}

async function encodeMove(
  { kind, holding, from, to, amount }: Move,
  prover: Prover,
): Promise<{ to: Address; value: bigint; data: Hex }> {
  if (holding?.kind === 'note' && kind === 'recover')
    return { to: holding.pool.pool, value: 0n, data: await proveRagequit(prover, holding.note) }
  if (holding?.kind === 'sale')
    return { to: holding.escrow, value: 0n, data: encodeUnsell(holding.depositId) }
  if (holding?.kind === 'token') return { to: holding.token, value: 0n, data: encodeTransfer(to, amount) }
  if (holding?.kind === 'collectible')
    return { to: holding.contract, value: 0n, data: encodeGift(from.address, to, holding.tokenId) }
  return { to, value: amount, data: '0x' }
}

function chainOf(chains: readonly RecoveryChain[], chainId: number): RecoveryChain {
  const chain = chains.find((one) => one.chainId === chainId)
  if (!chain) throw new Error(`there is no node of chain ${chainId}`)
  return chain
}

/** viem's errors have a short form. */
const describe = (error: unknown) =>
  error instanceof Error
    ? ((error as { shortMessage?: string }).shortMessage ?? error.message)
    : String(error)

import { type Address, hexToBigInt, type Hex } from 'viem'
import { countUnfinished, type SignerLoad } from '../../../db/chain/broadcast/outbound-queue.ts'
import { raiseNextTxNonces, readNextTxNonces } from '../../../db/chain/broadcast/signer-leases.ts'
import { computeFees } from './compute-fees.ts'
import { hasDuty, type Duty } from '../nodes/relayer-config.ts'
import { extraFeeOf, NO_EXTRA_FEES } from '../nodes/sending-price.ts'
import { readMarket, type Outbox, type Signer } from './outbox.ts'
import type { SignerStatus, SigningTerms } from './broadcast-engine.ts'
import { agreeOnTxNonce, askAll } from './agree-on-nonce.ts'

/** Size of a typical relay. */
const TYPICAL_BYTES = 900

/**
 * True if the signers' accounts must be read now. They are due while there is work or an unhealthy signer, else at
 * intervals, since only outside transactions can change them.
 */
export function isLookDue(outbox: Outbox, unfinished: number): boolean {
  const isBusy = unfinished > 0 || outbox.hasQueued
  const isWell = [...outbox.signers.values()].every(
    ({ balance, txNonce, leased, alarmed, gapSince }) =>
      balance !== null && txNonce !== null && !(leased && alarmed) && gapSince === null,
  )
  return isBusy || !isWell || outbox.now() - outbox.lookedAt >= outbox.config.idleLookMs
}

/**
 * Reads the tip, and balances and nonces of this instance's signers of a chain, and at intervals of the others'. Its
 * requests join the JSON-RPC batch of the same tick. The returned function applies the answers, so that they can be read
 * together with receipts and never half. It also asks the other nodes where an answer would pause a signer or raise its
 * nonces.
 */
export async function lookAtSigners(outbox: Outbox): Promise<() => Promise<void>> {
  const { client } = outbox.chain
  const now = outbox.now()
  const looksAtAll = now - outbox.lookedAtAllAt >= outbox.config.idleLookMs
  const looked = [...outbox.signers].filter(
    ([, { leased, balance }]) => looksAtAll || leased || balance === null,
  )
  outbox.lookedAt = now
  if (looksAtAll) outbox.lookedAtAllAt = now
  const [, ...accounts] = await Promise.all([
    outbox.chain.refreshTip(),
    ...looked.map(async ([address, signer]) => {
      const [balance, txNonce, pendingTxNonce] = await Promise.all([
        client.getBalance({ address }),
        client.getTransactionCount({ address, blockTag: 'latest' }),
        client.getTransactionCount({ address, blockTag: 'pending' }),
      ])
      return { address, signer, claim: { balance, txNonce, pendingTxNonce } }
    }),
  ])
  return async () => {
    const { chainId } = outbox.chain.config
    const next = await readNextTxNonces(outbox.pool, chainId)
    const raised = await Promise.all(
      accounts.map((one) => takeOver(outbox, one, next.get(one.address) ?? null)),
    )
    const moved = raised.filter((one) => one !== null)
    if (moved.length > 0) await raiseNextTxNonces(outbox.pool, chainId, moved)
  }
}

/** @returns The count that the signer's next nonce rises to; null when it stays. */
async function takeOver(
  outbox: Outbox,
  { address, signer, claim }: { address: Address; signer: Signer; claim: AccountView },
  next: number | null,
): Promise<{ address: Address; counted: number } | null> {
  const { paused } = describeSigner(outbox, address, { ...signer, balance: claim.balance })
  signer.balance = paused ? await readHighestBalance(outbox, address, claim.balance) : claim.balance
  if (!signer.leased) {
    signer.txNonce = claim.txNonce
    return null
  }
  const { txNonce, counted } = await confirmCounts(outbox, address, claim, next)
  signer.txNonce = txNonce
  return next === null || counted > next ? { address, counted } : null
}

/**
 * Reads the load of the signers from the outbox, and raises alarms for those that run dry.
 * @returns How many transactions are queued, and whether a signer of this instance has a gap in its nonces.
 */
export async function countLoad(outbox: Outbox): Promise<{ queued: number; hasGap: boolean }> {
  const counts = leasedCounts(outbox)
  const loads = await countUnfinished(outbox.pool, outbox.chain.config.chainId, counts)
  noteUnderWay(outbox, loads)
  for (const [address, signer] of outbox.signers) {
    const load = loads.find((row) => row.signer === address)
    signer.pending = load?.count ?? 0
    signer.reserved = load?.reserved ?? 0n
    alarm(outbox, address, signer)
  }
  return {
    queued: loads.find((row) => row.signer === null)?.count ?? 0,
    hasGap: loads.some(({ hasGap }) => hasGap),
  }
}

/** Remembers how many transactions are not final. @returns Their number. */
export function noteUnderWay(outbox: Outbox, loads: readonly SignerLoad[]): number {
  const count = loads.reduce((sum, load) => sum + load.count, 0)
  outbox.underWay = { count, countedAt: outbox.now() }
  return count
}

/** Returns the chain's transaction count of each signer that this instance has leased. */
export const leasedCounts = ({ signers }: Outbox): { address: Address; counted: number }[] =>
  [...signers].flatMap(([address, { leased, txNonce }]) =>
    leased && txNonce !== null ? [{ address, counted: txNonce }] : [],
  )

function alarm(outbox: Outbox, address: Address, signer: Signer): void {
  // A node that does not answer says nothing of the balance.
  if (signer.balance === null || !readMarket(outbox)) return
  const { runway, paused } = describeSigner(outbox, address, signer)
  signer.alarmed = paused || runway < outbox.config.minRunway
}

/**
 * Describes a signer's remaining capacity, as of the last read. It pauses when its free balance does not pay for one typical
 * transaction at its dearest.
 */
export function describeSigner(outbox: Outbox, address: Address, signer: Signer): SignerStatus {
  const { chainId, relayer } = outbox.chain.config
  const market = readMarket(outbox)
  const gas = BigInt(outbox.config.gasPerTransaction)
  const balance = signer.balance ?? 0n
  const price = market ? market.baseFee + market.tip : 0n
  const extraFee = extraFeeOf(outbox.chain.extraFees() ?? NO_EXTRA_FEES, { gas, bytes: TYPICAL_BYTES })
  const cost = gas * price + extraFee
  const dearest = market ? computeFees(market, relayer.maxGasPrice).maxFeePerGas : 0n
  return {
    chainId,
    address,
    duty: signer.duty,
    balance,
    runway: !market ? 0 : cost > 0n ? Number(balance / cost) : Number.MAX_SAFE_INTEGER,
    paused: signer.balance === null || !market || balance - signer.reserved < gas * dearest + 2n * extraFee,
    isLow: signer.alarmed,
    pendingTransactions: signer.pending,
  }
}

/** How many transactions the balances of a duty's signers pay for; null while one of them or the price is unknown. */
export function sumRunways(outbox: Outbox, duty: Duty): number | null {
  const signers = [...outbox.signers].filter(([, signer]) => hasDuty(signer, duty))
  if (signers.length === 0 || !readMarket(outbox) || signers.some(([, { balance }]) => balance === null))
    return null
  return signers.reduce((sum, [address, signer]) => sum + describeSigner(outbox, address, signer).runway, 0)
}

/**
 * Returns the terms on which a transaction of a signer would be signed now; null while the market or its balance is unknown.
 */
export function findSigningTerms(outbox: Outbox, address: Address): SigningTerms | null {
  const market = readMarket(outbox)
  const signer = outbox.signers.get(address)
  if (!market || !signer || signer.balance === null) return null
  const fees = computeFees(market, outbox.chain.config.relayer.maxGasPrice)
  return { fees, balance: signer.balance, reserved: signer.reserved }
}

/** A node's view of an account. */
interface AccountView {
  /** Wei. */
  balance: bigint
  /** Transactions in blocks. */
  txNonce: number
  /** Includes those that wait in the node's pool. */
  pendingTxNonce: number
}

/**
 * Confirms the transaction count of a leased signer when a node counts more than were handed out. The account may be new
 * here or used elsewhere, the database restored from a backup, or the node wrong. A nonce handed out too high blocks all
 * that follow. A second node must confirm the claim, or the chain's only node a second time. Waiting transactions count up
 * to the number that nodes hold of one account, because a wrong one costs a filler each.
 * @returns The count in blocks, and the next nonce to hand out.
 */
async function confirmCounts(
  { nodes, config, logger }: Outbox,
  address: Address,
  claim: AccountView,
  next: number | null,
): Promise<{ txNonce: number; counted: number }> {
  const handedOut = next ?? 0
  if (next !== null && Math.max(claim.txNonce, claim.pendingTxNonce) <= next)
    return { txNonce: claim.txNonce, counted: next }
  const [latest, pending] = await Promise.all([
    agreeOnTxNonce(nodes, address, 'latest'),
    agreeOnTxNonce(nodes, address, 'pending'),
  ])
  const txNonce = latest ? Math.min(claim.txNonce, latest.atLeast) : Math.min(claim.txNonce, handedOut)
  const waiting = Math.min(claim.pendingTxNonce, pending?.atLeast ?? 0)
  const known = Math.max(handedOut, txNonce)
  const counted = waiting <= known + config.maxPendingPerSigner ? Math.max(known, waiting) : known
  if (counted < Math.max(claim.txNonce, claim.pendingTxNonce))
    logger.warn(
      { signer: address, ...claim, next, believed: counted },
      'a node counts transactions of a signer that no other node confirms',
    )
  return { txNonce, counted }
}

/** Returns the highest balance that any node reports, in wei: a node that lags behind a payment must not pause a signer. */
async function readHighestBalance({ nodes }: Outbox, address: Address, claimed: bigint): Promise<bigint> {
  if (nodes.length < 2) return claimed
  const answers = await askAll(nodes, { method: 'eth_getBalance', params: [address, 'latest'] })
  return answers
    .map((answer) => hexToBigInt(answer as Hex))
    .reduce((most, balance) => (balance > most ? balance : most), claimed)
}

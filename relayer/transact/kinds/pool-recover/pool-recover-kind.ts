import { hexText } from '../../../../db/column-types.ts'
import {
  findLiveRecovery,
  insertRecovery,
  isRecoveryTaken,
  type OwnDepositRow,
  listLabelsOfConversion,
  findOwnDeposit,
  readNoteTraces,
} from '../../../../db/transact/pool-recoveries.ts'
import { quoteNotFound, quoteRefreshRequired, noteSpent } from '../../errors.ts'
import { hasArrived } from '../check-parties.ts'
import {
  usualKind,
  type KindContext,
  type KindParts,
  type QuoteKind,
  type RequestBase,
} from '../quote-kind.ts'
import type { QuotePlan } from '../quote-plan.ts'
import {
  alreadyRecovered,
  depositNotFound,
  feesExceedValue,
  recoverMismatch,
  recoveryUnderWay,
  invalidRecoveryProof,
  publicLink,
  recoverCalldataInvalid,
} from './errors.ts'
import { zeroAddress, type Hex, decodeFunctionData, encodeFunctionData, size } from 'viem'
import { z } from 'zod'
import { NATIVE_ASSET } from '../../../chain/nodes/config.ts'
import { simulationFailed } from '../../../chain/errors.ts'
import { PLAIN_EFFECTS } from '../../intents/simulated-run.ts'
import type { CommonQueryMethods } from 'slonik'
import { listAccountFeatures } from '../../../../db/market/tokens/account-tokens.ts'
import type { Chains } from '../../../chain/nodes/chain.ts'
import { poolAbi, ragequitAbi } from '../../../chain/contracts/privacy-pools.ts'
import type { Groth16Proof } from '../../../../proving/proving-pool.ts'

/** Details of the quote that its refresh needs. */
const recoveryDetails = z.object({
  commitmentId: z.string(),
  recoverCalldata: hexText,
  acknowledgedPublicLink: z.boolean(),
})

/** Plans one intent by the depositor: it takes the note back, and pays for the gas out of it. */
function planRecovery(
  { pool, depositor: address, derivationNonce, asset, chainId }: OwnDepositRow,
  { value, label }: Ragequit,
  { of, recoverCalldata, acknowledgedPublicLink }: PoolRecoverRequest,
): QuotePlan & { funding: { from: 'calls' } } {
  const commitmentId = 'commitmentId' in of ? of.commitmentId : String(label)
  const token = asset === NATIVE_ASSET ? zeroAddress : asset
  return {
    token,
    funding: { from: 'calls', address, derivationNonce, amount: value },
    isNativeAtPar: false,
    gasKey: `pool_recover ${pool}`,
    calls: () => [{ to: pool, value: 0n, data: recoverCalldata }],
    amount: 'max',
    recipient: { address, name: null, owned: true, poisoning: null },
    details: { commitmentId, recoverCalldata, acknowledgedPublicLink },
    effects: PLAIN_EFFECTS,
    checkRun(run, parts) {
      if (!hasArrived(run, token, parts)) throw simulationFailed('The token would not be returned in full')
    },
    isVolatile: false,
    outputOf: (amount, described) => ({ token: described, expected: amount, minimum: amount }),
    members: { kind: 'recover', poolAddress: pool, commitmentId },
    async keep(transaction, quote) {
      await insertRecovery(transaction, quote, { chainId, pool, label }).catch((error: unknown) => {
        throw isRecoveryTaken(error) ? recoveryUnderWay() : error
      })
    },
  }
}

/** The depositor takes back the rest of a deposit in public; what comes back pays for the gas. */
export const poolRecoverKind: QuoteKind<PoolRecoverRequest, never> = {
  ...usualKind,
  price: 'gas',
  chainOf: findChain,
  async plan(context, request) {
    const planned = await plan(context, request, false)
    return { ...planned, funding: { ...planned.funding, allForFees: () => feesExceedValue() } }
  },
  planAgain: (context, { details }) => {
    const { commitmentId, ...kept } = recoveryDetails.parse(details)
    return plan(context, { kind: 'pool_recover', of: { commitmentId }, ...kept }, true)
  },
  planMax: () => Promise.reject(new Error('max-spendable does not exist for a recovery')),
  checkSubmission(run, { token }, parts) {
    if (!hasArrived(run, token, parts))
      throw quoteRefreshRequired('The token would not be returned in full: refresh the quote')
  },
  activity: () => ({ kind: 'POOL_RECOVER', isExchange: false }),
}

/** @param isRefresh The quote to be replaced already holds the deposit. */
async function plan(
  context: KindContext,
  request: PoolRecoverRequest,
  isRefresh: boolean,
): Promise<ReturnType<typeof planRecovery>> {
  const { database, accountId } = context
  const note = decodeRagequit(request.recoverCalldata)
  const deposit = await demandDeposit(context, accountId, note.label)
  const { chainId, pool } = deposit
  const other = isRefresh
    ? null
    : await findLiveRecovery(database, accountId, { chainId, pool, label: note.label })
  if (other?.isDone) throw alreadyRecovered()
  if (other) throw recoveryUnderWay({ details: { quoteId: other.quoteId } })
  await checkNote(context, deposit, note, request)
  return planRecovery(deposit, note, request)
}

/** A label, optionally with the number of a change of its deposit. Deposits in flight have other names. */
const NAMED = /^([0-9]{1,78})(?:-[0-9]{1,9})?$/

/** Finds the chain of the deposit, whose label the calldata has, and which the request names in another way. */
async function findChain(
  { database, chains }: KindParts,
  accountId: string,
  { of, recoverCalldata }: PoolRecoverRequest,
): Promise<number> {
  const { label } = decodeRagequit(recoverCalldata)
  if ('quoteId' in of) {
    const labels = await listLabelsOfConversion(database, accountId, of.quoteId)
    if (!labels) throw quoteNotFound()
    if (!labels.includes(label)) throw recoverMismatch('The proof belongs to no deposit of this quote')
    return (await demandDeposit({ database, chains }, accountId, label)).chainId
  }
  const [, named] = NAMED.exec(of.commitmentId) ?? []
  if (named === undefined) throw depositNotFound()
  const { chainId } = await demandDeposit({ database, chains }, accountId, BigInt(named))
  if (BigInt(named) !== label) throw recoverMismatch('The proof belongs to another deposit')
  return chainId
}

/** Request to take a note back in public. */
interface PoolRecoverRequest extends RequestBase {
  kind: 'pool_recover'
  /**
   * The note: a deposit's label, for a change note followed by `-` and its withdrawalIndex, as in `pool/commitments`. Or
   * the quote that deposited it.
   */
  of: { commitmentId: string } | { quoteId: string }
  /** The pool's `ragequit(proof)`. */
  recoverCalldata: Hex
  /** The user accepts that earlier withdrawals of the deposit become public as the depositor's. */
  acknowledgedPublicLink: boolean
}

/**
 * Finds the account's deposit by its label. A deposit in a pool that the account may not use counts as unknown.
 * @throws ServiceError `not-found`; `bad-request` ALREADY_RECOVERED.
 */
async function demandDeposit(
  { database, chains }: { database: CommonQueryMethods; chains: Chains },
  accountId: string,
  label: bigint,
): Promise<OwnDepositRow> {
  const deposit = await findOwnDeposit(database, accountId, label)
  const assets = deposit && chains.get(deposit.chainId)?.config.relayer?.assets
  const served = assets?.find(({ asset }) => asset === deposit?.asset)
  if (!deposit || !served) throw depositNotFound()
  if (served.feature !== undefined && !(await listAccountFeatures(database, accountId)).has(served.feature))
    throw depositNotFound()
  if (deposit.isRecovered) throw alreadyRecovered()
  return deposit
}

/**
 * Checks that a proof is of the deposit's remaining unspent note: its public signals against the chain, then the proof
 * itself.
 * @throws ServiceError `bad-request` RECOVER_MISMATCH, PUBLIC_LINK, NOTE_SPENT, INVALID_PROOF.
 */
async function checkNote(
  { database, proving, accountId, sending }: KindContext,
  deposit: OwnDepositRow,
  note: Ragequit,
  { acknowledgedPublicLink }: { acknowledgedPublicLink: boolean },
): Promise<void> {
  const { nullifierHash } = note
  const isWhole = note.commitment === deposit.commitment
  if (note.value > deposit.value || (isWhole && note.value !== deposit.value) || note.value === 0n)
    throw recoverMismatch('The proof is for another value than the rest of the deposit')
  const [{ isLeaf, isSpent }, isSpentOnChain] = await Promise.all([
    readNoteTraces(database, deposit, note),
    sending.chain.client.readContract({
      address: deposit.pool,
      abi: poolAbi,
      functionName: 'nullifierHashes',
      args: [nullifierHash],
    }),
  ])
  if (!isLeaf && !isWhole) throw recoverMismatch('The pool has no such note')
  if (isSpent || isSpentOnChain) throw noteSpent()
  if (!isWhole && !acknowledgedPublicLink) throw publicLink()
  const { proof, publicSignals } = note
  const verdict = await proving.verify({ circuit: 'commitment', proof, publicSignals, client: accountId })
  if (!verdict.valid) throw invalidRecoveryProof(`The proof does not verify: ${verdict.reason}`)
}

/** Selector, proof (8 words) and public signals (4 words). */
const BYTES = 4 + 12 * 32

/** A proof of a note and its public signals, those of the circuit `commitment`. */
interface Ragequit {
  commitment: bigint
  nullifierHash: bigint
  /** Value of the note, in the asset's smallest unit. */
  value: bigint
  /** Label of the note's deposit. */
  label: bigint
  proof: Groth16Proof
  publicSignals: readonly string[]
}

/**
 * Decodes the calldata of a pool's `ragequit`. The contract has B's coordinates in the reverse order of the proof
 * (EIP-197). The verifier checks whether the numbers are elements of the field.
 * @throws ServiceError `bad-request` RECOVER_CALLDATA_INVALID unless it is this call and nothing else.
 */
function decodeRagequit(calldata: Hex): Ragequit {
  if (size(calldata) !== BYTES) throw recoverCalldataInvalid()
  const [{ pA, pB, pC, pubSignals }] = decodeCall(calldata)
  const [commitment, nullifierHash, value, label] = pubSignals
  return {
    commitment,
    nullifierHash,
    value,
    label,
    proof: {
      pi_a: [...pA.map(String), '1'],
      pi_b: [...pB.map((pair) => pair.toReversed().map(String)), ['1', '0']],
      pi_c: [...pC.map(String), '1'],
      protocol: 'groth16',
      curve: 'bn128',
    },
    publicSignals: pubSignals.map(String),
  }
}

function decodeCall(data: Hex) {
  try {
    const { args } = decodeFunctionData({ abi: ragequitAbi, data })
    const again = encodeFunctionData({ abi: ragequitAbi, functionName: 'ragequit', args })
    if (again === data.toLowerCase()) return args
  } catch (cause) {
    throw recoverCalldataInvalid({ cause })
  }
  throw recoverCalldataInvalid()
}

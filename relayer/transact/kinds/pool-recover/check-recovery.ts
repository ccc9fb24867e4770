import { noteSpent } from '../../errors.ts'
import type { CommonQueryMethods } from 'slonik'
import { listAccountFeatures } from '../../../../db/market/tokens/account-tokens.ts'
import {
  findOwnDeposit,
  readNoteTraces,
  type OwnDepositRow,
} from '../../../../db/transact/pool-recoveries.ts'
import type { Chains } from '../../../chain/nodes/chain.ts'
import { poolAbi } from '../../../chain/contracts/privacy-pools.ts'
import type { KindContext } from '../quote-kind.ts'
import type { Ragequit } from './decode-ragequit.ts'
import {
  alreadyRecovered,
  depositNotFound,
  invalidRecoveryProof,
  publicLink,
  recoverMismatch,
} from './errors.ts'

/**
 * Finds the account's deposit by its label. A deposit in a pool that the account may not use counts as unknown.
 * @throws ServiceError `not-found`; `bad-request` ALREADY_RECOVERED.
 */
export async function demandDeposit(
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
export async function checkNote(
  { database, proving, accountId, sending }: KindContext,
  deposit: OwnDepositRow,
  note: Ragequit,
  { acknowledgedPublicLink }: { acknowledgedPublicLink: boolean },
): Promise<void> {
  const { nullifierHash } = note
  const isWhole = note.commitment === deposit.commitment
  if (note.value > deposit.value || (isWhole && note.value !== deposit.value) || note.value === 0n)
    throw recoverMismatch('The proof is of another value than the deposit leaves')
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

import type { CommonQueryMethods } from 'slonik'
import {
  listLiveConversions,
  listUsedPrecommitments,
  readHighestIndices,
} from '../../../../db/pool/notes/pool-conversions.ts'
import { FIELD_ORDER } from '../../../../proving/field-element.ts'
import { badRequest } from '../../../errors.ts'
import type { Pool } from '../../../pool/state/pool-state.ts'
import {
  depositIndexGap,
  depositIndexTaken,
  precommitmentAlreadyUsed,
  precommitmentInvalid,
} from './errors.ts'
import type { Precommitment } from './pool-deposit-request.ts'

/** Published wallets stop searching after this many indices without a deposit. */
const GAP = 10

/** The indices that an account may use in a pool now. */
export interface FreeIndices {
  /** One above all indices that are on the chain or in a live quote. */
  next: number
  /** The highest index that published wallets are sure to find. */
  highest: number
}

/** Reads the indices that an account may use in a pool now. */
export async function readFreeIndices(
  connection: CommonQueryMethods,
  accountId: string,
  pool: Pool,
): Promise<FreeIndices> {
  const { highest, highestOnChain } = await readHighestIndices(connection, accountId, pool)
  return { next: (highest ?? -1) + 1, highest: (highestOnChain ?? -1) + GAP }
}

/**
 * Checks the form of precommitments: elements of the field, each once, by consecutive indices.
 * @throws ServiceError `bad-request` PRECOMMITMENT_INVALID, BAD_REQUEST.
 */
export function checkForm(precommitments: readonly Precommitment[]): void {
  const first = precommitments[0]?.depositIndex ?? 0
  const seen = new Set<bigint>()
  for (const [place, { depositIndex, precommitment }] of precommitments.entries()) {
    if (depositIndex !== first + place)
      throw badRequest(
        `precommitments[${place}].depositIndex: expected ${first + place}: indices must be consecutive`,
      )
    if (precommitment <= 0n || precommitment >= FIELD_ORDER)
      throw precommitmentInvalid(`precommitments[${place}]: expected an element of the field above zero`)
    if (seen.has(precommitment)) throw precommitmentInvalid(`precommitments[${place}]: is given twice`)
    seen.add(precommitment)
  }
}

/**
 * Checks that no other deposit or quote in the database has the indices or precommitments.
 * @throws ServiceError `bad-request` DEPOSIT_INDEX_TAKEN, DEPOSIT_INDEX_GAP, PRECOMMITMENT_ALREADY_USED.
 */
export async function checkFree(
  connection: CommonQueryMethods,
  accountId: string,
  pool: Pool,
  precommitments: readonly Precommitment[],
): Promise<FreeIndices> {
  const [free, live, used] = await Promise.all([
    readFreeIndices(connection, accountId, pool),
    listLiveConversions(connection, accountId, pool),
    listUsed(connection, pool, precommitments),
  ])
  for (const { depositIndex, precommitment } of precommitments) {
    const details = { depositIndex, nextDepositIndex: free.next }
    if (live.some((one) => one.depositIndex === depositIndex))
      throw depositIndexTaken(`The index ${depositIndex} is in use`, { details })
    if (depositIndex > free.highest)
      throw depositIndexGap(
        `The index ${depositIndex} is too far from the last deposit: at most ${free.highest}`,
        { details: { ...details, maxDepositIndex: free.highest } },
      )
    if (used.has(precommitment) || live.some((one) => one.precommitment === precommitment))
      throw refuseUsed(depositIndex)
  }
  return free
}

const listUsed = (
  connection: CommonQueryMethods,
  { chainId }: Pool,
  precommitments: readonly Precommitment[],
) =>
  listUsedPrecommitments(
    connection,
    chainId,
    precommitments.map(({ precommitment }) => precommitment),
  )

/** Creates the error for a precommitment that is on the chain, or in another quote. */
export const refuseUsed = (depositIndex: number) =>
  precommitmentAlreadyUsed(`The precommitment of index ${depositIndex} is used already`, {
    details: { depositIndex },
  })

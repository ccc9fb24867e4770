import type { CommonQueryMethods } from 'slonik'
import { z } from 'zod'
import { sql } from '../../connect-database.ts'
import { bytesOfHex } from '../../column-types.ts'
import { insertingAttempts, writingBeside, type Beside, type NewOutbound } from './outbound-queue.ts'
import { type SignedAttempt, notifying } from './outbound-rows.ts'

/** Signature of a new transaction, with the state of the database under which it is valid. */
export interface NonceClaim {
  signer: string
  /** Must be the signer's next nonce. */
  txNonce: number
  attempt: SignedAttempt
  /** The instance that must hold the signer's lease. */
  owner: string
  /** The signer must have fewer unmined transactions than this. */
  maxPending: number
  /** Wei that must cover all unmined transactions of the signer, this one included. */
  balance: bigint
}

const bornRow = z.object({ isSigned: z.boolean() })

/**
 * Writes a new transaction with its signer, nonce and first attempt, and the caller's row. One statement, so no
 * surrounding transaction is needed. If the claim does not hold, the transaction is queued instead, and every instance
 * is notified.
 *
 * @param message Notification for the other instances if it is queued.
 * @returns True if it is signed.
 */
export async function insertSignedOrQueued(
  pool: CommonQueryMethods,
  outbound: NewOutbound,
  claim: NonceClaim,
  { message, beside }: { message: string; beside: Beside },
): Promise<boolean> {
  const { signer, txNonce, attempt, owner } = claim
  const { authorizations = [] } = outbound
  const { isSigned } = await pool.one(sql.type(bornRow)`
    with claimed as (
      update signer set next_tx_nonce = next_tx_nonce + 1
      where chain_id = ${outbound.chainId} and address = ${signer} and lease_owner = ${owner}::uuid
        and lease_until > now() and next_tx_nonce = ${txNonce} and (
          select count(*) < ${claim.maxPending}
            and coalesce(sum(reserved), 0) + ${attempt.reserved}::numeric <= ${claim.balance}::numeric
          from outbound_tx as other
          where other.chain_id = ${outbound.chainId} and other.signer = ${signer}
            and other.status in ('signed', 'sent') and other.mined_hash is null)
      returning address, next_tx_nonce - 1 as tx_nonce, ${attempt.reserved}::numeric as reserved
    ), born as (
      insert into outbound_tx (id, chain_id, kind, reference, to_address, data, value, gas_limit, authorizations, status,
        signer, tx_nonce, reserved, covered, likely_gas)
      select ${outbound.id}::uuid, ${outbound.chainId}, ${outbound.kind}, ${outbound.reference}, ${outbound.to},
        ${sql.binary(bytesOfHex(outbound.data))}, ${outbound.value}::numeric, ${outbound.gasLimit},
        ${authorizations.length > 0 ? sql.jsonb(authorizations) : null}::jsonb,
        case when claimed.address is null then 'queued' else 'signed' end,
        claimed.address, claimed.tx_nonce, coalesce(claimed.reserved, 0),
        ${outbound.cover?.covered ?? null}::numeric, ${outbound.cover?.likelyGas ?? null}::int8
      from (select) as one left join claimed on true
    ), attempted as (${insertingAttempts([{ outboundId: outbound.id, attempt }], sql.fragment`exists (select from claimed)`)}
    ) ${writingBeside(beside)}
    select exists (select from claimed) as "isSigned"
    from (select) as one left join lateral (
      select ${notifying(message)} where not exists (select from claimed)
    ) as told on true`)
  return isSigned
}

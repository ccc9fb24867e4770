import type { CommonQueryMethods } from 'slonik'
import { CheckIntegrityConstraintViolationError, UniqueIntegrityConstraintViolationError } from 'slonik'
import { z } from 'zod'
import { sql } from '../../connect-database.ts'

const relayRequestRow = z.object({
  id: z.string(),
  chainId: z.bigint().transform(Number),
  pool: z.string(),
  asset: z.string(),
  nullifierHash: z.bigint(),
  context: z.bigint(),
  withdrawn: z.bigint(),
  status: z.enum(['broadcast', 'confirmed', 'failed']),
  error: z.string().nullable(),
  txHash: z.string().nullable(),
  outboundId: z.string(),
  updatedAt: z.date(),
})

/** A verified request of the public relayer. Addresses are checksummed text, amounts smallest units. */
export type RelayRequestRow = z.output<typeof relayRequestRow>
/** A verified request to be stored; its status starts as `broadcast`. */
export interface NewRelayRequest extends Omit<RelayRequestRow, 'status' | 'error' | 'txHash' | 'updatedAt'> {
  /** Share that its gas counts towards; null for none. */
  gasShare: 'relay' | 'plain' | null
}

/** Before its end, a request's hash is that of the newest form that a node accepted. */
const columns = sql.fragment`
  id, chain_id as "chainId", pool, asset, nullifier_hash as "nullifierHash", context, withdrawn, status, error,
  coalesce(tx_hash, (
    select hash from outbound_attempt
    where outbound_attempt.outbound_id = relay_request.outbound_id and delivery = 'accepted'
    order by outbound_attempt.created_at desc limit 1
  )) as "txHash", outbound_id as "outboundId", updated_at as "updatedAt"`

/** True if an insert collided with another unfinished or confirmed request of the same note. */
export function isNoteTaken(error: unknown): boolean {
  return error instanceof UniqueIntegrityConstraintViolationError && error.constraint === 'relay_request_note'
}

/** True if an insert failed because pending relays would make the pool forget the request's root first. */
export function isRootOutlived(error: unknown): boolean {
  return error instanceof CheckIntegrityConstraintViolationError && error.constraint === 'relay_request_root'
}

/** Age of a request's state root, and the number of roots to reserve for others while relays are pending. */
export interface RequestRoot {
  followers: number
  /** The block at which the followers were counted. */
  asOf: bigint
  reserve: number
  /** Nullifier hashes spent in the pool by then. Their relays are among the followers, and count once. */
  landed?: readonly bigint[]
}

/**
 * The insert of a request in the state `broadcast`, for the statement that queues its transaction. That statement
 * throws an error that {@link isNoteTaken} recognises if the note is taken. It throws one that {@link isRootOutlived}
 * recognises if the pool's pending relays, of all instances, leave no room for the root.
 */
export const insertingRelayRequest = (request: NewRelayRequest, root: RequestRoot) => sql.fragment`
  insert into relay_request (id, chain_id, pool, asset, nullifier_hash, context, withdrawn, status, outbound_id,
    gas_share)
  values (${request.id}, ${request.chainId}, ${request.pool}, ${request.asset},
    ${request.nullifierHash}, ${request.context}, ${request.withdrawn},
    'broadcast', case when demand_lasting_root(${request.chainId}, ${request.pool}, ${root.followers}::int4,
      ${root.asOf}, ${root.reserve}::int4, ${sql.array([...(root.landed ?? [])], 'numeric')}) then ${request.outboundId}::uuid end, ${request.gasShare})`

/** Lists nullifier hashes of a pool's unfinished requests, oldest first; at most `limit`. */
export function listNotesUnderWay(
  connection: CommonQueryMethods,
  pool: { chainId: number; address: string },
  limit: number,
): Promise<readonly bigint[]> {
  return connection.anyFirst(sql.type(z.object({ nullifierHash: z.bigint() }))`
    select nullifier_hash as "nullifierHash" from relay_request
    where chain_id = ${pool.chainId} and pool = ${pool.address} and status = 'broadcast'
    order by created_at limit ${limit}`)
}

/** The unfinished or confirmed request that spends a note, or null. */
export function findRequestOfNote(
  connection: CommonQueryMethods,
  note: { chainId: number; pool: string; nullifierHash: bigint },
): Promise<RelayRequestRow | null> {
  return connection.maybeOne(sql.type(relayRequestRow)`
    select ${columns} from relay_request
    where chain_id = ${note.chainId} and pool = ${note.pool}
      and nullifier_hash = ${note.nullifierHash} and status <> 'failed'`)
}

/** The request of this id, or null. */
export function findRelayRequest(
  connection: CommonQueryMethods,
  id: string,
): Promise<RelayRequestRow | null> {
  return connection.maybeOne(sql.type(relayRequestRow)`select ${columns} from relay_request where id = ${id}`)
}

/** Lists the requests with these ids, in no order; unknown ids are absent. */
export function listRelayRequests(
  connection: CommonQueryMethods,
  ids: readonly string[],
): Promise<readonly RelayRequestRow[]> {
  return connection.any(sql.type(relayRequestRow)`
    select ${columns} from relay_request where id = any(${sql.array([...ids], 'uuid')})`)
}

/** The unfinished or confirmed request that spends a note, by the nullifierHash alone; the newest where pools share it. */
export function findRequestByNullifier(
  connection: CommonQueryMethods,
  nullifierHash: bigint,
): Promise<RelayRequestRow | null> {
  return connection.maybeOne(sql.type(relayRequestRow)`
    select ${columns} from relay_request where nullifier_hash = ${nullifierHash} and status <> 'failed'
    order by created_at desc limit 1`)
}

/** Lists the most recently changed requests, newest change first. */
export function listNewestRequests(
  connection: CommonQueryMethods,
  limit: number,
): Promise<readonly RelayRequestRow[]> {
  return connection.any(sql.type(relayRequestRow)`
    select ${columns} from relay_request order by updated_at desc limit ${limit}`)
}

const countRow = z.object({
  status: z.enum(['broadcast', 'confirmed', 'failed']),
  count: z.bigint().transform(Number),
})

/** Counts all requests ever made, by status. */
export async function countRequests(
  connection: CommonQueryMethods,
): Promise<{ broadcast: number; confirmed: number; failed: number }> {
  const rows = await connection.any(sql.type(countRow)`
    select status, ended as count from end_counts('relay_request')`)
  return {
    broadcast: 0,
    confirmed: 0,
    failed: 0,
    ...Object.fromEntries(rows.map((row) => [row.status, row.count])),
  }
}

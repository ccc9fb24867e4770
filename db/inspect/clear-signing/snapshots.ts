import type { CommonQueryMethods, DatabasePool } from 'slonik'
import { z } from 'zod'
import { keepRows } from '../../account-table.ts'
import { sql } from '../../connect-database.ts'
import { listenChannel, type ChannelListener } from '../../listen-channel.ts'

const CHANNEL = 'clear_signing'
/** Any constant does, as long as nothing else in the database locks it. */
const TURN_LOCK = 7_236_514_972

/** How an account's erasure and export treat the table. */
export const clearSigningTable = keepRows('clear_signing_binding', 'addresses of published contracts')

/** Origin of an import. */
export interface SnapshotSource {
  registry: string
  status: 'merged' | 'pull_request' | 'local'
  /** Null unless the status is `pull_request`. */
  pullRequest: number | null
  /** URL without a slash at its end; null for `local` alone. */
  repository: string | null
  /** 40 hex digits; null for `local` alone. */
  commit: string | null
  /** SHA-256. */
  contentHash: Buffer
}

const formatRow = z.object({ key: z.string(), signature: z.string(), hash: z.string() })

/** A descriptor as it is stored. */
export interface NewDescriptor {
  path: string
  kind: 'calldata' | 'eip712'
  standard: 'erc20' | 'erc721' | 'erc2612' | null
  /** Canonical JSON. */
  document: string
  /** keccak256 of it. */
  documentHash: Buffer
  /** The calls or messages that it formats; `hash` is 0x and 64 hex digits. */
  formats: readonly z.output<typeof formatRow>[]
  /** Addresses are checksummed. */
  deployments: readonly { chainId: number; address: string }[]
}

/**
 * Stores an import as a whole and activates it in its place; the commit notifies every instance.
 *
 * @returns Its id.
 * @throws The database's error if two descriptors describe the same call of one contract; nothing is stored then.
 */
export function insertSnapshot(
  pool: DatabasePool,
  source: SnapshotSource,
  descriptors: readonly NewDescriptor[],
): Promise<bigint> {
  return pool.transaction(async (connection) => {
    await takeTurn(connection)
    const { registry, status, pullRequest, repository, commit, contentHash } = source
    const { id } = await connection.one(sql.type(idRow)`
      insert into clear_signing_snapshot (registry, status, pull_request, repository, commit, content_hash)
      values (${registry}, ${status}, ${pullRequest}, ${repository}, ${commit}, ${sql.binary(contentHash)})
      returning id`)
    const made = await connection.any(sql.type(idRow.extend({ path: z.string() }))`
      insert into clear_signing_descriptor (snapshot_id, path, kind, standard, document, document_hash, formats)
      select ${id}::int8, * from ${sql.unnest(
        descriptors.map(({ path, kind, standard, document, documentHash, formats }) => [
          path,
          kind,
          standard,
          document,
          documentHash,
          JSON.stringify(formats),
        ]),
        ['text', 'text', 'text', 'text', 'bytea', 'jsonb'],
      )}
      returning id, path`)
    const idOf = new Map(made.map(({ id, path }) => [path, id]))
    const bindings = descriptors.flatMap(({ path, kind, formats, deployments }) =>
      deployments.flatMap(({ chainId, address }) =>
        formats.map(({ hash }) => [
          kind,
          chainId,
          address,
          Buffer.from(hash.slice(2), 'hex'),
          idOf.get(path) ?? null,
        ]),
      ),
    )
    await connection.query(sql.typeAlias('void')`
      insert into clear_signing_binding (snapshot_id, kind, chain_id, address, format_hash, descriptor_id)
      select ${id}::int8, * from ${sql.unnest(bindings, ['text', 'int8', 'text', 'bytea', 'int8'])}`)
    await makeActive(connection, id)
    return id
  })
}

const idRow = z.object({ id: z.bigint() })

/** Activates an import in its place. @returns False when there is no such import. */
export function activateSnapshot(pool: DatabasePool, id: bigint): Promise<boolean> {
  return pool.transaction(async (connection) => {
    await takeTurn(connection)
    return makeActive(connection, id)
  })
}

/** Serializes imports, activations and removals: two for one place would break its unique index. */
async function takeTurn(connection: CommonQueryMethods): Promise<void> {
  await connection.query(sql.typeAlias('void')`select from pg_advisory_xact_lock(${TURN_LOCK})`)
}

async function makeActive(connection: CommonQueryMethods, id: bigint): Promise<boolean> {
  await connection.query(sql.typeAlias('void')`
    update clear_signing_snapshot as former set active = false from clear_signing_snapshot as chosen
    where chosen.id = ${id} and former.id <> ${id} and former.active and former.status = chosen.status
      and former.pull_request is not distinct from chosen.pull_request`)
  const { rowCount } = await connection.query(sql.typeAlias('void')`
    update clear_signing_snapshot set active = true where id = ${id}`)
  await tellInstances(connection)
  return rowCount > 0
}

/** Removes an import, even the active one. @returns False when there is no such import. */
export function removeSnapshot(pool: DatabasePool, id: bigint): Promise<boolean> {
  return pool.transaction(async (connection) => {
    await takeTurn(connection)
    const { rowCount } = await connection.query(sql.typeAlias('void')`
      delete from clear_signing_snapshot where id = ${id}`)
    await tellInstances(connection)
    return rowCount > 0
  })
}

async function tellInstances(connection: CommonQueryMethods): Promise<void> {
  await connection.query(sql.typeAlias('void')`select from pg_notify(${CHANNEL}, '')`)
}

/**
 * Listens for imports, activations and removals by any instance or command.
 * @param on.open Called after every (re)connection: messages sent in between are lost.
 */
export const listenSnapshots = (
  databaseUrl: string,
  on: Parameters<typeof listenChannel>[2],
): Promise<ChannelListener> => listenChannel(databaseUrl, CHANNEL, on)

const snapshotRow = z.object({
  id: z.bigint(),
  registry: z.string(),
  status: z.enum(['merged', 'pull_request', 'local']),
  pullRequest: z.number().nullable(),
  repository: z.string().nullable(),
  commit: z.string().nullable(),
  contentHash: z.instanceof(Buffer),
  importedAt: z.date(),
  active: z.boolean(),
  descriptors: z.number(),
})

/** Every import, the newest first. */
export function listSnapshots(
  connection: CommonQueryMethods,
): Promise<readonly z.output<typeof snapshotRow>[]> {
  return connection.any(sql.type(snapshotRow)`
    select id, registry, status, pull_request as "pullRequest", repository, commit,
      content_hash as "contentHash", imported_at as "importedAt", active,
      (select count(*)::int4 from clear_signing_descriptor where snapshot_id = clear_signing_snapshot.id) as descriptors
    from clear_signing_snapshot order by id desc`)
}

const activeRow = z.object({
  registry: z.string(),
  status: snapshotRow.shape.status,
  pullRequest: z.number().nullable(),
  repository: z.string().nullable(),
  commit: z.string().nullable(),
  path: z.string(),
  kind: z.enum(['calldata', 'eip712']),
  standard: z.enum(['erc20', 'erc721', 'erc2612']).nullable(),
  document: z.string(),
  documentHash: z.instanceof(Buffer),
  formats: z.array(formatRow),
  /** `<chainId>:<address>` each. */
  contracts: z.array(z.string()),
})

/** A descriptor of an active import, with its origin and the contracts that it names. */
export type ActiveDescriptorRow = z.output<typeof activeRow>

/** The descriptors of all active imports, in one snapshot: merged ones first, the operator's own last. */
export function listActiveDescriptors(
  connection: CommonQueryMethods,
): Promise<readonly ActiveDescriptorRow[]> {
  return connection.any(sql.type(activeRow)`
    select registry, status, pull_request as "pullRequest", repository, commit, path, descriptor.kind, standard,
      document, document_hash as "documentHash", formats, array(
        select distinct chain_id || ':' || address from clear_signing_binding where descriptor_id = descriptor.id
      ) as contracts
    from clear_signing_snapshot as snapshot join clear_signing_descriptor as descriptor on snapshot_id = snapshot.id
    where active
    order by array_position(array['merged', 'pull_request', 'local'], status), pull_request, path`)
}

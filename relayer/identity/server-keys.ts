import type { CommonQueryMethods, DatabasePool } from 'slonik'
import {
  insertFirstKey,
  listServerKeys,
  replaceServerKey,
  type KeyPurpose,
  type NewServerKey,
} from '../../db/identity/server-keys.ts'
import { paceReads } from '../concurrency/even-times.ts'
import type { Vault } from './vault.ts'

/** The functions that make and open one purpose's keys. */
export interface KeyKind<Key> {
  purpose: KeyPurpose
  /** @returns The private key in the form that `open` accepts. */
  make(): Promise<Uint8Array>
  open(secret: Uint8Array, id: string): Promise<Key>
}

/** The server's keys of one purpose, shared by all instances on the database. */
export interface ServerKeys<Key> {
  current(): Promise<Key>
  /** Returns the current key first, then those retired less than the overlap ago. */
  all(): Promise<readonly Key[]>
  /** Reads the keys again, because another instance may have made new ones. */
  refresh(): Promise<void>
}

const MAX_AGE_MS = 5_000
const READ_INTERVAL_MS = 200

/** Returns the owner of a sealed server key. */
const ownerOfServerKey = (purpose: KeyPurpose, id: string) => `server-key:${purpose}:${id}`

async function makeKey(kind: KeyKind<unknown>, id: string, vault: Vault): Promise<NewServerKey> {
  const { bytes, masterKeyId } = await vault.seal(ownerOfServerKey(kind.purpose, id), await kind.make())
  return { id, purpose: kind.purpose, sealedKey: bytes, masterKeyId }
}

/** Opens the keys of one purpose; creates the first if there is none. @throws VaultError under a foreign master key. */
export async function openServerKeys<Key>(
  kind: KeyKind<Key>,
  { database, vault, overlapSeconds }: { database: CommonQueryMethods; vault: Vault; overlapSeconds: number },
): Promise<ServerKeys<Key>> {
  let opened = new Map<string, Key>()
  let readAt = 0

  async function read(): Promise<void> {
    const rows = await listServerKeys(database, kind.purpose, overlapSeconds)
    const next = new Map<string, Key>()
    for (const { id, sealedKey, masterKeyId } of rows) {
      const secret = () => vault.open(ownerOfServerKey(kind.purpose, id), { bytes: sealedKey, masterKeyId })
      next.set(id, opened.get(id) ?? (await kind.open(await secret(), id)))
    }
    opened = next
    readAt = Date.now()
  }

  const refresh = paceReads(read, READ_INTERVAL_MS)
  const fresh = async () => {
    if (Date.now() - readAt > MAX_AGE_MS) await refresh()
    return [...opened.values()]
  }

  await insertFirstKey(database, await makeKey(kind, crypto.randomUUID(), vault))
  await read()
  return {
    async current() {
      const [key] = await fresh()
      if (key === undefined) throw new Error(`The database holds no current ${kind.purpose} key`)
      return key
    },
    all: fresh,
    refresh,
  }
}

/** Replaces the current key with a new one. */
export async function rotateServerKey(
  kind: KeyKind<unknown>,
  { database, vault }: { database: DatabasePool; vault: Vault },
): Promise<void> {
  await replaceServerKey(database, await makeKey(kind, crypto.randomUUID(), vault))
}

import { sealText, unsealText, type SealedText, type WalletKeys } from 'stealth-relay/client'

// The keys of a wallet without a passkey, in IndexedDB. They are encrypted by the PIN together with a key of this
// browser that no script can export: a copy of the text alone does not suffice to try PINs.

interface Vault {
  sealed: SealedText
  deviceKey: CryptoKey
}

const STORE = 'vault'
const ENTRY = 'wallet'

/** Stores the keys, encrypted by a PIN; replaces those that were there. */
export async function saveByPin(keys: WalletKeys, pin: string): Promise<void> {
  const deviceKey = await crypto.subtle.generateKey({ name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
  const sealed = await sealText(JSON.stringify(keys), await mixPin(pin, deviceKey))
  await inStore('readwrite', (store) => store.put({ sealed, deviceKey } satisfies Vault, ENTRY))
}

/** @returns The keys; null for another PIN. */
export async function openByPin(pin: string): Promise<WalletKeys | null> {
  const vault = (await inStore('readonly', (store) => store.get(ENTRY))) as Vault | undefined
  if (!vault) return null
  const password = await mixPin(pin, vault.deviceKey)
  return unsealText(vault.sealed, password).then(
    (text) => JSON.parse(text) as WalletKeys,
    () => null,
  )
}

/** Removes the keys from this browser. */
export const forgetVault = (): Promise<unknown> => inStore('readwrite', (store) => store.delete(ENTRY))

const mixPin = async (pin: string, deviceKey: CryptoKey) =>
  new Uint8Array(await crypto.subtle.sign('HMAC', deviceKey, new TextEncoder().encode(pin)))

/** Runs one request on the store. */
async function inStore<Result>(
  mode: IDBTransactionMode,
  ask: (store: IDBObjectStore) => IDBRequest<Result>,
): Promise<Result> {
  const opening = indexedDB.open('stealth-wallet', 1)
  opening.addEventListener('upgradeneeded', () => opening.result.createObjectStore(STORE))
  const database = await settle(opening)
  try {
    return await settle(ask(database.transaction(STORE, mode).objectStore(STORE)))
  } finally {
    database.close()
  }
}

function settle<Result>(request: IDBRequest<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result))
    request.addEventListener('error', () => reject(request.error ?? new Error('the browser stores nothing')))
  })
}

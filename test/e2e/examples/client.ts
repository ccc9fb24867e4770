/**
 * A whole client in one file: it signs in and creates its account. It gets one-time addresses to be paid at and makes
 * the private keys that control them. It talks HTTP and shares no code with the service.
 *
 *     node_modules/.bin/node test/e2e/examples/client.ts http://127.0.0.1:4000
 */
import { Aes128Gcm, CipherSuite, DhkemX25519HkdfSha256, HkdfSha256 } from '@hpke/core'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { HDKey } from '@scure/bip32'
import {
  bytesToBigInt,
  bytesToHex,
  hexToBytes,
  isAddressEqual,
  numberToHex,
  type Address,
  type Hex,
} from 'viem'
import { generatePrivateKey, privateKeyToAccount, type PrivateKeyAccount } from 'viem/accounts'
import { createSiweMessage } from 'viem/siwe'
import type { KnownChain } from './known-chain.ts'
import { deriveMasterSecrets, notePhrase, type MasterSecrets } from './note-secrets.ts'

const ORDER = secp256k1.Point.Fn.ORDER
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
/**
 * Nonces count from 0. Without the service a wallet finds its addresses by trying nonces, and would never reach one beyond
 * this.
 */
const NONCES = 2 ** 24

export interface ClientOptions {
  url: string
  /** The two secrets of a wallet. Neither ever leaves the client. */
  spendKey: Hex
  viewKey: Hex
  /** The wallet's own record of the chains on which it spends, see known-chain.ts; without it the wallet signs nothing. */
  chains?: readonly KnownChain[]
  /** The domain that the user signs in at. */
  domain?: string
  /** Referral code; counts when the account is created. */
  referralCode?: string
  /** Sent with every request; for a service behind a proxy, say. */
  headers?: Record<string, string>
}

export type Client = Awaited<ReturnType<typeof openClient>>

export async function openClient(options: ClientOptions) {
  const { url, spendKey, viewKey, chains = [], domain = 'localhost:3000', referralCode } = options
  const spender = privateKeyToAccount(spendKey)
  const childViewKey = privateKeyAt(hexToBytes(viewKey), `m/5564'/0'`)
  let token = ''
  let accountId: string | null = null
  let noteMaster: MasterSecrets | null = null

  const ask = <Answer>(method: string, path: string, body?: unknown, headers?: Record<string, string>) =>
    askService<Answer>(url, method, path, body, {
      ...options.headers,
      ...headers,
      ...(token && { authorization: `Bearer ${token}` }),
    })

  /** Sign-In with Ethereum, by the spending key. */
  async function signIn(): Promise<void> {
    const nonce = await ask<string>('GET', `/v1/nonce?address=${spender.address}`)
    const terms = { domain, uri: `http://${domain}`, version: '1', chainId: 1, nonce } as const
    const message = createSiweMessage({ ...terms, address: spender.address })
    const signature = await spender.signMessage({ message })
    const session = await ask<{ token: string; accountId: string | null }>('POST', '/v1/verify', {
      message,
      signature,
      authType: 'passkey_prf',
    })
    token = session.token
    accountId = session.accountId && demandId(session.accountId)
  }

  /** Gives the server the keys that derive addresses, encrypted with its HPKE key. */
  async function createAccount(): Promise<void> {
    const { publicKey } = await ask<{ publicKey: Hex }>('GET', '/v1/.well-known/hpke-public-key')
    const keyMaterial = {
      P_spend: spender.publicKey,
      P_view: privateKeyToAccount(viewKey).publicKey,
      child_p_view: bytesToHex(childViewKey),
    }
    const sealed = await encrypt(hexToBytes(`0x${publicKey.replace('0x', '')}`), JSON.stringify(keyMaterial))
    const request = { ...sealed, ...(referralCode && { referralCode }) }
    accountId = demandId((await ask<{ accountId: string }>('POST', '/v1/accounts/', request)).accountId)
  }

  const controlOf = (nonce: string) => deriveStealthAccount(spendKey, childViewKey, BigInt(nonce))

  /** The wallet shows payers only its own addresses. */
  async function receive(): Promise<{ address: Address; nonce: string }> {
    const path = `/v1/accounts/${accountId}/payment-address`
    const shown = await ask<{ address: Address; nonce: string }>('POST', path, {})
    demandOwn({ controlOf }, shown.nonce, shown.address)
    return shown
  }

  await signIn()
  if (!accountId) await createAccount()

  return {
    url,
    accountId: String(accountId),
    token,
    /** Any other call, with the session's token. */
    ask,
    /** A fresh address, good on every chain. @throws Error for one that the wallet's keys do not control. */
    receive,
    /** The contracts of a chain. @throws Error for a chain that the wallet does not know. */
    chainOf(chainId: number): KnownChain {
      const known = chains.find((chain) => chain.chainId === chainId)
      if (!known) throw new Error(`the wallet does not know the contracts of chain ${chainId}`)
      return known
    },
    /** Signs with the spending key, as a wallet does when its user agrees (EIP-191). */
    signMessage: (message: string) => spender.signMessage({ message }),
    /** The private key of the address with this nonce. */
    controlOf,
    /** The source of the secrets of the account's pool notes; see note-secrets.ts. */
    deriveNoteMaster: () => (noteMaster ??= deriveMasterSecrets(notePhrase(spendKey, viewKey).mnemonic)),
  }
}

/** The key of an address. @throws Error where the service names an address that the wallet's keys do not control. */
export function demandOwn(
  { controlOf }: Pick<Client, 'controlOf'>,
  nonce: string,
  address: Address,
): PrivateKeyAccount {
  if (!/^(?:0|[1-9]\d{0,7})$/.test(nonce) || Number(nonce) >= NONCES)
    throw new Error(`the nonce ${nonce} is out of the wallet's reach`)
  const signer = controlOf(nonce)
  if (isAddressEqual(signer.address, address)) return signer
  throw new Error(`${address} is not an address of the account`)
}

/** The id is part of texts that the wallet signs. */
function demandId(accountId: string): string {
  if (UUID.test(accountId)) return accountId
  throw new Error('the service names an account that has no id')
}

/** One call by REST. @throws Error with the service's message where it refuses. */
export async function askService<Answer>(
  url: string,
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const answer = await fetch(`${url}${path}`, {
    method,
    headers: { 'content-type': 'application/json', ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
  return (await answer.json()) as Answer
}

/** A client with new keys: a new account. */
export const openNewClient = (options: Omit<ClientOptions, 'spendKey' | 'viewKey'>) =>
  openClient({ ...options, spendKey: generatePrivateKey(), viewKey: generatePrivateKey() })

/** p_spend · r mod n, where r is the hash of the secret shared by a child of the viewing key and P_spend. */
export function deriveStealthAccount(
  spendKey: Hex,
  childViewKey: Uint8Array,
  nonce: bigint,
): PrivateKeyAccount {
  const derived = privateKeyAt(childViewKey, `m/0'/0'/${nonce >> 28n}'/${nonce & 0xfffffffn}'`)
  const spendPublicKey = secp256k1.getPublicKey(hexToBytes(spendKey), false)
  const shared = secp256k1.getSharedSecret(derived, spendPublicKey, false)
  const r = bytesToBigInt(keccak_256(shared.subarray(1)))
  return privateKeyToAccount(numberToHex((BigInt(spendKey) * r) % ORDER, { size: 32 }))
}

export function privateKeyAt(seed: Uint8Array, path: string): Uint8Array {
  const { privateKey } = HDKey.fromMasterSeed(seed).derive(path)
  if (!privateKey) throw new Error(`no private key at ${path}`)
  return privateKey
}

async function encrypt(publicKey: Uint8Array, text: string) {
  const suite = new CipherSuite({
    kem: new DhkemX25519HkdfSha256(),
    kdf: new HkdfSha256(),
    aead: new Aes128Gcm(),
  })
  const recipientPublicKey = await suite.kem.deserializePublicKey(publicKey.slice().buffer)
  const { enc, ct } = await suite.seal({ recipientPublicKey }, new TextEncoder().encode(text).buffer)
  const base64 = (bytes: ArrayBuffer) => Buffer.from(bytes).toString('base64')
  return { encapsulatedKey: base64(enc), ciphertext: base64(ct) }
}

if (import.meta.main) {
  const url = process.argv[2] ?? 'http://127.0.0.1:4000'
  const client = await openNewClient({ url })
  for (const { address, nonce } of [await client.receive(), await client.receive()])
    console.log(`nonce ${nonce}: ${address}, controlled: ${client.controlOf(nonce).address === address}`)
}

// SPDX-License-Identifier: MIT
/**
 * A wallet's session with the service: it signs in and creates the account. It gets one-time addresses to be paid at, and
 * makes the private keys that control them.
 */
import { hexToBytes, isAddressEqual, keccak256, type Address, type Hex } from 'viem'
import { generatePrivateKey, privateKeyToAccount, type PrivateKeyAccount } from 'viem/accounts'
import type { KnownChain } from '../chain/known-chain.ts'
import { sealKeys } from '../keys/seal-keys.ts'
import { createSignInMessage } from '../keys/sign-in-message.ts'
import { deriveSharedKeys, deriveStealthAccount, readNonce, type WalletKeys } from '../keys/stealth-keys.ts'
import { askGraph } from '../requests/ask-graph.ts'
import { askService, type Connection } from '../requests/ask-service.ts'
import { callOperation, type AnswerOf, type InputOf, type OperationName } from '../requests/call-operation.ts'
import type { Operations } from '../requests/operations.ts'
import { followStream } from '../requests/read-events.ts'
import { isRefusal } from '../requests/service-refusal.ts'

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

export interface ClientOptions extends WalletKeys, Connection {
  url: string
  /** The wallet's own record of the chains on which it spends, see known-chain.ts; without it the wallet signs nothing. */
  chains?: readonly KnownChain[]
  /** The domain that the user signs in at, as SIGN_IN_DOMAINS of the service lists it; that of the page unless given. */
  domain?: string
  /** How the user reaches the keys; the service shows it on other devices. */
  keyAccessMethod?: 'passkey_prf' | 'wallet_pin'
  /** Referral code; counts when the account is created. */
  referralCode?: string
}

/** An operation of one account; the path needs no account's id. */
export type AccountInput<Name extends OperationName> = Omit<InputOf<Name>, 'path'> &
  (Exclude<keyof Operations[Name]['path'], 'accountId'> extends never
    ? { path?: undefined }
    : { path: Omit<Operations[Name]['path'], 'accountId'> })

export type Client = Awaited<ReturnType<typeof openClient>>

/**
 * Signs in, and creates the account where there is none.
 * @throws ServiceRefusal where the service refuses; Error where it answers what a wallet does not sign.
 */
export async function openClient(options: ClientOptions) {
  const { url, spendKey, viewKey, chains = [], domain = hostOfPage(), referralCode } = options
  const spender = privateKeyToAccount(spendKey)
  const shared = deriveSharedKeys({ spendKey, viewKey })
  const childViewKey = hexToBytes(shared.childViewKey)
  let token = ''
  let accountId: string | null = null
  let signingIn: Promise<void> | null = null

  const connectionOf = (headers?: Record<string, string>): Connection => ({
    ...options,
    headers: { ...options.headers, ...headers, ...(token && { authorization: `Bearer ${token}` }) },
  })

  /** Sends a request with the session's token. A token that has ended is renewed once. */
  async function withToken<Answer>(send: () => Promise<Answer>): Promise<Answer> {
    const used = token
    try {
      return await send()
    } catch (error) {
      if (used === '' || !isRefusal(error, 'UNAUTHORIZED')) throw error
      if (token === used) await renew()
      return send()
    }
  }

  const ask = <Answer>(method: string, path: string, body?: unknown, headers?: Record<string, string>) =>
    withToken(() => askService<Answer>(url, method, path, body, connectionOf(headers)))

  const call = <Name extends OperationName>(name: Name, input: AccountInput<Name>) => {
    const whole = { ...input, path: { accountId, ...input.path } } as unknown as InputOf<Name>
    return withToken<AnswerOf<Name>>(() => callOperation(url, name, whole, connectionOf()))
  }

  /** Several requests may find the token ended at once. */
  const renew = () => (signingIn ??= signIn().finally(() => (signingIn = null)))

  /** Sign-In with Ethereum, by the spending key. */
  async function signIn(): Promise<void> {
    const connection = { ...options, headers: { ...options.headers } }
    const path = `/v1/nonce?address=${spender.address}`
    const nonce = await askService<string>(url, 'GET', path, undefined, connection)
    const message = createSignInMessage({ domain, address: spender.address, nonce })
    const signature = await spender.signMessage({ message })
    const session = await askService<{ token: string; accountId: string | null }>(
      url,
      'POST',
      '/v1/verify',
      { message, signature, authType: options.keyAccessMethod ?? 'passkey_prf' },
      connection,
    )
    token = session.token
    accountId = session.accountId && demandId(session.accountId)
  }

  /** Gives the service the keys that derive addresses, encrypted with its HPKE key. */
  async function createAccount(): Promise<void> {
    const { publicKey } = await ask<{ publicKey: string }>('GET', '/v1/.well-known/hpke-public-key')
    const request = { ...(await sealKeys(publicKey, shared)), ...(referralCode && { referralCode }) }
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
    /** The session's token, as of now. */
    get token() {
      return token
    },
    /** Any request, with the session's token. */
    ask,
    /** An operation by its name, with its types; `accountId` of the path is the account's. */
    call,
    /** The data of a GraphQL query or mutation, with the session's token. */
    graphql: <Data>(document: string, variables?: Readonly<Record<string, unknown>>) =>
      withToken(() => askGraph<Data>(url, document, variables, connectionOf())),
    /** The results of a GraphQL subscription, until the signal is aborted; a cut stream is connected again. */
    follow: <Data>(query: string, variables: Readonly<Record<string, unknown>>, signal: AbortSignal) =>
      followStream<Data>({
        url,
        query,
        variables,
        signal,
        headers: async () => ({ ...connectionOf().headers }),
        renew,
        ...(options.fetch && { fetch: options.fetch }),
      }),
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
    /** The 16 bytes from which all secrets of the account's pool notes derive (PROTOCOL.md, section 10). */
    noteEntropy: (): Hex => deriveNoteEntropy({ spendKey, viewKey }),
  }
}

/** The first 16 bytes of the hash of both keys: the twelve words of a wallet's notes come from them. */
export function deriveNoteEntropy({ spendKey, viewKey }: WalletKeys): Hex {
  const label = new TextEncoder().encode('privacy-pools-v1-prf')
  const seed = new Uint8Array([...label, ...hexToBytes(spendKey), ...hexToBytes(viewKey)])
  return keccak256(seed).slice(0, 34) as Hex
}

/** The key of an address. @throws Error where the service names an address that the wallet's keys do not control. */
export function demandOwn(
  { controlOf }: Pick<Client, 'controlOf'>,
  nonce: string,
  address: Address,
): PrivateKeyAccount {
  const signer = controlOf(String(readNonce(nonce)))
  if (isAddressEqual(signer.address, address)) return signer
  throw new Error(`${address} is not an address of the account`)
}

/** Outside of a page the user signs in at this computer. */
const hostOfPage = () => (globalThis as { location?: { host?: string } }).location?.host || 'localhost:3000'

/** The id is part of texts that the wallet signs. */
function demandId(accountId: string): string {
  if (UUID.test(accountId)) return accountId
  throw new Error('the service names an account that has no id')
}

/** A client with new keys: a new account. */
export const openNewClient = (options: Omit<ClientOptions, 'spendKey' | 'viewKey'>) =>
  openClient({ ...options, spendKey: generatePrivateKey(), viewKey: generatePrivateKey() })

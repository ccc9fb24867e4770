import { call, post, type Answered } from '../../harness/call.ts'
import { createWallet, encryptFor, type TestWallet } from '../identity/wallet.ts'

/** Settings with which {@link signIn} gives every wallet its own network address, and so its own rate limits. */
export const OWN_LIMITS = { http: { trustedProxies: 1 } }

export interface SignedIn {
  wallet: TestWallet
  headers: Record<string, string>
  /** With the token; `path` begins with a slash. */
  get(path: string): Promise<Answered>
  send(method: string, path: string, body?: unknown): Promise<Answered>
  /** Encrypts key material (the wallet's own by default) and creates the account with it. */
  createAccount(material?: unknown, more?: Record<string, unknown>): Promise<Answered>
}

/** Clients of this process; a process beside it counts from elsewhere, so that no two share limits. */
let clients = Number(process.env['FIRST_CLIENT'] ?? 0)

/** A member of an answer that must be text. */
export function textOf(answer: Answered, member: string): string {
  const value = answer.json?.[member]
  if (typeof value !== 'string') throw new Error(`no ${member}: ${answer.text}`)
  return value
}

export async function signIn(url: string, wallet = createWallet()): Promise<SignedIn> {
  clients += 1
  const client = { 'x-forwarded-for': `10.${clients >> 8}.${clients & 255}.1` }
  const nonce = await call(`${url}/v1/nonce?address=${wallet.address}`, { headers: client })
  const message = wallet.writeMessage(JSON.parse(nonce.text))
  const body = { message, signature: await wallet.sign(message), authType: 'wallet_pin' }
  const token = textOf(await post(`${url}/v1/verify`, body, client), 'token')
  const headers = { ...client, authorization: `Bearer ${token}` }
  const send = (method: string, path: string, body?: unknown) =>
    call(`${url}${path}`, { method, headers, ...(body !== undefined && { body }) })
  return {
    wallet,
    headers,
    send,
    get: (path) => send('GET', path),
    async createAccount(material = wallet.material, more = {}) {
      const key = await call(`${url}/v1/.well-known/hpke-public-key`)
      const text = typeof material === 'string' ? material : JSON.stringify(material)
      const sealed = await encryptFor(textOf(key, 'publicKey'), text)
      return send('POST', '/v1/accounts/', { ...sealed, ...more })
    },
  }
}

/** A client with an account; `path` is the account's. */
export async function openAccount(
  url: string,
  wallet = createWallet(),
): Promise<SignedIn & { accountId: string; path: string }> {
  const owner = await signIn(url, wallet)
  const accountId = textOf(await owner.createAccount(), 'accountId')
  return { ...owner, accountId, path: `/v1/accounts/${accountId}` }
}

import { randomBytes, randomUUID } from 'node:crypto'
import { onTestFinished } from 'vitest'
import { z } from 'zod'
import { connectDatabase } from '../../../db/connect-database.ts'
import { insertAccount } from '../../../db/account/profile/accounts.ts'
import { createLogger } from '../../../gateway/logging.ts'
import { identityConfig, type OauthClient } from '../../../relayer/identity/config.ts'
import { encodeStoredKeys } from '../../../relayer/identity/key-material.ts'
import { createVault } from '../../../relayer/identity/create-vault.ts'
import type { Identity } from '../../../relayer/identity/identity.ts'
import { createKeyWrapper } from '../../../relayer/identity/key-wrapper.ts'
import { openIdentity } from '../../../relayer/identity/open-identity.ts'
import type { Vault } from '../../../relayer/identity/vault.ts'
import { call, post, type Answered } from '../../harness/call.ts'
import { openGateway, type OpenGateway } from '../../gateway/open-gateway.ts'
import type { TestDatabase } from '../../harness/open-test-database.ts'
import type { TestWallet } from './wallet.ts'

/** One instance of the service as far as identity goes: its gateway over HTTP, its keys, and connections of its own. */
export interface Instance {
  url: string
  identity: Identity
  vault: Vault
  log: OpenGateway['log']
  /** Lines of the log that are not the gateway's. */
  warnings: string[]
  /** Asks from an address of its own, to avoid the rate limits. */
  get(path: string, headers?: Record<string, string>): Promise<Answered>
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<Answered>
  askNonce(wallet: TestWallet): Promise<string>
  /** Nonce, signature, token. */
  signIn(wallet: TestWallet, authType?: string): Promise<string>
}

export const TEST_CLIENT: OauthClient = {
  clientId: 'extension',
  redirectUris: ['https://abc.chromiumapp.example/callback'],
}

export const TEST_MASTER_KEY = randomBytes(32)

const newClient = () => ({ 'x-forwarded-for': `10.${randomBytes(3).join('.')}` })

export const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

/** Opens an instance on a database; closed when the test ends. Instances with the same master key share everything. */
export async function openInstance(
  database: Pick<TestDatabase, 'url'>,
  options: {
    config?: Record<string, unknown>
    masterKeys?: readonly [Buffer, ...Buffer[]]
    /** To the database, at most. */
    connections?: number
  } = {},
): Promise<Instance> {
  const { connections } = options
  const pool = await connectDatabase(
    database.url,
    connections === undefined ? {} : { maxPoolSize: connections },
  )
  onTestFinished(() => pool.end())
  const [newest, ...older] = options.masterKeys ?? [TEST_MASTER_KEY]
  const vault = createVault([createKeyWrapper(newest), ...older.map(createKeyWrapper)])
  const warnings: string[] = []
  const { identity, stop } = await openIdentity({
    database: pool,
    vault,
    config: identityConfig.parse(options.config ?? {}),
    clients: [TEST_CLIENT],
    logger: createLogger({ level: 'warn', destination: { write: (line) => void warnings.push(line) } }),
  })
  onTestFinished(stop)
  const { url, log } = await openGateway({ trustedProxies: 1 }, { identity })
  const instance: Instance = {
    url,
    identity,
    vault,
    log,
    warnings,
    get: (path, headers) => call(url + path, { headers: { ...newClient(), ...headers } }),
    post: (path, body, headers) => post(url + path, body, { ...newClient(), ...headers }),
    askNonce: async (wallet) =>
      JSON.parse((await instance.get(`/v1/nonce?address=${wallet.address}`)).text) as string,
    async signIn(wallet, authType) {
      const message = wallet.writeMessage(await instance.askNonce(wallet))
      const body = { message, signature: await wallet.sign(message), ...(authType && { authType }) }
      const answer = await instance.post('/v1/verify', body)
      if (answer.status !== 200) throw new Error(`verify answered ${answer.status}: ${answer.text}`)
      return String(answer.json?.['token'])
    },
  }
  return instance
}

/** An account with sealed keys, as its creation leaves it. */
export async function addAccount(database: TestDatabase, vault: Vault, wallet: TestWallet): Promise<string> {
  const id = randomUUID()
  const { P_spend, P_view, child_p_view } = wallet.material
  const secret = encodeStoredKeys({
    childViewKey: child_p_view,
    spendPublicKey: P_spend,
    viewPublicKey: P_view,
  })
  await insertAccount(database.pool, {
    id,
    authAddress: wallet.address,
    sealedKeys: await vault.seal(id, secret),
    experimentId: null,
    experimentKey: null,
    variantKey: null,
  })
  return id
}

/** Rows as they come, for tests that look into the database. */
export const sealedRow = z.object({ bytes: z.instanceof(Buffer), masterKeyId: z.string() })

export const textRow = z.object({ text: z.string() })

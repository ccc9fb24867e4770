import { parseEther, type Address } from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { openClient, type Client } from '../../../../../schema/client/account/open-client.ts'
import type { Quote } from '../../../../../schema/client/quotes/send.ts'
import { openPayer, waitUntilIndexed } from '../../../../harness/chain-actors.ts'
import { startSendingService } from '../../quotes/start-sending-service.ts'

export const ORIGIN = 'https://app.example'
export const BLOCKED = 'https://blocked.example'

interface AppAddress {
  address: Address
  nonce: number
  isNew: boolean
  app: Record<string, unknown>
}

export const somebody = () => privateKeyToAddress(generatePrivateKey())

export type AppWorld = Awaited<ReturnType<typeof startAppWorld>>

/** A service, and clients whose users are asked by apps. Ten clients a minute can sign in. */
export async function startAppWorld(
  screened: readonly Address[] = [],
  settings: Record<string, unknown> = {},
) {
  const service = await startSendingService({
    ...settings,
    apps: { recognised: [{ origin: ORIGIN, displayName: 'The App' }], blocked: [BLOCKED] },
    screening: { mode: 'oracle', addresses: screened, cacheMs: 0 },
  })
  const payer = await openPayer(service, 7)

  const open = () =>
    openClient({ url: service.url, spendKey: generatePrivateKey(), viewKey: generatePrivateKey() })
  const connect = (owner: Client, origin: string) =>
    owner.ask<AppAddress>('POST', `/v1/accounts/${owner.accountId}/dapp-addresses`, { origin })

  return {
    service,
    payer,
    token: payer.chain.tokens[0]!.address,
    open,
    connect,
    /** A client that an app knows by an address with coins. */
    async openConnected(origin: string, amount = parseEther('1')) {
      const owner = await open()
      const { address } = await connect(owner, origin)
      await payer.payNative(address, amount)
      await waitUntilIndexed(service, payer)
      return { owner, address }
    },
    /** A quote for one payment of 1 wei, or the calls among the changes. */
    ask: (owner: Client, connectedAddress: Address, changes: Record<string, unknown> = {}) =>
      owner.ask<Quote>('POST', `/v1/accounts/${owner.accountId}/quote`, {
        type: 'dapp_call',
        chainId: payer.chain.chainId,
        origin: ORIGIN,
        connectedAddress,
        calls: [{ to: somebody(), value: '1' }],
        ...changes,
      }),
  }
}

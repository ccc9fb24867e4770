import { getAddress, parseEther, type Address } from 'viem'
import { readDescription } from '../../devnet/devnet-description.ts'
import { openNewClient, type Client } from '../../../schema/client/account/open-client.ts'
import { openPayer, waitUntilIndexed, type Payer } from '../../harness/chain-actors.ts'
import { countRpc, type RpcCounter } from '../../harness/count-rpc.ts'
import { startTestService, type TestService } from '../../harness/start-service.ts'
import { startTestDevnet } from '../../harness/start-test-devnet.ts'

/** An account with addresses on two chains. */
export interface Holder {
  client: Client
  headers: Record<string, string>
  /** On the first chain three have ten tokens each, and two have five coins each. */
  tokens: Address[]
  coins: Address[]
  /** Has a collectible each. */
  collectibles: Address[]
  /** All of them. */
  addresses: Address[]
}

export interface NodeWorld extends AsyncDisposable {
  service: TestService
  payers: readonly [Payer, Payer]
  /** Two nodes of each chain; those of one chain stand together. */
  nodes: readonly (readonly [RpcCounter, RpcCounter])[]
  token: Address
  wrapped: Address
  openHolder(): Promise<Holder>
}

/** The whole service with two chains of two recording nodes each, and an oracle that screens addresses. */
export async function startNodeWorld(settings: Record<string, unknown> = {}): Promise<NodeWorld> {
  const world = await startTestDevnet({ chainIds: [31_337, 31_338] })
  const nodes = await Promise.all(
    world.devnet.chains.map(({ rpcUrls: [url = ''] }) => Promise.all([countRpc(url), countRpc(url)])),
  )
  const asText = (_: string, value: unknown) => (typeof value === 'bigint' ? value.toString() : value)
  const chains = JSON.parse(JSON.stringify(world.devnet.chains, asText)) as object[]
  const { chains: described } = await readDescription(world.dataDir)
  const service = await startTestService({
    chains: chains.map((chain, place) => ({ ...chain, rpcUrls: nodes[place]!.map(({ url }) => url) })),
    screening: { mode: 'oracle' },
    collectibles: [{ chainId: 31_337, contract: described[0]!.collectible }],
    http: { trustedProxies: 1 },
    feeWaivers: { waiverDays: 0 },
    ...settings,
  })
  const home = { ...service, dataDir: world.dataDir }
  const payers = [await openPayer(home, 5, 0), await openPayer(home, 5, 1)] as const
  const token = payers[0].chain.tokens[1]!.address
  const [, there] = payers[1].chain.tokens
  let holders = 0
  let collectibles = 0n

  async function openHolder(): Promise<Holder> {
    holders += 1
    const headers = { 'x-forwarded-for': `10.7.${holders}.1` }
    const client = await openNewClient({ url: service.url, headers })
    const addresses: Address[] = []
    for (let count = 0; count < 6; count += 1) addresses.push(getAddress((await client.receive()).address))
    const [tokens, coins] = [addresses.slice(0, 3), addresses.slice(3, 5)]
    const received = [coins[1]!, addresses[5]!]
    for (const address of tokens) await payers[0].payToken(token, address, parseEther('10'))
    for (const address of coins) await payers[0].payNative(address, parseEther('5'))
    for (const address of tokens.slice(0, 2))
      await payers[1].payToken(there!.address, address, parseEther('10'))
    for (const address of received)
      await payers[0].mintCollectible(payers[0].chain.collectible, address, (collectibles += 1n))
    return { client, headers, tokens, coins, collectibles: received, addresses }
  }

  return {
    service,
    payers,
    nodes: nodes as unknown as NodeWorld['nodes'],
    token,
    wrapped: payers[0].chain.wrappedNative,
    openHolder,
    async [Symbol.asyncDispose]() {
      await service.stop()
      for (const node of nodes.flat()) await node.close()
      await world[Symbol.asyncDispose]()
    },
  }
}

/** Waits until both chains are indexed. */
export const untilIndexed = async ({ service, payers }: Pick<NodeWorld, 'service' | 'payers'>) => {
  for (const payer of payers) await waitUntilIndexed(service, payer)
}

import { setTimeout as sleep } from 'node:timers/promises'
import { parseEther, type Address } from 'viem'
import { operations } from '../../../schema/features.ts'
import { openNewClient, type Client } from '../../../schema/client/account/open-client.ts'
import { send } from '../../../schema/client/quotes/send.ts'
import { knownOf } from '../../e2e/examples/demo/known-of.ts'
import { askSample } from '../../harness/ask-sample.ts'
import { openPayer, type Payer } from '../../harness/chain-actors.ts'
import { post, relayBody, untilFinal } from '../../harness/relay-requests.ts'
import type { TestService } from '../../harness/start-service.ts'
import { loadRelayVectors } from '../../vectors/load-relay-vectors.ts'

const RELAYS = 12
const SENDS = 4
const PATIENCE_MS = 300_000

/**
 * Uses a service as its clients do: two accounts are paid, send, relay, and read all they can, and the operator looks on.
 *
 * @param passes How often all is read. A statement has a name from its fourth run on, and may get a plan for all parameters
 * five runs later.
 */
export async function useService(service: TestService, passes: number): Promise<void> {
  const payer = await openPayer(service, 9)
  const client = await openNewClient({ url: service.url, chains: [knownOf(payer.chain)] })
  const other = await openNewClient({ url: service.url })
  const token = payer.chain.tokens[0]!.address
  const addresses = await receive(payer, client, token)
  const { address: destination } = await other.receive()
  await useRelayer(service)
  for (let place = 0; place < SENDS; place += 1)
    await send(client, {
      chainId: payer.chain.chainId,
      token,
      amount: 1_000_000n,
      destination,
      maxFee: 10_000_000n,
    })
  await quoteAndUnlock(client, payer.chain.chainId, token, destination)
  const known = {
    accountId: client.accountId,
    chainId: payer.chain.chainId,
    token,
    address: token,
    assetAddress: payer.chain.pools[0]!.asset,
    destinationAddress: destination,
    name: 'somebody',
    selector: '0xa9059cbb',
    selectors: ['0xa9059cbb'],
    addresses,
    purpose: 'send',
  }
  for (let pass = 0; pass < passes; pass += 1) {
    for (const operation of operations)
      if (operation.kind === 'query') await askSample(service.url, operation, { client, known })
    for (const page of ['/status.json', '/metrics', '/health/ready', '/'])
      await fetch(`${service.operatorUrl}${page}`)
  }
}

async function receive(payer: Payer, client: Client, token: Address): Promise<Address[]> {
  const addresses: Address[] = []
  for (let place = 0; place < 4; place += 1) {
    const { address } = await client.receive()
    addresses.push(address)
    await payer.payToken(token, address, 50_000_000n)
    if (place === 0) await payer.payNative(address, parseEther('1'))
  }
  const deadline = Date.now() + PATIENCE_MS
  for (;;) {
    const funded = await client.ask<{ addresses: unknown[] }>(
      'GET',
      `/v1/accounts/${client.accountId}/funded-addresses`,
    )
    if (funded.addresses.length === addresses.length) return addresses
    if (Date.now() > deadline) throw new Error('the service does not see what was paid')
    await sleep(100)
  }
}

async function useRelayer({ url }: TestService): Promise<void> {
  const ids: string[] = []
  for (const vector of loadRelayVectors().relays.slice(0, RELAYS)) {
    const { chainId, asset, recipient, amount } = vector
    await post(url, '/relayer/quote', { chainId, asset, recipient, amount: String(amount), extraGas: false })
    const { body } = await post(url, '/relayer/request', await relayBody(vector))
    if (body['success'] !== true) throw new Error(`a relay was refused: ${JSON.stringify(body)}`)
    ids.push(String(body['requestId']))
  }
  for (const id of ids) await untilFinal(url, id, PATIENCE_MS)
}

async function quoteAndUnlock(
  client: Client,
  chainId: number,
  token: Address,
  destinationAddress: Address,
): Promise<void> {
  const home = `/v1/accounts/${client.accountId}`
  const body = { type: 'send', chainId, token, amount: '1000000', destinationAddress }
  const { quoteId } = await client.ask<{ quoteId: string }>('POST', `${home}/quote`, body)
  await client.ask('POST', `${home}/unlock`, { quoteId })
}

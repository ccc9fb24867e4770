import { zeroAddress, type Address } from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { startProver } from '../devnet/wallet/prover.ts'
import { openPayer, waitUntilIndexed } from '../harness/chain-actors.ts'
import { startSendingService } from '../relayer/transact/quotes/start-sending-service.ts'
import { openClient, type Client } from '../../schema/client/account/open-client.ts'
import { notePhrase } from '../../schema/client/pool/note-secrets.ts'
import { createPoolView, type PoolView } from '../../schema/client/pool/pool-state.ts'
import { readPool } from '../../schema/client/pool/read-pool.ts'
import { knownOf } from './examples/demo/known-of.ts'

/** An address that nobody used. */
export const somebody = () => privateKeyToAddress(generatePrivateKey())

/** A wallet with coins or tokens at one address, and its view of the pool. */
export interface PoolWallet {
  client: Client
  view: PoolView
  address: Address
  mnemonic: string
}

/** A service with pools and an ASP, a payer, and a prover for wallets. */
export async function openPoolWorld() {
  const service = await startSendingService({
    devnet: { ports: [0, 0], asp: true, aspDelaySeconds: 0, chainIds: [31_337] },
    transact: { submissions: { conversionSpacingMs: 0 } },
  })
  const payer = await openPayer(service, 3)
  const dollar = payer.chain.tokens.find(({ symbol }) => symbol === 'TUSD')!.address
  const prover = startProver()

  async function openWallet(token: Address, amount: bigint): Promise<PoolWallet> {
    const keys = { spendKey: generatePrivateKey(), viewKey: generatePrivateKey() }
    const client = await openClient({ url: service.url, ...keys, chains: [knownOf(payer.chain)] })
    const { mnemonic } = notePhrase(keys.spendKey, keys.viewKey)
    const pool = await readPool(payer.wallet.reader, { ...payer.chain, token })
    const { address } = await client.receive()
    await (token === zeroAddress ? payer.payNative(address, amount) : payer.payToken(token, address, amount))
    await waitUntilIndexed(service, payer)
    return { client, view: createPoolView(client, pool, payer.wallet.reader), address, mnemonic }
  }

  const stop = async () => {
    await prover.close()
    await service.stop()
  }
  return { service, payer, prover, dollar, openWallet, stop }
}

export type PoolWorld = Awaited<ReturnType<typeof openPoolWorld>>

interface Commitments {
  commitments: {
    id: string
    commitment: string
    label: string
    value: string
    withdrawalIndex: number
    aspStatus: string
    known: string
  }[]
}

/** The notes of a pool that the service knows of an account. */
export const listTold = (client: Client, { pool }: PoolView) =>
  client.ask<Commitments>(
    'GET',
    `/v1/accounts/${client.accountId}/pool/commitments?chainId=${pool.chainId}&token=${pool.token}`,
  )

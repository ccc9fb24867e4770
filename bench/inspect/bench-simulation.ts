import { join } from 'node:path'
import { concatHex, encodeFunctionData, erc20Abi, numberToHex, size, type Address, type Hex } from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import type { DescribedChain } from '../../test/devnet/devnet-description.ts'
import { connectWallet } from '../../test/devnet/wallet/connect-wallet.ts'
import { openNewClient, type Client } from '../../schema/client/account/open-client.ts'
import { readPostgresCpu } from '../measure/read-postgres-cpu.ts'
import type { UnratedRow } from '../measure/row.ts'
import { percentiles } from '../measure/statistics.ts'
import { readOwnCpu, summarize, takeSample, type Sample } from '../measure/take-sample.ts'
import { readServiceCpu } from '../service/read-metrics.ts'
import { startOwnService, type OwnService } from '../service/start-own-service.ts'
import type { Settings } from '../settings.ts'
import { openFundedClient } from '../transact/funded-accounts.ts'

/** Of one account in one round: it may simulate sixty times a minute. */
const SIMULATIONS = 30
const BOMBS = 20
/** Turns of a loop of 26 gas: just the most that our EVM runs. */
const TURNS = 36_000n
/** Counts down from the word that it is called with. */
const LOOP: Hex = '0x5f355b600190038060025700'
const DEVNET = { DEVNET_CHAIN_IDS: '31337', DEVNET_PORTS: '0', ASP_DELAY_SECONDS: '3600' }

/** A token's transfer as `simulate` shows it, on an idle service and beside another account's loops. */
export async function benchSimulation(settings: Settings): Promise<UnratedRow[]> {
  settings.tell('simulations: starting the service')
  const service = await startOwnService({ http: { trustedProxies: 1 } }, DEVNET)
  const token = service.chain.tokens[0]?.address
  if (!token) throw new Error('the devnet has no token')
  const ofService = readServiceCpu(service.url)
  const readCpu = async () =>
    (await ofService())! + readPostgresCpu(join(service.dataDir, 'postgres', 'cluster'))
  const samples = { plain: [] as Sample[], calm: [] as Sample[], besideBombs: [] as Sample[] }
  const latencies: number[] = []
  try {
    const loop = await deployLoop(service.chain)
    for (let round = -1; round < settings.rounds; round += 1) {
      settings.tell(round < 0 ? 'warm-up' : `round ${round + 1} of ${settings.rounds}`)
      const client = await openFundedClient(service.url, service.chain, token, 1)
      const { address: from } = await firstFunded(client)
      const told: number[] = []
      const run = () => simulateMany(client, service, { from, token }, told)
      const plain = await takeSample(readOwnCpu, SIMULATIONS, () =>
        askNodePlainly(service.chain, from, token),
      )
      const calm = await takeSample(readCpu, SIMULATIONS, run)
      told.length = 0
      const bomber = await openBomber(service, loop)
      const bombs = bomber.start()
      const besideBombs = await takeSample(readCpu, SIMULATIONS, run)
      await bombs
      if (round < 0) continue
      samples.plain.push(plain)
      samples.calm.push(calm)
      samples.besideBombs.push(besideBombs)
      latencies.push(...told)
    }
  } finally {
    await service.stop()
  }
  const besideBombs = summarize(
    { name: 'inspect.simulateBesideBombs', baseline: 'inspect.simulate', compared: 'wall' },
    samples.besideBombs,
  )
  return [
    summarize({ name: 'inspect.plain', baseline: null, compared: 'cpu' }, samples.plain),
    summarize({ name: 'inspect.simulate', baseline: 'inspect.plain', compared: 'cpu' }, samples.calm),
    {
      ...besideBombs,
      latencyMs: percentiles(latencies),
      note: `while ${BOMBS} calls of another account loop; their CPU is counted too`,
    },
  ]
}

async function firstFunded(client: Client): Promise<{ address: Address }> {
  const { addresses } = await client.ask<{ addresses: { address: Address }[] }>(
    'GET',
    `/v1/accounts/${client.accountId}/funded-addresses`,
  )
  const [first] = addresses
  if (!first) throw new Error('the account holds nothing')
  return first
}

const somebody = () => privateKeyToAddress(generatePrivateKey())
const transfer = (to: Address) =>
  encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, 1n] })

/** Records the milliseconds of each simulation. */
async function simulateMany(
  client: Client,
  { chain }: OwnService,
  { from, token }: { from: Address; token: Address },
  told: number[],
): Promise<void> {
  for (let count = 0; count < SIMULATIONS; count += 1) {
    const started = performance.now()
    const call = { chainId: chain.chainId, from, to: token, data: transfer(somebody()) }
    const answer = await client.ask<{ success: boolean }>('POST', '/v1/simulate', call)
    told.push(performance.now() - started)
    if (!answer.success) throw new Error('a transfer would fail')
  }
}

/** The request of a wallet without the service: it asks a node whether the call would fail. */
async function askNodePlainly(chain: DescribedChain, from: Address, token: Address): Promise<void> {
  const account = chain.accounts[3]
  if (!account) throw new Error('the devnet has too few accounts')
  const { reader } = connectWallet(chain, account.privateKey)
  for (let count = 0; count < SIMULATIONS; count += 1)
    await reader.simulateContract({
      account: from,
      address: token,
      abi: erc20Abi,
      functionName: 'transfer',
      args: [somebody(), 1n],
    })
}

async function deployLoop(chain: DescribedChain): Promise<Address> {
  const account = chain.accounts[3]
  if (!account) throw new Error('the devnet has too few accounts')
  const { sender, reader } = connectWallet(chain, account.privateKey)
  const bytes = size(LOOP)
  // Stores the code in memory, at the end of a word, and returns it.
  const data = concatHex([
    '0x6b',
    LOOP,
    '0x5f52',
    '0x60',
    numberToHex(bytes, { size: 1 }),
    '0x60',
    numberToHex(32 - bytes, { size: 1 }),
    '0xf3',
  ])
  const hash = await sender.sendTransaction({ data })
  const { contractAddress } = await reader.waitForTransactionReceipt({ hash })
  if (!contractAddress) throw new Error('the loop was not deployed')
  return contractAddress
}

/** Calls that loop until our EVM gives up, all at once. */
async function openBomber({ url, chain }: OwnService, loop: Address) {
  const bomber = await openNewClient({ url })
  const call = { chainId: chain.chainId, from: somebody(), to: loop, data: numberToHex(TURNS, { size: 32 }) }
  return {
    start: () => Promise.all(Array.from({ length: BOMBS }, () => bomber.ask('POST', '/v1/simulate', call))),
  }
}

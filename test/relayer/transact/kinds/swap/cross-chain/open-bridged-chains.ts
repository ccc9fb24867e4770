import type { Address } from 'viem'
import type { ServiceConfig } from '../../../../../../gateway/config/config.ts'
import type { ChainConfig } from '../../../../../../relayer/chain/nodes/config.ts'
import { venuesConfig } from '../../../../../../relayer/chain/nodes/venues-config.ts'
import { openPayer, type Payer } from '../../../../../harness/chain-actors.ts'
import { patientSettings } from '../../../../../harness/patient-settings.ts'
import { openTestDatabase, type TestDatabase } from '../../../../../harness/open-test-database.ts'
import type { TestService } from '../../../../../harness/start-service.ts'
import { OWN_LIMITS } from '../../../../account/open-account.ts'
import { startTestDevnet } from '../../../../../harness/start-test-devnet.ts'
import {
  honestAnswer,
  startFeesServer,
  type FeesServer,
} from '../../../venues/bridge/across/start-fees-server.ts'
import { depositsIn, prepareFills, type AcrossOnChain, type DepositedRelay } from './fill-deposits.ts'

/** One of the two chains between which Across carries the coin and a dollar. */
export interface BridgedChain {
  chainId: number
  payer: Payer
  across: AcrossOnChain
  wrapped: Address
  /** Six decimals, carried. */
  dollar: Address
  /** Not carried: pools exchange it for the dollar. */
  euro: Address
}

/** Two chains with the real contracts, and the settings with which a service bridges between them. */
export interface BridgedChains {
  fees: FeesServer
  origin: BridgedChain
  destination: BridgedChain
  database: TestDatabase
  dataDir: string
  /** As in a configuration file, except that the chains are complete. */
  settings: Record<string, unknown> & Pick<ServiceConfig, 'chains'>
  /** The newest deposit with the origin's SpokePool. */
  findDeposit(): Promise<DepositedRelay>
  stop(): Promise<void>
}

/** Fees of a thousandth of the amount; every token has the limits of the dollar. */
export const feeOf = (amount: bigint) => amount / 1_000n

/** Settings that tests vary. */
export interface BridgedChainsOptions {
  /** Suffixes of calls; none by default. */
  attribution?: Record<string, unknown>
  /** For both chains; 0 by default. */
  confirmations?: number
  /** Further parts of the configuration. */
  settings?: Record<string, unknown>
  /** Changes to the chains as the service sees them. */
  connect?: (chain: ChainConfig, place: number) => ChainConfig | Promise<ChainConfig>
}

export async function openBridgedChains({
  attribution,
  confirmations,
  settings = {},
  connect = (chain) => chain,
}: BridgedChainsOptions = {}): Promise<BridgedChains> {
  const stops: (() => Promise<unknown>)[] = []
  const stop = async () => {
    for (const one of stops.toReversed()) await one()
  }
  try {
    const fees = await startFeesServer()
    stops.push(fees.stop)
    fees.answer = ({ searchParams }) => {
      const amount = BigInt(searchParams.get('amount') ?? 0)
      const limits = { minDeposit: '1000', maxDeposit: String(10n ** 21n) }
      const timestamp = String(Math.floor(Date.now() / 1_000) - 2)
      const total = String(feeOf(amount))
      const body = { ...honestAnswer, limits, timestamp, totalRelayFee: { total } }
      return { status: 200, body: JSON.stringify(body) }
    }
    const test = await startTestDevnet({ chainIds: [31_337, 31_338], ports: [0, 0] })
    stops.push(async () => test[Symbol.asyncDispose]())
    const bridged = await Promise.all(
      [0, 1].map(async (place): Promise<BridgedChain> => {
        const payer = await openPayer({ dataDir: test.dataDir } as TestService, 5, place)
        const { chainId, wrappedNative: wrapped, tokens } = payer.chain
        const [dollar, euro] = [tokens[0]!.address, tokens[1]!.address]
        const across = await prepareFills(payer, wrapped, [dollar])
        return { chainId, payer, across, wrapped, dollar, euro }
      }),
    )
    const [origin, destination] = [bridged[0]!, bridged[1]!]
    const database = await openTestDatabase()
    stops.push(() => database.drop())
    const connected = test.devnet.chains.map(async (chain, place) => {
      const { across, wrapped, dollar } = bridged[place]!
      const { spokePool, multicallHandler } = across
      const tokens = [
        { asset: 'ETH', token: wrapped },
        { asset: 'USD', token: dollar },
      ]
      const settingsOfAcross = { spokePool, multicallHandler, feesUrl: fees.url, timeoutMs: 5_000, tokens }
      const venues = venuesConfig.parse({ ...chain.venues, across: settingsOfAcross })
      return connect({ ...chain, venues, ...(confirmations !== undefined && { confirmations }) }, place)
    })
    const chains = await Promise.all(connected)
    return {
      fees,
      origin,
      destination,
      database,
      dataDir: test.dataDir,
      settings: {
        ...patientSettings({
          logLevel: process.env['TEST_LOG_LEVEL'] ?? 'silent',
          storage: { databaseUrl: database.url, dataDir: test.dataDir },
          proving: { threads: 1 },
          ...OWN_LIMITS,
          feeWaivers: { waiverDays: 0 },
          screening: { mode: 'oracle' },
          ...(attribution && { transact: { attribution } }),
          ...settings,
        }),
        chains,
      },
      async findDeposit() {
        const { reader } = origin.payer.wallet
        const logs = await reader.getLogs({ address: origin.across.spokePool, fromBlock: 0n })
        const deposit = depositsIn(logs, origin.chainId).at(-1)
        if (!deposit) throw new Error('nobody has deposited anything')
        return deposit
      },
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

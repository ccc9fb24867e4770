import { setTimeout as sleep } from 'node:timers/promises'
import { createPublicClient, http, type Address, type Hex } from 'viem'
import { z } from 'zod'
import { sql } from '../../../../db/connect-database.ts'
import { openPayer } from '../../../harness/chain-actors.ts'
import { askNode } from '../../../harness/ask-node.ts'
import { post, relayBody, type Answer } from '../../../harness/relay-requests.ts'
import { startTestService } from '../../../harness/start-service.ts'
import { loadRelayVectors } from '../../../vectors/load-relay-vectors.ts'
import { OWN_LIMITS } from '../../account/open-account.ts'
import { startTestDevnet } from '../../../harness/start-test-devnet.ts'
import { countLostGas } from './count-lost-gas.ts'
import { createBurners } from './create-burners.ts'

export type AttackWorld = Awaited<ReturnType<typeof startAttackWorld>>

/**
 * The whole service on a chain with the vectors' deposits, and contracts that burn gas at any address.
 * @param patienceMs Milliseconds that a step between two blocks delays the next one. The steps of a crowd follow each
 * other without a pause.
 */
export async function startAttackWorld(settings: { unpaidGasPerHour: number }, patienceMs = 1_000) {
  const devnet = await startTestDevnet({}, { hasVectorDeposits: true })
  const [chain] = devnet.devnet.chains
  const node = chain!.rpcUrls[0]!
  const vectors = loadRelayVectors()
  const asText = (_: string, value: unknown) => (typeof value === 'bigint' ? value.toString() : value)
  const described = JSON.parse(JSON.stringify(chain, asText)) as { relayer: object }
  const service = await startTestService({
    chains: [{ ...described, relayer: { ...described.relayer, ...settings } }],
    ...OWN_LIMITS,
    feeWaivers: { waiverDays: 0 },
    transact: { gasMeasureMs: 3_600_000 },
  })
  const at = { ...service, dataDir: devnet.dataDir }
  const payer = await openPayer(at, 5)
  const { pool } = service.database
  const burners = await createBurners(node)
  // Simulations of other kinds leave it at zero.
  await askNode(node, 'anvil_setCoinbase', '0x00000000000000000000000000000000c01bba5e')

  await askNode(node, 'evm_setAutomine', false)
  const blocks = mineSlowly(() => askNode(node, 'evm_mine'), patienceMs)

  const client = createPublicClient({ transport: http(node) })

  const booked = () =>
    pool.oneFirst(sql.type(z.object({ gas: z.bigint() }))`select coalesce(sum(gas), 0) as gas from gas_lost`)

  return {
    service: at,
    payer,
    pool,
    node,
    chain: chain!,
    client,
    vectors,
    lostOnChain: () => countLostGas(chain!),
    /** Runs a step between two blocks, if it takes no longer than the patience. */
    betweenBlocks: blocks.between,
    /** Gas that the service has booked as lost. */
    booked,
    ...burners,
    disarm: (address: Address): Promise<Hex> => askNode(node, 'anvil_setCode', address, '0x'),
    bodyOf: (index: number) => relayBody(vectors.relays[index]!),
    async relay(index: number, terms: Parameters<typeof relayBody>[1] = {}): Promise<Answer> {
      return post(service.url, '/relayer/request', await relayBody(vectors.relays[index]!, terms))
    },
    async stop() {
      await blocks.stop()
      await service.stop()
      await devnet[Symbol.asyncDispose]()
    },
  }
}

const PAUSE_MS = 100

/** Makes several blocks per second, except while a step runs between a simulation and its block. */
function mineSlowly(mine: () => Promise<unknown>, patienceMs: number) {
  const state = { isOver: false, holders: 0 }
  const ended = (async () => {
    while (!state.isOver) {
      const patience = Date.now() + patienceMs
      do await sleep(PAUSE_MS)
      while (state.holders > 0 && Date.now() < patience && !state.isOver)
      await mine()
    }
  })()
  return {
    async between<Result>(work: () => Promise<Result>): Promise<Result> {
      state.holders += 1
      try {
        return await work()
      } finally {
        state.holders -= 1
      }
    },
    async stop() {
      state.isOver = true
      await ended
    },
  }
}

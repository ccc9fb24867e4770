import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readDescription, type DescribedChain } from '../devnet/devnet-description.ts'
import { askNode } from './ask-node.ts'
import { controlBlocks } from './control-blocks.ts'
import { resumeServiceChains } from './resume-service-chains.ts'
import { createServiceProcess } from './service-process.ts'

/** Its clock is the real one: intents expire by the chain's clock. */
const DEVNET = { DEVNET_CHAIN_IDS: '31337', DEVNET_PORTS: '0' }
/**
 * The leases of a killed service end soon. Without ASP, buyers and market, deposits stay unreviewed and prices stand
 * still.
 */
const SETTINGS = { broadcast: { leaseMs: 2_000 }, devnet: { asp: false, cash: false, market: false } }

/** A service in a process of its own, to be killed and started again with its folder. */
export async function startKillableService() {
  const dataDir = await mkdtemp(join(tmpdir(), 'killable-'))
  const config = join(dataDir, 'config.json')
  await writeFile(config, JSON.stringify(SETTINGS))
  const service = await createServiceProcess({ DATA_DIR: dataDir, CONFIG: config, ...DEVNET })
  const stop = async () => {
    await service.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
  try {
    await resumeServiceChains(dataDir, { chainIds: [31_337] })
    await service.start()
  } catch (error) {
    await stop()
    throw error
  }
  /** Its addresses change with each start. */
  async function describe(): Promise<DescribedChain> {
    const [chain] = (await readDescription(dataDir)).chains
    if (!chain) throw new Error('the devnet has no chain')
    return chain
  }
  return {
    url: service.url,
    describe,
    async killAndStart() {
      await service.kill()
      await service.start()
    },
    /** No block takes the service's sends before it is gone, and the chain's queue goes with it. */
    async holdBlocks() {
      const { rpcUrl } = await describe()
      await controlBlocks((method, ...params) => askNode(rpcUrl, method, ...params)).hold()
    },
    stop,
  }
}

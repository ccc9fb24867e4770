import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import type { z } from 'zod'
import { devnetConfig } from '../../../relayer/devnet/config.ts'
import { readDescription, type DescribedChain } from '../../../relayer/devnet/devnet-description.ts'
import { startDevnet, type Devnet } from '../../../relayer/devnet/start-devnet.ts'
import { at } from '../../vectors/relay-story.ts'

export interface TestDevnet extends AsyncDisposable {
  devnet: Devnet
  dataDir: string
  /** The first chain as devnet.json shows it. */
  chain: DescribedChain
}

/** A devnet of one chain on free ports; in a folder of its own, which is removed, unless one is given. */
export async function openDevnet(
  settings: z.input<typeof devnetConfig> = {},
  folder?: string,
): Promise<TestDevnet> {
  const dataDir = folder ?? (await mkdtemp(join(tmpdir(), 'devnet-test-')))
  const config = devnetConfig.parse({ chainIds: [31_337], ports: [], aspDelaySeconds: 0, ...settings })
  const devnet = await startDevnet({ dataDir, config, logger: pino({ level: 'silent' }) })
  return {
    devnet,
    dataDir,
    chain: at((await readDescription(dataDir)).chains, 0),
    async [Symbol.asyncDispose]() {
      await devnet.stop()
      if (folder === undefined) await rm(dataDir, { recursive: true, force: true })
    },
  }
}

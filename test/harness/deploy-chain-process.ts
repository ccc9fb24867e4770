import { pino } from 'pino'
import { deriveAccounts } from '../devnet/accounts.ts'
import { loadContracts } from '../devnet/build/load-contracts.ts'
import { startChain } from '../devnet/start-chain.ts'
import { loadRelayVectors, replayVectorDeposits } from '../vectors/load-relay-vectors.ts'
import type { DeployedChain } from './deployed-chains.ts'
import { exitProcess } from '../../relayer/concurrency/run-contained.ts'

// Deploys a chain into the given folder and stops it, which writes its state: `deploy-chain-process.ts FOLDER CHAIN`.
const [folder = '', json = ''] = process.argv.slice(2)
const { chainId, genesisBlock, deterministic, hasVectorDeposits } = JSON.parse(json) as DeployedChain
const chain = await startChain({
  folder,
  settings: { chainId, genesisBlock, port: 0 },
  deterministic,
  blockTimeSeconds: 0,
  accounts: deriveAccounts(),
  loadBuild: () => loadContracts(),
  logger: pino({ level: 'warn' }),
})
try {
  const { entrypoint } = chain.addresses
  if (hasVectorDeposits)
    await replayVectorDeposits(loadRelayVectors(), { chainId, rpcUrls: [chain.rpcUrl], entrypoint })
} finally {
  await chain.stop()
}
exitProcess(0)

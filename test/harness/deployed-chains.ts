import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { runCli } from './run-cli.ts'

/** A chain with the devnet's contracts that tests resume instead of deploying them again. */
export interface DeployedChain {
  chainId: number
  genesisBlock: number
  deterministic: boolean
  /** Whether the deposits of the vectors are on it, and the ASP root that contains them. */
  hasVectorDeposits: boolean
}

/**
 * The state files of chains, each made when it is first asked for.
 * @param directory Holds the files; the caller removes it.
 * @returns A function that returns the path of a chain's state file. The file must not be changed.
 */
export function createDeployedChains(directory: string): (chain: DeployedChain) => Promise<string> {
  const files = new Map<string, Promise<string>>()
  return (chain) => {
    const name = [chain.chainId, chain.genesisBlock, chain.deterministic, chain.hasVectorDeposits].join('-')
    const file = files.get(name) ?? deploy(join(directory, name), chain)
    files.set(name, file)
    return file
  }
}

async function deploy(folder: string, chain: DeployedChain): Promise<string> {
  await mkdir(folder, { recursive: true })
  const { code, stderr } = await runCli(
    'test/harness/deploy-chain-process.ts',
    [folder, JSON.stringify(chain)],
    {},
  )
  if (code !== 0) throw new Error(`deploying it failed: ${stderr}`)
  return join(folder, 'state.json')
}

import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Abi, Hex } from 'viem'

/** A contract as its package ships it. */
export interface PublishedContract {
  abi: Abi
  bytecode: Hex
}

/** Contracts that are deployed as their authors published them, by the names of our deployment steps. */
export interface PublishedContracts {
  Orchestrator: PublishedContract
  IntentAccount: PublishedContract
  IntentAccountProxy: PublishedContract
  IntentSimulator: PublishedContract
  NameRegistry: PublishedContract
  NameResolver: PublishedContract
  OffchainResolver: PublishedContract
}

/** Reads what the packages ship: ABI and creation bytecode. Milliseconds; only a chain that lacks contracts needs it. */
export async function loadPublishedContracts(): Promise<PublishedContracts> {
  const [
    Orchestrator,
    IntentAccount,
    IntentAccountProxy,
    IntentSimulator,
    NameRegistry,
    NameResolver,
    OffchainResolver,
  ] = await Promise.all([
    importGenerated('Orchestrator'),
    importGenerated('IthacaAccount'),
    importGenerated('EIP7702Proxy'),
    importGenerated('Simulator'),
    readArtifact('@ensdomains/ens/build/contracts/ENSRegistry.json'),
    readArtifact('@ensdomains/resolver/build/contracts/PublicResolver.json'),
    readArtifact(
      '@ensdomains/offchain-resolver-contracts/artifacts/contracts/OffchainResolver.sol/OffchainResolver.json',
    ),
  ])
  return {
    Orchestrator,
    IntentAccount,
    IntentAccountProxy,
    IntentSimulator,
    NameRegistry,
    NameResolver,
    OffchainResolver,
  }
}

/** The package exports only its entry, so its generated files are read by their path beside it. */
async function importGenerated(name: string): Promise<PublishedContract> {
  const file = new URL(`./core/internal/_generated/contracts/${name}.js`, import.meta.resolve('porto'))
  const { abi, code } = (await import(file.href)) as { abi: Abi; code: Hex }
  return { abi, bytecode: code }
}

async function readArtifact(path: string): Promise<PublishedContract> {
  const { abi, bytecode } = JSON.parse(
    await readFile(fileURLToPath(import.meta.resolve(path)), 'utf8'),
  ) as PublishedContract
  return { abi, bytecode }
}

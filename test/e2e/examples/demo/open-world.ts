import { createPublicClient, http, type Address, type Hex } from 'viem'
import { deriveAccounts } from '../../../devnet/accounts.ts'
import {
  descriptionFile,
  readDescription,
  type DescribedChain,
  type DevnetDescription,
} from '../../../devnet/devnet-description.ts'
import { askService } from '../../../../schema/client/requests/ask-service.ts'
import type { KnownChain } from '../../../../schema/client/chain/known-chain.ts'
import { DemoError } from './demo-error.ts'
import { knownOf } from './known-of.ts'
import type { Terminal } from './terminal.ts'

/** The stage of the stories: a running service and the devnet that it serves. */
export interface DemoWorld {
  url: string
  /** The domain that people sign in at. */
  domain: string
  chain: DescribedChain
  /** The record of the chains that the wallets of the stories have. */
  chains: readonly KnownChain[]
  /** The chain to which the devnet's bridge leads, and who fills there; null without one. */
  bridge: { chain: DescribedChain; fillerUrl: string } | null
  /** Buyers of cash-outs, and the signer whose permission they need; null without buyers. */
  cash: { url: string; gatingService: Address } | null
  aspUrl: string
  /** Rich accounts of the devnet. */
  keys: { depositor: Hex; payer: Hex }
  terminal: Terminal
}

const AGAIN = 'run `npm run demo` again, with the same PORT, HOST and DATA_DIR if you set them'
/** An address to listen on is not always one to call. */
const CALLABLE_HOSTS: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '[::1]' }

/**
 * Finds the service and its devnet by the environment that the service was started with.
 * @throws DemoError that says what to do.
 */
export async function openWorld(env: NodeJS.ProcessEnv, terminal: Terminal): Promise<DemoWorld> {
  const { PORT = '4000', HOST = '127.0.0.1', DATA_DIR = '.data', SIGN_IN_DOMAINS = 'localhost:3000' } = env
  const url = `http://${CALLABLE_HOSTS[HOST] ?? HOST}:${PORT}`
  const { chains, asp, across, cash } = await loadDevnet(DATA_DIR)
  const [chain, other] = chains
  const [depositor, payer] = chain?.accounts ?? []
  if (!chain || !depositor || !payer)
    throw new DemoError(`${descriptionFile(DATA_DIR)} lacks a chain or accounts`)
  if (!asp) throw new DemoError('The devnet runs without an ASP: start the service with devnet.asp')
  await checkService(url, chain)
  await checkChain(chain)
  return {
    url,
    domain: (SIGN_IN_DOMAINS.split(',')[0] ?? '').trim().replace(/:\*$/, ''),
    chain,
    chains: chains.map(knownOf),
    bridge: other && across ? { chain: other, fillerUrl: across.url } : null,
    cash: cash && { url: cash.url, gatingService: deriveAccounts().curator.address },
    aspUrl: asp.url,
    keys: { depositor: depositor.privateKey, payer: payer.privateKey },
    terminal,
  }
}

async function loadDevnet(dataDir: string): Promise<DevnetDescription> {
  return readDescription(dataDir).catch((cause: unknown) => {
    throw new DemoError(
      `There is no devnet in ${descriptionFile(dataDir)}. Start the service with \`npm start\` and no chains ` +
        `configured, and ${AGAIN}.`,
      { cause },
    )
  })
}

async function checkService(url: string, { chainId }: DescribedChain): Promise<void> {
  const chains = await askService<{ chainId: number }[]>(url, 'GET', '/v1/supported-chains').catch(
    (cause: unknown) => {
      throw new DemoError(
        `Nothing that knows its chains answers at ${url}. Start the service with \`npm start\` in another terminal, ` +
          `wait until it says what to try next, and ${AGAIN}.`,
        { cause },
      )
    },
  )
  if (!chains.some((served) => served.chainId === chainId))
    throw new DemoError(
      `The service at ${url} serves the chains ${chains.map((served) => served.chainId).join(', ')} and not the devnet ` +
        `(${chainId}). The demo spends worthless money only: start a service without CONFIG, and ${AGAIN}.`,
    )
}

/** A description stays behind when its service has stopped. */
async function checkChain({ chainId, rpcUrl, entrypoint }: DescribedChain): Promise<void> {
  const reader = createPublicClient({ transport: http(rpcUrl, { retryCount: 0 }) })
  const found = await Promise.all([reader.getChainId(), reader.getCode({ address: entrypoint })]).catch(
    () => null,
  )
  if (found?.[0] !== chainId || !found[1])
    throw new DemoError(
      `At ${rpcUrl} is no devnet ${chainId}: DATA_DIR belongs to a service that does not run. Start it with ` +
        `\`npm start\`, and ${AGAIN}.`,
    )
}

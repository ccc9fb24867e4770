import { parseEther } from 'viem'
import {
  createAppProvider,
  type AppEvent,
  type AppProviderOptions,
  type AppRequest,
} from '../../schema/client/provider/app-provider.ts'
import { openNewClient, type Client } from '../../schema/client/account/open-client.ts'
import type { Payer } from './chain-actors.ts'
import type { TestService } from './start-service.ts'

/** A wallet whose user is the test. */
export interface AppWallet {
  client: Client
  /** Questions to the user, in order. */
  asked: AppRequest[]
  /** The wallet's requests to the service, as `POST /v1/…`. */
  sent: string[]
  /** Whether the user agrees. */
  agrees: boolean
  createProvider(
    origin: string,
    notify?: (event: AppEvent, detail: unknown) => void,
    changes?: Partial<Pick<AppProviderOptions, 'client' | 'chains' | 'maxFee'>>,
  ): ReturnType<typeof createAppProvider>
}

/** Opens the wallet of a new account. */
export async function openAppWallet(service: TestService, { chain }: Payer): Promise<AppWallet> {
  const { chainId, rpcUrl, intents } = chain
  const opened = await openNewClient({ url: service.url })
  const sent: string[] = []
  const client: Client = {
    ...opened,
    ask(method, path, ...rest) {
      sent.push(`${method} ${path}`)
      return opened.ask(method, path, ...rest)
    },
  }
  const wallet: AppWallet = {
    client,
    asked: [],
    sent,
    agrees: true,
    createProvider: (origin, notify = () => {}, changes = {}) =>
      createAppProvider({
        client,
        origin,
        chains: [{ chainId, rpcUrl, orchestrator: intents.orchestrator, accountProxy: intents.accountProxy }],
        maxFee: parseEther('0.01'),
        async approve(request) {
          wallet.asked.push(request)
          return wallet.agrees
        },
        notify,
        ...changes,
      }),
  }
  return wallet
}

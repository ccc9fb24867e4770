// The script of a page in tests, as an app would write it: viem over the provider that a wallet announces (EIP-6963).
import {
  BaseError,
  createWalletClient,
  custom,
  defineChain,
  hexToNumber,
  type Address,
  type EIP1193Provider,
  type Hex,
  type TypedDataDefinition,
} from 'viem'

export interface PageCall {
  to: Address
  value?: bigint
  data?: Hex
}

/** A refusal, with the code that the provider gave it. */
export interface Refusal {
  code: number
  message: string
}

const page = globalThis as unknown as EventTarget
const found = Promise.withResolvers<{ name: string; provider: EIP1193Provider }>()
page.addEventListener('eip6963:announceProvider', (event) => {
  const { info, provider } = (event as CustomEvent<{ info: { name: string }; provider: EIP1193Provider }>)
    .detail
  found.resolve({ name: info.name, provider })
})
page.dispatchEvent(new Event('eip6963:requestProvider'))
const { name, provider } = await found.promise

const events: [string, unknown][] = []
for (const event of ['connect', 'accountsChanged', 'chainChanged'] as const)
  provider.on(event, (detail: unknown) => events.push([event, detail]))

const chain = defineChain({
  id: hexToNumber(await provider.request({ method: 'eth_chainId' })),
  name: 'Devnet',
  nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
  rpcUrls: { default: { http: [] } },
})
const wallet = createWalletClient({
  chain,
  transport: custom(provider, { retryCount: 0 }),
  pollingInterval: 100,
})
/** The address that the wallet showed; every request is made in its name. */
let account: Address

/** Actions of the page on the tests' demand. */
export const app = {
  read: () => ({ name, events }),
  async connect(): Promise<Address[]> {
    const addresses = await wallet.requestAddresses()
    if (addresses[0]) account = addresses[0]
    return addresses
  },
  getCapabilities: () => wallet.getCapabilities({ account }),
  sendCalls: (calls: readonly PageCall[], id?: string) =>
    wallet.sendCalls({ account, calls, forceAtomic: true, ...(id !== undefined && { id }) }),
  getCallsStatus: (id: string) => wallet.getCallsStatus({ id }),
  waitForCallsStatus: (id: string) => wallet.waitForCallsStatus({ id, timeout: 120_000 }),
  sendTransaction: (call: PageCall) => wallet.sendTransaction({ account, ...call }),
  signMessage: (message: string) => wallet.signMessage({ account, message }),
  signTypedData: (typedData: TypedDataDefinition) => wallet.signTypedData({ account, ...typedData }),
  /** As the page says it, without a library that mends it. */
  request: (method: string, params: readonly unknown[]) =>
    (provider as { request(asked: unknown): Promise<unknown> }).request({ method, params }),
}

export type App = typeof app

/** Runs one of them; errors as data, because an error that leaves a page retains its message alone. */
async function run(method: keyof App, args: readonly unknown[]): Promise<unknown> {
  try {
    return await (app[method] as (...args: readonly unknown[]) => unknown)(...args)
  } catch (error) {
    const hasCode = (one: unknown) => typeof (one as { code?: unknown }).code === 'number'
    const { code, message } = (error instanceof BaseError ? (error.walk(hasCode) ?? error) : error) as Refusal
    return { code, message }
  }
}

Object.assign(page, { run })

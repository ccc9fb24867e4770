import { parseUnits } from 'viem'
import {
  descriptionFile,
  readDescription,
  type DevnetDescription,
} from '../../../../relayer/devnet/devnet-description.ts'
import { startProver } from '../../../../relayer/devnet/wallet/prover.ts'
import { DemoError } from './demo-error.ts'
import { createRelayerClient } from './relayer-client.ts'
import { openTerminal } from './terminal.ts'
import { withdrawPrivately, type DemoContext } from './withdraw-privately.ts'

const { PORT = '4000', HOST = '127.0.0.1', DATA_DIR = '.data' } = process.env
const file = descriptionFile(DATA_DIR)
/** An address to listen on is not always one to call. */
const CALLABLE_HOSTS: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '[::1]' }

async function loadDevnet(): Promise<DevnetDescription> {
  return readDescription(DATA_DIR).catch((cause: unknown) => {
    throw new DemoError(
      `There is no devnet in ${file}. Start the service with \`npm start\` and no chains ` +
        'configured, and run `npm run demo` again, with the same PORT and DATA_DIR if you set them.',
      { cause },
    )
  })
}

async function runDemo(): Promise<void> {
  const terminal = openTerminal(process.stdout)
  const { chains, asp } = await loadDevnet()
  const [chain] = chains
  const [depositor] = chain?.accounts ?? []
  if (!chain || !depositor) throw new DemoError(`${file} names no chain or no account`)
  const relayer = createRelayerClient(`http://${CALLABLE_HOSTS[HOST] ?? HOST}:${PORT}`)
  const [native, token] = [chain.pools[0], chain.pools.find(({ decimals }) => decimals === 6)]
  if (!native || !token) throw new DemoError(`${file} lacks a native or a 6-decimals pool`)
  // Nothing is deposited before the service answers.
  await relayer.details({ chainId: chain.chainId, assetAddress: native.asset })

  const prover = startProver()
  const depositorKey = depositor.privateKey
  const context: DemoContext = { chain, aspUrl: asp.url, depositorKey, relayer, prover, terminal }
  try {
    await withdrawPrivately(context, native, {
      gross: parseUnits('1', native.decimals),
      withdrawn: parseUnits('0.5', native.decimals),
      extraGas: false,
    })
    await withdrawPrivately(context, token, {
      gross: parseUnits('1000', token.decimals),
      withdrawn: parseUnits('500', token.decimals),
      extraGas: true,
    })
  } finally {
    await prover.close()
  }
  terminal.heading('Both withdrawals are confirmed. The chain does not say which deposits they came from.\n')
}

try {
  await runDemo()
  process.exit(0)
} catch (error) {
  console.error(error instanceof DemoError ? `\n${error.message}` : error)
  process.exit(1)
}

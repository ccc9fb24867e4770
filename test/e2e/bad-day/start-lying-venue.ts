import { readFileSync } from 'node:fs'
import { parseEther, parseUnits, zeroAddress, type Address } from 'viem'
import type { Payer } from '../../harness/chain-actors.ts'
import { compileSolidity } from '../../harness/compile-solidity.ts'
import { startAggregator, type Lies } from '../../harness/start-aggregator.ts'

/** A venue that a chain's settings name, and that cheats as it likes. */
export interface LyingVenue {
  settings: { url: string; chain: string; router: Address }
  /** Takes the next lie. */
  change(): void
  close(): Promise<void>
}

const CHAIN = 'devnet'
const THIEF: Address = '0x00000000000000000000000000000000000bad01'

const LIES: readonly Lies[] = [
  {},
  { quoted: (honest) => 2n * honest },
  { deed: { give: 1n } },
  { deed: { take: parseUnits('1000', 6) } },
  { deed: { to: THIEF } },
  {},
  { deed: { does: 'exchangeInSimulation' } },
  { routerAddress: THIEF },
  { data: '0xdeadbeef' },
  { answer: { status: 500, body: '<html>' } },
  { isSilent: true },
]

/** Starts one that has test dollars and euros of the payer's chain. */
export async function startLyingVenue(payer: Payer): Promise<LyingVenue> {
  const source = readFileSync(new URL('../../harness/LyingRouter.sol', import.meta.url), 'utf8')
  const { LyingRouter } = compileSolidity(
    { 'input.sol': source },
    {
      evmVersion: 'cancun',
      optimizer: { enabled: true, runs: 200 },
      metadata: { appendCBOR: false, bytecodeHash: 'none' },
    },
  )
  const { sender, reader } = payer.wallet
  const hash = await sender.deployContract({ ...LyingRouter!, args: [] })
  const router = (await reader.waitForTransactionReceipt({ hash })).contractAddress!
  const [dollar, euro] = payer.chain.tokens.map(({ address }) => address)
  await payer.payToken(dollar!, router, parseUnits('100000', 6))
  await payer.payToken(euro!, router, parseEther('100000'))
  const aggregator = await startAggregator(CHAIN, router, (tokenIn, tokenOut) =>
    tokenIn === zeroAddress || tokenOut === zeroAddress ? null : [10n ** 12n, 1n],
  )
  let turn = 0
  return {
    settings: { url: aggregator.url, chain: CHAIN, router },
    change: () => void (aggregator.lies = LIES[turn++ % LIES.length]!),
    close: async () => aggregator[Symbol.asyncDispose](),
  }
}

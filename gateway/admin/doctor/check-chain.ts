import { decodeFunctionResult, encodeFunctionData, formatEther, type Hex } from 'viem'
import { addressOfPrivateKey } from '../../../proving/signing/address.ts'
import { entrypointAbi } from '../../../relayer/chain/contracts/privacy-pools.ts'
import { NATIVE_ASSET, type ChainConfig, type RelayingConfig } from '../../../relayer/chain/nodes/config.ts'
import { GAS_PRICE_ORACLE } from '../../../relayer/chain/nodes/extra-fees.ts'
import { isBurnAddress, listContractSettings } from '../../../relayer/chain/nodes/lost-addresses.ts'
import { type AskNode, callOf, codeAt, createAsk } from './ask-chain.ts'
import { openChart, type Chart, type ChartEntry } from './open-chart.ts'
import { checkSending } from './check-sending.ts'

/** Gas of a relay, rounded up: how long funds last is an estimate. */
const GAS_OF_A_RELAY = 600_000n
/** Relays that a signer should pay for. */
const ENOUGH = 20n

/**
 * Examines a chain through its first node that answers: the code at every address of the settings, the Entrypoint and its
 * pools, and the signers' funds. Empty where no node answers, which {@link checkNode} reports.
 */
export async function checkChain(config: ChainConfig): Promise<ChartEntry[]> {
  const { chainId, name, rpcUrls } = config
  const chart = openChart(`chain ${chainId} ${name}`)
  for (const url of rpcUrls) {
    const ask = createAsk(url)
    if (!(await ask([{ method: 'eth_chainId', params: [] }]).catch(() => null))) continue
    await checkContracts(config, ask, chart)
    if (config.sending) await checkSending(chainId, config.sending, ask, chart)
    const { relayer } = config
    if (relayer) {
      await checkPools({ ...config, relayer }, ask, chart)
      await checkSigners({ ...config, relayer }, ask, chart)
    }
    return chart.entries
  }
  return []
}

/** Ends the finding about a chain whose setting names fees that it does not have. */
export const NO_ORACLE = `has no contract at ${GAS_PRICE_ORACLE}, although \`l1Fee\` is \`op-stack\``

async function checkContracts(config: ChainConfig, ask: AskNode, chart: Chart): Promise<void> {
  if (config.l1Fee) {
    const [code] = await ask([codeAt(GAS_PRICE_ORACLE)])
    if (code === '0x') chart.error(NO_ORACLE, 'Remove `l1Fee`: only chains of the OP stack have such fees.')
  }
  const settings = [...listContractSettings(config)].filter(([address]) => !isBurnAddress(address))
  const codes = await ask(settings.map(([address]) => codeAt(address)))
  const missing = settings.filter((_, place) => codes[place] === '0x')
  for (const [address, setting] of missing)
    chart.error(
      `\`${setting}\` names ${address}, which has no code`,
      'Correct it, or deploy the contract first.',
    )
  if (missing.length === 0) chart.ok(`has code at all ${settings.length} addresses of the settings`)
}

async function checkPools({ relayer }: RelayingConfig, ask: AskNode, chart: Chart): Promise<void> {
  const { entrypoint, assets, asp } = relayer
  if (assets.length === 0) return
  if (!asp?.url)
    chart.warn(
      'has no `relayer.asp.url`',
      'Set it: without it deposits stay pending, and accounts get no state of the pools.',
    )
  for (const { asset, symbol } of assets) {
    const data = encodeFunctionData({ abi: entrypointAbi, functionName: 'assetConfig', args: [asset] })
    const [answer] = await ask([callOf(entrypoint, data)])
    if (typeof answer !== 'string' || answer === '0x') {
      chart.error(
        '`relayer.entrypoint` is no Entrypoint',
        'Put the proxy of the Entrypoint of Privacy Pools v1 there.',
      )
      return
    }
    if (isPool(answer as Hex)) chart.ok(`has a pool for ${symbol}`)
    else
      chart.error(
        `has no pool for ${symbol}${asset === NATIVE_ASSET ? '' : ` (${asset})`}`,
        'Remove it from `relayer.assets`, or correct `entrypoint`.',
      )
  }
}

function isPool(answer: Hex): boolean {
  const [pool] = decodeFunctionResult({ abi: entrypointAbi, functionName: 'assetConfig', data: answer })
  return BigInt(pool) !== 0n
}

async function checkSigners(
  { relayer, nativeSymbol }: RelayingConfig,
  ask: AskNode,
  chart: Chart,
): Promise<void> {
  const [price] = await ask([{ method: 'eth_gasPrice', params: [] }])
  if (typeof price !== 'string') return
  const wei = BigInt(price)
  if (wei > relayer.maxGasPrice)
    chart.error(
      `costs ${wei} wei a gas, more than \`relayer.maxGasPrice\``,
      'Raise it, or wait: nothing is sent above it.',
    )
  const signers = [...relayer.signerKeys, ...(relayer.relaySignerKeys ?? [])].map(addressOfPrivateKey)
  const [balances, codes] = await Promise.all([
    ask(signers.map((address) => ({ method: 'eth_getBalance', params: [address, 'latest'] }))),
    ask(signers.map(codeAt)),
  ])
  for (const [place, signer] of signers.entries()) {
    const balance = BigInt((balances[place] as string | null) ?? 0)
    const relays = balance / (GAS_OF_A_RELAY * (wei > 0n ? wei : 1n))
    const amount = `${formatEther(balance)} ${nativeSymbol}`
    if (codes[place] !== '0x')
      chart.error(
        `signer ${signer} has code`,
        'Use a key that never delegated (EIP-7702): its nonce may change by itself.',
      )
    else if (relays === 0n)
      chart.error(`signer ${signer} has ${amount}, less than one relay`, 'Send it native coin.')
    else if (relays < ENOUGH)
      chart.warn(`signer ${signer} has ${amount}, enough for ${relays} relays`, 'Send it native coin.')
    else
      chart.ok(
        `signer ${signer} has ${amount}, enough for ${relays > 1_000n ? 'more than 1000' : relays} relays`,
      )
  }
}

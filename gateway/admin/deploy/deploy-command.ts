import { readFileSync, writeFileSync } from 'node:fs'
import { formatEther, formatGwei, isHex, type Hex } from 'viem'
import { privateKeyToAddress } from 'viem/accounts'
import { presetChainId } from '../../../relayer/chain/nodes/presets.ts'
import {
  AdminError,
  readYes,
  type GivenOptions,
  type SettingsCommand,
  type SettingsContext,
} from '../command.ts'
import {
  sendingAddressesOf,
  createContracts,
  estimateContracts,
  verifyContracts,
  type DeploymentChain,
  type Estimate,
} from './create-contracts.ts'
import { planContracts, type ContractPlan, type ResolverArguments } from './plan-contracts.ts'

/** Creates the contracts that a chain needs before accounts can send there. */
export const deployCommand: SettingsCommand = {
  name: 'deploy',
  usage: '<chainId> [--rpc <url>] [--resolver <https://…>] [--send yes] [--write yes]',
  help:
    'create the contracts for sending, and with --resolver that of names; without --send it shows them and the cost. ' +
    'DEPLOY_KEY pays. --write puts the addresses into the file of CONFIG',
  words: { least: 1, most: 1 },
  options: {
    rpc: { type: 'string' },
    resolver: { type: 'string' },
    send: { type: 'string', default: 'no' },
    write: { type: 'string', default: 'no' },
  },
  usesDatabase: false,
  async run(context, [text = ''], options) {
    const { env, print } = context
    const chain = readChain(context, text, options['rpc'])
    const [isMeant, isWritten] = [readYes('send', options), readYes('write', options)]
    const key = readKey(env['DEPLOY_KEY'])
    if (isMeant && !key) throw new AdminError('DEPLOY_KEY is missing: set it to the private key that pays')
    const plan = planContracts(readResolver(context, options))
    const estimate = await estimateContracts(chain, plan)
    for (const line of describe(chain, estimate)) print(line)
    if (key) print(`${privateKeyToAddress(key)} pays`)
    if (estimate.gas > 0n && !isMeant) {
      print('Nothing was sent. `--send yes` creates them')
      return
    }
    if (key) await createContracts(chain, estimate, key, print)
    await verifyContracts(chain, plan)
    print('All contracts are there, by every node. Their part of the settings:')
    print(JSON.stringify({ chainId: chain.chainId, ...settingsOf(plan) }, null, 2))
    if (isWritten) writeSettings(context, chain.chainId, plan)
  },
}

function readChain({ config }: SettingsContext, text: string, rpc: string | undefined): DeploymentChain {
  const chainId = /^[1-9]\d{0,14}$/.test(text) ? Number(text) : NaN
  if (Number.isNaN(chainId)) throw new AdminError(`${text} is no chainId`)
  if (rpc !== undefined && !/^https?:$/.test(URL.parse(rpc)?.protocol ?? ''))
    throw new AdminError('--rpc: expected the address of a node, https://…')
  const known = config.chains.find((chain) => chain.chainId === chainId)
  const rpcUrls = rpc === undefined ? known?.rpcUrls : [rpc]
  if (!rpcUrls) throw new AdminError(`The configuration has no chain ${chainId}: add it, or give --rpc <url>`)
  const { maxGasPrice, minTip } = known?.relayer ?? {}
  return {
    chainId,
    rpcUrls,
    nativeSymbol: known?.nativeSymbol ?? 'coins',
    ...(known?.l1Fee && { l1Fee: known.l1Fee }),
    ...(maxGasPrice !== undefined && { maxGasPrice }),
    ...(minTip !== undefined && { minTip }),
  }
}

function readKey(text: string | undefined): Hex | null {
  if (text === undefined || text === '') return null
  const key = text.startsWith('0x') ? text : `0x${text}`
  if (isHex(key) && key.length === 66) return key
  throw new AdminError('DEPLOY_KEY is not a private key: write 64 hex digits')
}

function readResolver({ config }: SettingsContext, options: GivenOptions): ResolverArguments | null {
  const text = options['resolver']
  if (text === undefined) return null
  const url = URL.parse(text)
  if (url?.protocol !== 'https:' || url.href !== `${url.origin}/`)
    throw new AdminError('--resolver: expected the public address of the service, https://app.example')
  const { signerKey } = config.names
  if (!signerKey) throw new AdminError('--resolver needs `names.signerKey` in the configuration')
  return { origin: url.origin, signer: privateKeyToAddress(signerKey) }
}

function* describe({ chainId, nativeSymbol }: DeploymentChain, estimate: Estimate): Generator<string> {
  const { contracts, gas, gasPrice, l1Fee } = estimate
  yield `Contracts of chain ${chainId}:`
  for (const { name, address, gas: own, origin, codeHash } of contracts) {
    yield `  ${name.padEnd(16)} ${address}  ${own === null ? 'exists' : `to create, ${own} gas`}`
    yield `  ${' '.repeat(16)} ${origin}, code ${codeHash}`
  }
  if (gas === 0n) return
  const ofL1 = l1Fee > 0n ? `, ${formatEther(l1Fee)} of it for data` : ''
  yield `At most ${gas} gas, at ${formatGwei(gasPrice)} gwei ${formatEther(gas * gasPrice + l1Fee)} ${nativeSymbol}${ofL1}`
}

const settingsOf = (plan: ContractPlan) => ({
  sending: sendingAddressesOf(plan),
  venues: { outputGuard: plan.outputGuard.address },
})

/** Changes only the chain's own members; references to secrets stay references. */
function writeSettings({ env, print }: SettingsContext, chainId: number, plan: ContractPlan): void {
  const file = env['CONFIG']
  if (!file) throw new AdminError('CONFIG names no file: put the lines above into your settings')
  const settings = JSON.parse(readFileSync(file, 'utf8')) as { chains?: Record<string, unknown>[] }
  const chain = settings.chains?.find((one) => (one['chainId'] ?? presetChainId(one['preset'])) === chainId)
  if (!chain) throw new AdminError(`${file} has no chain ${chainId}: put the lines above into it`)
  if (!chain['relayer'])
    throw new AdminError(
      `${file} has no \`relayer\` for chain ${chainId}, whose signers pay: add it, and the lines above`,
    )
  const { sending, venues } = settingsOf(plan)
  Object.assign(chain, { sending, venues: { ...(chain['venues'] as object | undefined), ...venues } })
  writeFileSync(file, `${JSON.stringify(settings, null, 2)}\n`)
  print(`${file} has them now`)
}

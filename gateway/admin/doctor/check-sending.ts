import {
  decodeFunctionResult,
  encodeFunctionData,
  isAddressEqual,
  parseAbi,
  zeroAddress,
  type Address,
  type Hex,
} from 'viem'
import type { SendingConfig } from '../../../relayer/chain/nodes/config.ts'
import { type AskNode, callOf } from './ask-chain.ts'
import type { Chart } from './open-chart.ts'

/** Functions by which the contracts name themselves and each other. */
const abi = parseAbi([
  'function eip712Domain() view returns (bytes1 fields, string name, string version, uint256 chainId, address verifyingContract, bytes32 salt, uint256[] extensions)',
  'function ORCHESTRATOR() view returns (address)',
  'function implementation() view returns (address)',
  'function admin() view returns (address)',
])

type Getter = 'ORCHESTRATOR' | 'implementation' | 'admin'

/**
 * Checks that the contracts through which accounts send belong together. Orchestrator and account code must sign for this
 * chain, the code must trust the orchestrator, and the proxy must run that code for ever.
 */
export async function checkSending(
  chainId: number,
  { orchestrator, accountImplementation, accountProxy }: SendingConfig,
  ask: AskNode,
  chart: Chart,
): Promise<void> {
  const [ofOrchestrator, ofAccount, ofImplementation, proxied, admin] = await Promise.all([
    readDomain(ask, orchestrator),
    readDomain(ask, accountImplementation),
    readAddress(ask, accountImplementation, 'ORCHESTRATOR'),
    readAddress(ask, accountProxy, 'implementation'),
    readAddress(ask, accountProxy, 'admin'),
  ])
  const before = chart.entries.length
  if (ofOrchestrator?.chainId !== chainId || !isAddressEqual(ofOrchestrator.verifyingContract, orchestrator))
    chart.error('`sending.orchestrator` is no Orchestrator of this chain', ADVICE)
  if (ofAccount?.chainId !== chainId || !ofImplementation)
    chart.error("`sending.accountImplementation` is no account's code of this chain", ADVICE)
  else if (!isAddressEqual(ofImplementation, orchestrator))
    chart.error(
      `\`sending.accountImplementation\` trusts the orchestrator ${ofImplementation}, not \`sending.orchestrator\``,
      ADVICE,
    )
  if (!proxied) chart.error('`sending.accountProxy` is no proxy of accounts', ADVICE)
  else if (!isAddressEqual(proxied, accountImplementation))
    chart.error(
      `\`sending.accountProxy\` runs the code at ${proxied}, not \`sending.accountImplementation\``,
      ADVICE,
    )
  else if (!admin || !isAddressEqual(admin, zeroAddress))
    chart.error(
      `\`sending.accountProxy\` has the admin ${admin}, who can change the code of every account`,
      'Deploy a proxy without one: `npm run admin -- deploy`.',
    )
  if (chart.entries.length === before) chart.ok('has contracts for sending that belong together')
}

const ADVICE = 'Correct the address, or deploy the contracts: `npm run admin -- deploy`.'

async function read(
  ask: AskNode,
  address: Address,
  functionName: Getter | 'eip712Domain',
): Promise<Hex | null> {
  const [answer] = await ask([callOf(address, encodeFunctionData({ abi, functionName }))])
  return typeof answer === 'string' && answer !== '0x' ? (answer as Hex) : null
}

async function readAddress(ask: AskNode, address: Address, functionName: Getter): Promise<Address | null> {
  const data = await read(ask, address, functionName)
  try {
    return data && decodeFunctionResult({ abi, functionName, data })
  } catch {
    return null
  }
}

async function readDomain(ask: AskNode, address: Address) {
  const data = await read(ask, address, 'eip712Domain')
  try {
    if (!data) return null
    const [, , , chainId, verifyingContract] = decodeFunctionResult({
      abi,
      functionName: 'eip712Domain',
      data,
    })
    return { chainId: Number(chainId), verifyingContract }
  } catch {
    return null
  }
}

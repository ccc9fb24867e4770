import { publicQuery } from '../define/operation.ts'
import { z } from 'zod'
import { CAPABILITIES } from '../../relayer/chain/nodes/capabilities.ts'
import { chainId } from '../define/scalars.ts'
import { described, shape } from '../define/shape.ts'

const capability = described(
  z.enum(CAPABILITIES),
  [
    'receive: addresses, balances and activity.',
    'relay: withdrawals from privacy pools.',
    'send: quotes and submissions.',
    'pool_deposit: deposits into privacy pools.',
    'swap: exchanges of tokens.',
    'bridge: transfers to and from other chains that have it.',
    'cash_out: sales for money.',
    'names: names are resolved there.',
  ].join(' '),
  { id: 'ChainCapability' },
)

export const supportedChain = shape('SupportedChain', 'A chain that is served.', {
  name: described(z.string(), 'Name of the chain, as the operator configured it.'),
  chainId,
  isTestnet: described(z.boolean(), 'True for a chain whose coins are worth nothing.'),
  explorerUrl: described(
    z.string().nullable(),
    'URL of the chain’s block explorer; null for a chain without one.',
  ),
  explorerTxPath: described(z.string(), 'Goes between `explorerUrl` and a transaction hash.', {
    examples: ['/tx/'],
  }),
  mainnetChainId: described(
    chainId.nullable(),
    'Of a testnet: EIP-155 id of the chain that it stands for; else null.',
  ),
  logoBaseName: described(
    z.string().nullable(),
    'File name, without ending, of the client’s own picture of the chain; null without one.',
  ),
  isSquareLogo: described(z.boolean(), 'True when that picture fills a square.'),
  capabilities: described(
    z.array(capability),
    'The service’s functions on the chain; every chain has `receive`.',
  ),
})

export const chainOperations = [
  publicQuery({
    name: 'supportedChains',
    sharedSeconds: 300,
    rest: 'GET /v1/supported-chains',
    section: 'Catalogue',
    summary: 'Chains that are served',
    description: 'In the order of the configuration.',
    input: {},
    output: z.array(supportedChain),
    run: async (_, { services }) => services.supportedChains,
  }),
]

import { z } from 'zod'
import { CAPABILITIES } from '../../relayer/chain/nodes/capabilities.ts'
import { chainId } from '../define/wire-scalars.ts'

const capability = z.enum(CAPABILITIES).meta({
  id: 'ChainCapability',
  description:
    '`receive`: addresses, balances and activity, on every chain; `relay`: withdrawals from privacy pools; `send`: quotes ' +
    'and submissions; `names`: names are looked up there.',
})

export const supportedChain = z
  .object({
    name: z.string(),
    chainId,
    isTestnet: z.boolean(),
    explorerUrl: z.string().nullable().meta({ description: 'Null for a chain without an explorer.' }),
    explorerTxPath: z
      .string()
      .meta({ description: 'Goes between explorerUrl and a transaction hash.', examples: ['/tx/'] }),
    mainnetChainId: chainId.nullable().meta({ description: 'Of a testnet: the chain that it stands for.' }),
    logoBaseName: z.string().nullable(),
    isSquareLogo: z.boolean(),
    capabilities: z.array(capability).meta({ description: 'What the service does on the chain.' }),
  })
  .meta({ id: 'SupportedChain', description: 'A chain that is served.' })

import { z } from 'zod'
import { amount, chainId } from '../../define/wire-scalars.ts'

export const supportedPool = z
  .object({
    provider: z.string().meta({ examples: ['privacy-pools'] }),
    poolAddress: z.string(),
    chainId,
    chainName: z.string(),
    token: z.string().meta({ description: 'The zero address is the native coin.' }),
    tokenSymbol: z.string(),
    decimals: z.int(),
    logoUrl: z.string().nullable(),
    minDeposit: amount,
    maxDeposit: amount,
    totalBalance: amount.meta({ description: 'What the pool holds.' }),
    scope: z.string().meta({ description: 'keccak256(pool, chainId, asset) mod Fr, in decimal digits.' }),
    asp: z
      .object({ name: z.string(), policyUrl: z.string().nullable() })
      .meta({ id: 'AssociationSetProvider', description: 'Who approves deposits.' }),
    maxRelayFeeBPS: z.number(),
    withdrawalFeePerProofWei: z
      .string()
      .meta({ description: 'What relaying one proof costs at today’s gas, in wei.' }),
  })
  .meta({ id: 'SupportedPool', description: 'A pool that is served.' })

const ELASTICITY = 2n
const MAX_CHANGE = 8n

/**
 * Base fee of the block after this one by the rule of EIP-1559, in wei per gas; 0 where the chain has none. Chains with
 * parameters of their own (layer 2) deviate from it.
 */
export function computeNextBaseFee({
  baseFeePerGas,
  gasUsed,
  gasLimit,
}: {
  baseFeePerGas?: bigint | null | undefined
  gasUsed: bigint
  gasLimit: bigint
}): bigint {
  if (baseFeePerGas === null || baseFeePerGas === undefined) return 0n
  const target = gasLimit / ELASTICITY
  if (gasUsed === target || target === 0n) return baseFeePerGas
  const difference = gasUsed > target ? gasUsed - target : target - gasUsed
  const change = (baseFeePerGas * difference) / target / MAX_CHANGE
  if (gasUsed > target) return baseFeePerGas + (change > 1n ? change : 1n)
  return baseFeePerGas - change
}

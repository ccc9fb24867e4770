/** Input and output of a bridge. Amounts in the smallest unit of each token. */
export interface BridgedAmounts {
  inputAmount: bigint
  inputDecimals: number
  outputAmount: bigint
  outputDecimals: number
}

/** Values of one whole token in US dollars, in one unit; null if unknown. */
export interface TokenValues {
  input: bigint | null
  output: bigint | null
}

const WHOLE = 10_000n

/**
 * True if the output is at most the input, since fillers take no loss, and at least the input without the highest fee.
 * Both are counted one for one, and by prices if both are known.
 * @param maxFeeBps The highest fee in basis points of the input.
 */
export function isFairOutput(
  { inputAmount, inputDecimals, outputAmount, outputDecimals }: BridgedAmounts,
  maxFeeBps: number,
  { input, output }: TokenValues,
): boolean {
  const given = inputAmount * 10n ** BigInt(outputDecimals)
  const got = outputAmount * 10n ** BigInt(inputDecimals)
  const kept = WHOLE - BigInt(maxFeeBps)
  if (got <= 0n || got > given || got * WHOLE < given * kept) return false
  if (input === null || output === null) return true
  return got * output * WHOLE >= given * input * kept
}

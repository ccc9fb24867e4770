/** What a bridge takes and gives. Amounts in the smallest unit of each token. */
export interface BridgedAmounts {
  inputAmount: bigint
  inputDecimals: number
  outputAmount: bigint
  outputDecimals: number
}

/** Values of one whole token in US dollars, in one unit; null where one is not known. */
export interface TokenValues {
  input: bigint | null
  output: bigint | null
}

const WHOLE = 10_000n

/**
 * Whether the output is not more than the input, which nobody would fill, and not less than the input without the highest
 * fee: counted one for one, and by prices where both are known.
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

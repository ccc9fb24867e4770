/** Former members of a chain and their present place: in `relayer`, or under another name. */
const OF_RELAYER = [
  'entrypoint',
  'assets',
  'asp',
  'signerKeys',
  'feeReceiverKey',
  'feeReceiver',
  'maxGasPrice',
  'unpaidGasPerHour',
  'multicall',
]

type Members = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * Converts a configuration that was written before chains had optional parts: the relayer's members move into
 * `relayer`, `intents` becomes `sending`. A member that is in both places stays, so that the schema refuses it.
 *
 * @param warn Receives which members of which chain moved, and where to write them.
 * @returns The same configuration if nothing had to move.
 */
export function moveFormerMembers(input: Members, warn: (message: string) => void): Members {
  const { chains } = input
  if (!Array.isArray(chains)) return input
  return {
    ...input,
    chains: chains.map((chain: unknown, place) =>
      isObject(chain) ? moveInChain(chain, `chains[${place}]`, warn) : chain,
    ),
  }
}

function moveInChain(chain: Members, path: string, warn: (message: string) => void): Members {
  const { relayer = {} } = chain
  const found = OF_RELAYER.filter((name) => name in chain && isObject(relayer) && !(name in relayer))
  const isRenamed = 'intents' in chain && !('sending' in chain)
  if (found.length === 0 && !isRenamed) return chain
  const kept = Object.entries(chain).filter(
    ([name]) => !found.includes(name) && !(isRenamed && name === 'intents'),
  )
  const moved = Object.fromEntries(found.map((name) => [name, chain[name]]))
  const words = [
    ...(found.length > 0 ? [`write ${found.join(', ')} in ${path}.relayer`] : []),
    ...(isRenamed ? [`rename ${path}.intents to sending`] : []),
  ]
  warn(`${path} is in an earlier form, which is still read: ${words.join('; ')}.`)
  return {
    ...Object.fromEntries(kept),
    ...(found.length > 0 && { relayer: { ...(relayer as Members), ...moved } }),
    ...(isRenamed && { sending: chain['intents'] }),
  }
}

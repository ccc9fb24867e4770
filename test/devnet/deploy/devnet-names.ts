/** The top-level name, owned by the deployer. */
export const TOP_NAME = 'eth'
/** Resolves on chain to the first client account, and has an avatar. */
export const CLIENT_NAME = `client.${TOP_NAME}`
/** Everything below it is answered offchain (ENSIP-10, ERC-3668), signed by the devnet's name signer. */
export const OFFCHAIN_NAME = `stealth.${TOP_NAME}`
/** The URL that the offchain resolver sends readers to until the service says its own (point-names.ts). */
export const OFFCHAIN_GATEWAY = 'http://127.0.0.1:4000/ccip/{sender}/{data}.json'

/** A name's first label and the rest. */
export function splitName(name: string): [label: string, parent: string] {
  const dot = name.indexOf('.')
  return [name.slice(0, dot), name.slice(dot + 1)]
}

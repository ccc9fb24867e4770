import {
  createPublicClient,
  http,
  keccak256,
  parseAbi,
  stringToHex,
  toHex,
  type Address,
  type Hex,
} from 'viem'

const abi = parseAbi(['function url() view returns (string)'])

/** The slot of the gateway's URL in the resolver: its first. */
const URL_SLOT = toHex(0, { size: 32 })
const WORD = 32

/**
 * Sends readers of the devnet's offchain names to a service, by writing into the resolver's storage. The contract has
 * the URL from its constructor and no way to change it. The service may get another port at each start.
 *
 * @param serviceUrl Without a slash at its end.
 * @throws Error when the chain is no local one, or the resolver does not show the URL afterwards.
 */
export async function pointNames(rpcUrl: string, resolver: Address, serviceUrl: string): Promise<void> {
  const gateway = `${serviceUrl}/ccip/{sender}/{data}.json`
  const client = createPublicClient({ transport: http(rpcUrl), cacheTime: 0 })
  const read = () => client.readContract({ address: resolver, abi, functionName: 'url' })
  if ((await read()) === gateway) return
  for (const [slot, word] of stringSlots(gateway))
    await client.request({ method: 'anvil_setStorageAt', params: [resolver, slot, word] } as never)
  if ((await read()) !== gateway) throw new Error('the devnet’s offchain resolver did not take its URL')
}

/** A string of 32 bytes or more in storage: twice its length and one, its bytes from the hash of its slot on. */
function stringSlots(text: string): (readonly [slot: Hex, word: Hex])[] {
  const bytes = Buffer.from(stringToHex(text).slice(2), 'hex')
  if (bytes.length < WORD) throw new RangeError('Solidity stores shorter texts otherwise')
  const first = BigInt(keccak256(URL_SLOT))
  const words = Array.from({ length: Math.ceil(bytes.length / WORD) }, (_, index) => {
    const word = Buffer.alloc(WORD)
    bytes.copy(word, 0, index * WORD)
    return [toHex(first + BigInt(index), { size: WORD }), toHex(word)] as const
  })
  return [[URL_SLOT, toHex(2 * bytes.length + 1, { size: WORD })], ...words]
}

import type { FeeCommitmentMessage } from '../proving-pool.ts'

/** EIP-712 domain and type of a fee commitment. */
export const DOMAIN = { name: 'Privacy Pools Relayer', version: '1' } as const
/** Name of the EIP-712 type that a fee commitment is signed as. */
export const PRIMARY_TYPE = 'RelayerCommitment'
const types = {
  EIP712Domain: [
    { name: 'name', type: 'string' },
    { name: 'version', type: 'string' },
    { name: 'chainId', type: 'uint256' },
  ],
  RelayerCommitment: [
    { name: 'withdrawalData', type: 'bytes' },
    { name: 'asset', type: 'address' },
    { name: 'expiration', type: 'uint256' },
    { name: 'amount', type: 'uint256' },
    { name: 'extraGas', type: 'bool' },
  ],
} as const

/** Encodes a type as EIP-712 hashes it: `Name(type member,…)`. */
export function encodeType(name: keyof typeof types): string {
  return `${name}(${types[name].map((member) => `${member.type} ${member.name}`).join(',')})`
}

/** Encodes a fee commitment for wallets and signers: the JSON of EIP-712, whole numbers in decimal digits. */
export function writeTypedData({ chainId, ...message }: FeeCommitmentMessage): object {
  return {
    types,
    primaryType: PRIMARY_TYPE,
    domain: { ...DOMAIN, chainId },
    message: { ...message, expiration: String(message.expiration), amount: String(message.amount) },
  }
}

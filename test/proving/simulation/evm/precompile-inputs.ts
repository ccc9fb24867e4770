import { concatHex, numberToHex, pad, type Hex } from 'viem'

const word = (value: bigint | number): Hex => pad(numberToHex(value))
const words = (...values: (bigint | number)[]): Hex => concatHex(values.map(word))

const q = 21888242871839275222246405745257275088696311157297823662689037894645226208583n
/** Generators of BN254 in the order of EIP-197: the imaginary part first. */
const G1 = [1n, 2n] as const
const NEGATIVE_G1 = [1n, q - 2n] as const
const G2 = [
  11559732032986387107991004021392285783925812861821192530917403151452391805634n,
  10857046999023057135944570762232829481370756359578518086990519993285655852781n,
  4082367875863433681332203403145435568316851327593401208105741076214120093531n,
  8495653923123431417604973247489272438418190587263600148770280649306958101930n,
] as const

const BLAKE2_INPUT: Hex = `0x0000000c48c9bdf267e6096a3ba7ca8485ae67bb2bf894fe72f36e3cf1361d5f3af54fa5d182e6ad7f520e511f6c3e2b8c68059b6bbd41fbabd9831f79217e1319cde05b${'616263'.padEnd(256, '0')}${'03'.padEnd(16, '0')}${'00'.repeat(8)}01`

/** Name, address and input of the precompiled contracts, with valid and invalid inputs. */
export const PRECOMPILE_INPUTS: [name: string, address: number, input: Hex][] = [
  [
    'ECRECOVER',
    1,
    '0x18c547e4f7b0f325ad1e56f57e26c745b09a3e503d86e00e5255ff7f715d3d1c000000000000000000000000000000000000000000000000000000000000001c73b1693892219d736caba55bdb67216e485557ea6b6af75f37096c9aa6a5a75feeb940b1d03b21e36b0e47e79769f095fe2ab855bd91e3a38756b7d75a9c4549',
  ],
  ['ECRECOVER of nonsense', 1, words(1, 2, 3, 4)],
  ['SHA-256', 2, words(1, 2, 3)],
  ['RIPEMD-160', 3, words(1, 2, 3)],
  ['IDENTITY', 4, words(1, 2, 3)],
  ['MODEXP', 5, concatHex([words(1, 32, 32), '0x03', word(q - 1n), word(q)])],
  ['MODEXP of nothing', 5, words(0, 0, 0)],
  ['BN254 add', 6, words(...G1, ...G1)],
  ['BN254 add of opposites', 6, words(...G1, ...NEGATIVE_G1)],
  ['BN254 add of infinity', 6, words(...G1, 0, 0)],
  ['BN254 add of a short input', 6, words(...G1)],
  ['BN254 add of what is not on the curve', 6, words(1, 3, 1, 2)],
  ['BN254 add of what is not in the field', 6, words(q + 1n, 2, 1, 2)],
  ['BN254 multiply', 7, words(...G1, 123_456_789n)],
  ['BN254 multiply by more than the order', 7, words(...G1, 2n ** 256n - 1n)],
  ['BN254 multiply by zero', 7, words(...G1, 0)],
  ['BN254 pairing of nothing', 8, '0x'],
  ['BN254 pairing that holds', 8, words(...G1, ...G2, ...NEGATIVE_G1, ...G2)],
  ['BN254 pairing that does not', 8, words(...G1, ...G2)],
  [
    'BN254 pairing of ten pairs',
    8,
    words(...Array.from({ length: 5 }, () => [...G1, ...G2, ...NEGATIVE_G1, ...G2]).flat()),
  ],
  ['BN254 pairing with infinity', 8, words(0, 0, ...G2, ...G1, 0, 0, 0, 0)],
  ['BN254 pairing of a wrong length', 8, words(...G1)],
  ['BN254 pairing of a point outside of G2', 8, words(...G1, 1, 2, 3, 4)],
  ['BLAKE2', 9, BLAKE2_INPUT],
  ['BLAKE2 of a wrong length', 9, '0x00'],
  ['BLS12-381 add of infinity', 0x0b, `0x${'00'.repeat(256)}`],
  ['BLS12-381 map to G1', 0x10, pad('0x05', { size: 64 })],
  ['P-256 of nonsense', 0x100, words(1, 2, 3, 4, 5)],
]

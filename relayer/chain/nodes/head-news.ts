import { hexToBigInt, numberToHex, type Block } from 'viem'
import { z } from 'zod'

/** The fields of a chain's newest block that the service uses. */
export type HeadBlock = Pick<
  Block<bigint, false, 'latest'>,
  | 'number'
  | 'hash'
  | 'parentHash'
  | 'timestamp'
  | 'baseFeePerGas'
  | 'gasLimit'
  | 'gasUsed'
  | 'miner'
  | 'difficulty'
  | 'mixHash'
>

const hex = z.templateLiteral(['0x', z.string()])
/** A number as nodes write it. */
export const quantityCodec = z.codec(hex, z.bigint(), {
  decode: (text) => hexToBigInt(text),
  encode: (number) => numberToHex(number),
})

const headBlock = z.object({
  number: quantityCodec,
  hash: hex,
  parentHash: hex,
  timestamp: quantityCodec,
  baseFeePerGas: quantityCodec.nullable(),
  gasLimit: quantityCodec,
  gasUsed: quantityCodec,
  miner: hex,
  difficulty: quantityCodec,
  mixHash: hex,
}) satisfies z.ZodType<HeadBlock>

const headNews = z.object({
  /** The instance that read the head. */
  from: z.string(),
  /** When its node was asked, in milliseconds of its clock. */
  at: z.number(),
  hash: hex,
  /** Null if the head is the one that it published before. */
  block: headBlock.nullable(),
  /** Its other readings of that head, by their names. */
  readings: z.record(z.string(), z.string()),
})

/** A message between instances of the service about a read of a chain's head. */
export type HeadNews = z.output<typeof headNews>

/** Encodes news for other instances. */
export function encodeHeadNews(news: HeadNews): string {
  return JSON.stringify(z.encode(headNews, news))
}

/** Null when it is not one of ours: another version may use another format. */
export function decodeHeadNews(text: string): HeadNews | null {
  try {
    return headNews.parse(JSON.parse(text))
  } catch {
    return null
  }
}

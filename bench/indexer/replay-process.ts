import { once } from 'node:events'
import { replayBlocks, type RecordedBlock } from './replay-blocks.ts'

const [{ recorded, count, chainId }] = (await once(process, 'message')) as [
  { recorded: RecordedBlock[]; count: number; chainId: number },
]
const { url } = await replayBlocks(recorded, count, chainId)
process.send?.({ url })

import type { NodeDoor } from '../broadcast/start-node-door.ts'
import type { Node } from '../broadcast/start-node.ts'

interface Block {
  number: string
}

/** From now on the node behind a door shows no block above a number, as one that stands still; null ends it. */
export function standStill(door: NodeDoor, node: Node, number: number | null): void {
  if (number === null) {
    for (const method of ['eth_getBlockByNumber', 'eth_getBlockByHash', 'eth_blockNumber']) door.alter(method)
    return
  }
  const hide = (block: Block | null) => (block && Number(block.number) > number ? null : block)
  const hex = `0x${number.toString(16)}`
  door.alter('eth_blockNumber', () => hex)
  door.alter('eth_getBlockByHash', (block) => hide(block as Block | null))
  door.alter('eth_getBlockByNumber', (block, [tag, full]) =>
    tag === 'latest' ? node.ask('eth_getBlockByNumber', hex, full) : hide(block as Block | null),
  )
}

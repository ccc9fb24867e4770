import type { EVM } from '@ethereumjs/evm'
import type { NativeTransfer } from '../assets/check-native.ts'
import type { Hex } from '../provider.ts'

interface Frame {
  /** Transfers of this frame and of those below it that succeeded. */
  transfers: NativeTransfer[]
  own: { from: string; to: string | null; value: bigint } | null
}

/** Follows the calls of an EVM during a transaction; `stop` returns the transfers in their order. */
export function followCalls(evm: EVM): { stop(): NativeTransfer[] } {
  const root: Frame = { transfers: [], own: null }
  const stack = [root]

  const enter: Parameters<typeof evm.events.on<'beforeMessage'>>[1] = (message) => {
    const moves = message.value > 0n && !message.delegatecall
    const own = moves
      ? { from: message.caller.toString(), to: message.to?.toString() ?? null, value: message.value }
      : null
    stack.push({ transfers: [], own })
  }
  const leave: Parameters<typeof evm.events.on<'afterMessage'>>[1] = ({ execResult, createdAddress }) => {
    const frame = stack.pop()
    const parent = stack.at(-1)
    if (!frame || !parent || execResult.exceptionError) return
    const to = frame.own?.to ?? createdAddress?.toString()
    if (frame.own && to && to !== frame.own.from) {
      parent.transfers.push({ from: frame.own.from as Hex, to: to as Hex, value: frame.own.value })
    }
    for (const transfer of frame.transfers) parent.transfers.push(transfer)
  }
  evm.events.on('beforeMessage', enter)
  evm.events.on('afterMessage', leave)

  return {
    stop() {
      evm.events.off('beforeMessage', enter)
      evm.events.off('afterMessage', leave)
      return root.transfers
    },
  }
}

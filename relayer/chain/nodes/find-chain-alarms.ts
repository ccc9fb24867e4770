import type { Chain } from './chain.ts'
import { areNodesSilent, findHeadProblem, isHeadFresh } from './find-head-problem.ts'
import type { NodeProblem } from './node-ring.ts'

/** A fault of a chain or of one of its nodes. */
export interface ChainAlarm {
  code: 'CHAIN_DOWN' | 'CHAIN_STALLED' | 'NODE_DOWN' | 'NODE_LAGS' | 'NODE_LIES' | 'WRONG_CHAIN'
  chainId: number
  /** The host of the node; null where the chain itself is at fault. */
  subject: string | null
  detail: string
}

const CODES: Readonly<Record<NodeProblem, ChainAlarm['code']>> = {
  behind: 'NODE_LAGS',
  unproven: 'NODE_LIES',
  silent: 'NODE_DOWN',
  'other-chain': 'WRONG_CHAIN',
}

/** Lists the faults of a chain at `now` (milliseconds), from memory. */
export function findChainAlarms(
  chain: Pick<Chain, 'config' | 'head' | 'usualBlockMs' | 'nodes'>,
  now: number,
): ChainAlarm[] {
  const { chainId } = chain.config
  const nodes = chain.nodes
    .statuses()
    .flatMap(({ name, problem, detail }): ChainAlarm[] =>
      problem === null
        ? []
        : [{ code: CODES[problem], chainId, subject: name, detail: `${name} ${detail ?? ''}`.trim() }],
    )
  const problem = findHeadProblem(chain, now)
  if (problem === null) return nodes
  const isDown = areNodesSilent(chain, now) || !isHeadFresh(chain, now)
  const code = isDown ? 'CHAIN_DOWN' : 'CHAIN_STALLED'
  return [{ code, chainId, subject: null, detail: problem }, ...nodes]
}

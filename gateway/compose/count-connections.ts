import type { ServiceConfig } from '../config/config.ts'

/** For requests, and for work that waits for nothing else. */
const FOR_ALL = 10
/** What a chain's outbox may hold while its nodes answer: two runs of first offers, and the watcher. */
const FOR_A_CHAIN = 3
/** However many chains: a server has 100 unless told otherwise, for all instances. */
const MOST = 40

/** How many database connections an instance opens at most. A chain whose nodes hang takes none from the others. */
export function countConnections({ chains, devnet }: Pick<ServiceConfig, 'chains' | 'devnet'>): number {
  const sending = chains.length > 0 ? chains.filter(({ relayer }) => relayer).length : devnet.chainIds.length
  return Math.min(MOST, FOR_ALL + FOR_A_CHAIN * sending)
}

import type { ServiceConfig } from './config.ts'

/** For requests, and for work that holds no other connection. */
const FOR_ALL = 10
/** Connections that a chain's outbox may use while its nodes answer: two runs of first offers, and the watcher. */
const FOR_A_CHAIN = 3
/** Upper limit for any number of chains: PostgreSQL admits 100 connections by default, for all instances together. */
const MOST = 40

/** The most database connections that an instance opens. A chain whose nodes hang uses up none of the others' connections. */
export function countDatabaseConnections({
  chains,
  devnet,
}: Pick<ServiceConfig, 'chains' | 'devnet'>): number {
  const sending = chains.length > 0 ? chains.filter(({ relayer }) => relayer).length : devnet.chainIds.length
  return Math.min(MOST, FOR_ALL + FOR_A_CHAIN * sending)
}

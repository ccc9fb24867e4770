import { subscribe, unsubscribe, type ChannelListener } from 'node:diagnostics_channel'
import { endedStatements, type EndedStatement } from '../../db/observe-statements.ts'
import type { ProvingPool } from '../../proving/proving-pool.ts'
import { nodeAnswers, type NodeAnswer } from '../../proving/rpc/observe-node.ts'
import { outboundSteps, type OutboundStep } from '../../relayer/chain/broadcast/observe-outbound.ts'
import type { ShutdownList } from '../../relayer/concurrency/shutdown-list.ts'
import { venueAnswers, type VenueAnswer } from '../../relayer/transact/venues/observe-venue.ts'
import type { Logger } from '../logging.ts'
import type { TracingConfig } from '../observation/tracing-config.ts'
import type { EndedStep, RequestTracing } from '../observation/tracing.ts'

/**
 * Traces the requests of this service where a collector is configured, and returns null elsewhere. Only then the packages of
 * OpenTelemetry are loaded.
 */
export async function traceService(
  config: TracingConfig,
  logger: Logger,
  shutdown: ShutdownList,
): Promise<RequestTracing | null> {
  const { endpoint } = config
  if (endpoint === undefined) return null
  const { openTracing } = await import('../observation/open-tracing.ts')
  const tracing = openTracing({ ...config, endpoint }, logger)
  shutdown.add('traces', () => tracing.close())
  const hear = (name: string | symbol, listener: ChannelListener) => {
    subscribe(name, listener)
    shutdown.add(`traces of ${String(name)}`, () => unsubscribe(name, listener))
  }
  // Each channel has one kind of message.
  hear(endedStatements.name, (message) => tracing.note(describeStatement(message as EndedStatement)))
  hear(nodeAnswers.name, (message) => tracing.note(describeNodeAnswer(message as NodeAnswer)))
  hear(venueAnswers.name, (message) => tracing.note(describeVenueAnswer(message as VenueAnswer)))
  hear(outboundSteps.name, (message) => followOutbound(tracing, message as OutboundStep))
  return tracing
}

const describeStatement = ({ statement, startedAt, isFailed }: EndedStatement): EndedStep => ({
  name: statement,
  startedAt,
  isFailed,
  facts: { 'db.system.name': 'postgresql', 'db.query.summary': statement },
})

const describeNodeAnswer = ({ node, method, startedAt, isFailed }: NodeAnswer): EndedStep => ({
  name: method,
  startedAt,
  isFailed,
  facts: { 'rpc.system.name': 'jsonrpc', 'rpc.method': method, 'server.address': node },
})

const describeVenueAnswer = ({ venue, chainId, outcome, seconds }: VenueAnswer): EndedStep => ({
  name: `venue ${venue}`,
  startedAt: performance.now() - seconds * 1_000,
  isFailed: outcome === 'timed_out' || outcome === 'failed',
  facts: { 'stealth_relay.chain_id': chainId, 'stealth_relay.outcome': outcome },
})

function followOutbound(tracing: RequestTracing, step: OutboundStep): void {
  if (step.step === 'awaited') tracing.awaitTransaction(step.reference)
  else if (step.step === 'queued') tracing.beginTransaction({ ...step, id: step.outboundId })
  else tracing.noteTransaction(step.outboundId, step.progress)
}

/** Makes the tasks of worker threads parts of the traces, with the time that they wait for a thread. */
export function traceProving(proving: ProvingPool, tracing: RequestTracing): ProvingPool {
  const traced =
    <Job, Answer>(task: string, run: (job: Job) => Promise<Answer>) =>
    (job: Job) =>
      tracing.part(`thread ${task}`, () => run(job))
  return {
    ...proving,
    verify: traced('verify', proving.verify),
    signFeeCommitment: traced('sign', proving.signFeeCommitment),
    derive: traced('derive', proving.derive),
    simulate: traced('simulate', proving.simulate),
    simulateCalls: traced('simulate', proving.simulateCalls),
  }
}

import { AsyncLocalStorage } from 'node:async_hooks'
import { randomUUID } from 'node:crypto'
import {
  isSpanContextValid,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  TraceFlags,
  type Attributes,
  type Context,
  type Span,
  type Tracer,
} from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import {
  AlwaysOnSampler,
  BatchSpanProcessor,
  TracerProvider,
  type SpanExporter,
} from '@opentelemetry/sdk-trace'
import { LRUCache } from 'lru-cache'
import { randomFraction } from '../../relayer/concurrency/even-times.ts'
import { presentClient, SERVICE } from '../../relayer/shares/client.ts'
import type { Logger } from '../logging.ts'
import { readBuildInfo } from './build-info.ts'
import type { TracingConfig } from './tracing-config.ts'
import type { EndedStep, RequestTrace, RequestTracing } from './tracing.ts'

/** Spans of one trace at most, so that a large request does not fill the queue of the exporter by itself. */
const MOST_SPANS = 500
/** Transactions, and requests that wait for one, that are followed at once. */
const MOST_FOLLOWED = 1_000
/** Milliseconds that the collector has for an export; the last one may delay the end of the service so long. */
const EXPORT_TIMEOUT_MS = 5_000

/** A place in a trace. */
interface Place {
  context: Context
  /** Shared by all places of the trace. */
  room: { left: number }
}

/**
 * Opens the export of traces. The provider is not registered globally, because then packages of this process would make spans
 * of their own, with texts of statements, and pass the trace on to others.
 */
export function openTracing(config: TracingConfig & { endpoint: string }, logger: Logger): RequestTracing {
  const { version } = readBuildInfo()
  const provider = new TracerProvider({
    resource: resourceFromAttributes({
      'service.name': 'stealth-relay',
      'service.version': version,
      'service.instance.id': randomUUID(),
    }),
    // The draw is made before: a trace that began is complete.
    sampler: new AlwaysOnSampler(),
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: reportingFailures(openExporter(config), logger),
        exportTimeoutMillis: EXPORT_TIMEOUT_MS,
      }),
    ],
  })
  return new ExportedTraces(provider, provider.getTracer('stealth-relay', version), config.sampleRatio)
}

const openExporter = ({ endpoint, authorization }: TracingConfig & { endpoint: string }): SpanExporter =>
  new OTLPTraceExporter({
    url: `${endpoint.replace(/\/+$/, '')}/v1/traces`,
    timeoutMillis: EXPORT_TIMEOUT_MS,
    ...(authorization !== undefined && { headers: { authorization } }),
  })

/** Logs once when exports begin to fail, and once when they work again. */
function reportingFailures(exporter: SpanExporter, logger: Logger): SpanExporter {
  let isFailing = false
  return {
    export(spans, answer) {
      exporter.export(spans, (result) => {
        const { error } = result
        if (error && !isFailing) logger.warn({ err: error }, 'traces cannot be exported')
        else if (!error && isFailing) logger.info({}, 'traces are exported again')
        isFailing = error !== undefined
        answer(result)
      })
    },
    shutdown: () => exporter.shutdown(),
  }
}

class ExportedTraces implements RequestTracing {
  readonly #provider: TracerProvider
  readonly #tracer: Tracer
  readonly #sampleRatio: number
  readonly #present = new AsyncLocalStorage<Place>()
  /** Places of requests that wait for a transaction, by its reference. */
  readonly #awaiting = new LRUCache<string, Context>({ max: MOST_FOLLOWED })
  /** Spans of transactions that have not ended, by their id. */
  readonly #transactions = new LRUCache<string, readonly Span[]>({
    max: MOST_FOLLOWED,
    dispose: (spans) => spans.forEach((span) => span.end()),
  })

  constructor(provider: TracerProvider, tracer: Tracer, sampleRatio: number) {
    this.#provider = provider
    this.#tracer = tracer
    this.#sampleRatio = sampleRatio
  }

  open({ operation, requestId, traceparent }: Parameters<RequestTracing['open']>[0]): RequestTrace | null {
    const parent = readParent(traceparent)
    if (parent === 'unsampled' || randomFraction() >= this.#sampleRatio) return null
    const span = this.#tracer.startSpan(
      operation,
      { kind: SpanKind.SERVER, attributes: { 'stealth_relay.request_id': requestId } },
      parent,
    )
    const place: Place = { context: trace.setSpan(parent, span), room: { left: MOST_SPANS } }
    return {
      run: (work) => this.#present.run(place, work),
      end(status) {
        span.setAttribute('http.response.status_code', status)
        if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR })
        span.end()
        // Work that a request began and left behind, such as a loop, belongs to no trace.
        place.room.left = 0
      },
    }
  }

  async part<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
    const span = this.#begin(name, {})
    if (!span) return work()
    const { context, room } = this.#present.getStore()!
    try {
      return await this.#present.run({ context: trace.setSpan(context, span), room }, work)
    } catch (error) {
      span.setStatus({ code: SpanStatusCode.ERROR })
      throw error
    } finally {
      span.end()
    }
  }

  note({ name, startedAt, isFailed, facts }: EndedStep): void {
    if (presentClient() === SERVICE) return
    const span = this.#begin(name, facts, { kind: SpanKind.CLIENT, startTime: startedAt })
    if (isFailed) span?.setStatus({ code: SpanStatusCode.ERROR })
    span?.end()
  }

  awaitTransaction(reference: string): void {
    const place = this.#present.getStore()
    if (place) this.#awaiting.set(reference, place.context)
  }

  beginTransaction({ id, kind, chainId, serves }: Parameters<RequestTracing['beginTransaction']>[0]): void {
    const own = presentClient() === SERVICE ? undefined : this.#present.getStore()?.context
    const others = serves.flatMap((reference) => this.#awaiting.get(reference) ?? [])
    const contexts = new Set(own ? [own, ...others] : others)
    if (contexts.size === 0) return
    const attributes = {
      'stealth_relay.outbound_id': id,
      'stealth_relay.kind': kind,
      'stealth_relay.chain_id': chainId,
    }
    const begin = (context: Context) =>
      this.#tracer.startSpan('transaction', { kind: SpanKind.PRODUCER, attributes }, context)
    this.#transactions.set(id, [...contexts].map(begin))
  }

  noteTransaction(id: string, { status, hash }: Parameters<RequestTracing['noteTransaction']>[1]): void {
    const spans = this.#transactions.get(id) ?? []
    for (const span of spans) {
      span.addEvent(status)
      if (hash !== undefined) span.setAttribute('stealth_relay.hash', hash)
      if (status !== 'sent' && status !== 'confirmed') span.setStatus({ code: SpanStatusCode.ERROR })
    }
    // Its disposal ends the spans.
    if (status !== 'sent') this.#transactions.delete(id)
  }

  async close(): Promise<void> {
    this.#transactions.clear()
    // A failure is logged already.
    await this.#provider.shutdown().catch(() => undefined)
  }

  #begin(
    name: string,
    attributes: Attributes,
    options: { kind?: SpanKind; startTime?: number } = {},
  ): Span | null {
    const place = this.#present.getStore()
    if (!place || place.room.left <= 0) return null
    place.room.left -= 1
    return this.#tracer.startSpan(name, { ...options, attributes }, place.context)
  }
}

const PARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/

/** Reads a `traceparent`. Another version, or an invalid one, begins a trace of its own. */
function readParent(header: string | string[] | undefined): Context | 'unsampled' {
  const [, traceId, spanId, flags] = PARENT.exec(String(header)) ?? []
  if (traceId === undefined || spanId === undefined) return ROOT_CONTEXT
  const parent = { traceId, spanId, traceFlags: TraceFlags.SAMPLED, isRemote: true }
  if (!isSpanContextValid(parent)) return ROOT_CONTEXT
  const isSampled = (Number.parseInt(flags ?? '0', 16) & TraceFlags.SAMPLED) !== 0
  return isSampled ? trace.setSpanContext(ROOT_CONTEXT, parent) : 'unsampled'
}

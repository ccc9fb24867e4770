import type { Plugin } from 'graphql-yoga'
import type { Registry } from 'prom-client'
import type { RateCounters } from '../../db/shared-state/shared-state.ts'
import { forClient } from '../../relayer/shares/client.ts'
import type { Services } from '../../relayer/services.ts'
import type { Idempotency, OperationContext } from '../../schema/define/context.ts'
import { invoke } from '../../schema/define/invoke.ts'
import { buildOpenApi } from '../../schema/openapi/build-openapi.ts'
import { operations } from '../../schema/features.ts'
import { lateGraphqlRoutes, lateSocketDoor } from '../graphql/late-graphql-routes.ts'
import type { Upgrade } from '../graphql/socket-door.ts'
import { createCostlyTurns } from '../limits/fair-gate.ts'
import { createInFlightCap } from '../limits/in-flight-cap.ts'
import { createRateLimiter } from '../limits/create-rate-limiter.ts'
import type { Logger } from '../logging.ts'
import { readBuildInfo, registerBuildInfo, securityRoute, versionRoute } from '../observation/build-info.ts'
import { createMetrics } from '../observation/metrics.ts'
import { shareRunning } from '../observation/share-running.ts'
import type { RequestTracing } from '../observation/tracing.ts'
import {
  operatorPageRoutes,
  publicFrontRoute,
  publicPageRoutes,
  type PageOptions,
} from '../pages/page-routes.ts'
import { paymentRoutes, type PaymentPage } from '../pages/payment-routes.ts'
import { walletRoutes, type WalletPage } from '../pages/wallet-routes.ts'
import { healthRoutes, type Health } from '../observation/health-routes.ts'
import { clientAddress } from './client-address.ts'
import type { HttpConfig } from './http-config.ts'
import { mayOpenSocket } from './cross-origin.ts'
import { createOperationContext, findStreamOwner, lookUp } from './create-operation-context.ts'
import { guardOperatorRoutes } from './guard-operator-routes.ts'
import { createListener, type Listener } from './listen.ts'
import { createBodyReader } from './read-body.ts'
import { restRoutes } from './rest-routes.ts'
import { keepAsset } from '../route/keep-asset.ts'
import type { HttpRequest, Route } from '../route/route.ts'
import { serveRoutes } from './serve-routes.ts'
import { createUnwrittenBytes } from '../limits/unwritten-bytes.ts'
import type { IncomingMessage } from 'node:http'
import { isProxied } from './proxy-headers.ts'

export interface HttpServerOptions {
  services: Services
  sharedState: RateCounters
  idempotency: Idempotency
  registry: Registry
  logger: Logger
  config: HttpConfig
  health: () => Promise<Health>
  /** The service's figures, for metrics and pages. */
  overview: PageOptions['overview']
  /** A description of the running service for the front page: plain data without secrets. */
  describe: () => unknown
  /** The alarms that stand; absent in tests of other parts. */
  alarms?: PageOptions['alarms']
  /** Progress of indexing, by chain. */
  indexing?: PageOptions['indexing']
  usage?: PageOptions['usage']
  /** Absent in a service without accounts. */
  orders?: PageOptions['orders']
  /** Yoga or Envelop plugins for `/graphql`, besides the service's own. */
  graphqlPlugins?: readonly Plugin[]
  /** The wallet's page; null if it is not served. */
  wallet?: WalletPage | null
  /** The page by which anybody pays to a name; null if it is not served. */
  payments?: PaymentPage | null
  /** Absent or null without a collector of traces. */
  tracing?: RequestTracing | null
  /** The address of the operator's pages; if absent, they are on the API's port. */
  operatorDoor?: { host: string }
}

export interface HttpServer extends Listener {
  /** The listener of the operator's pages; null when they share the API's port. */
  operator: Listener | null
}

/**
 * The HTTP server: REST, GraphQL, the API reference and probes. The operator's pages (`/`, `/status.json`,
 * `/metrics`) are on the same port, or on a port of their own.
 */
export async function createHttpServer(options: HttpServerOptions): Promise<HttpServer> {
  const { services, overview, logger, config, operatorDoor, tracing = null } = options
  const limiter = createRateLimiter(options.sharedState)
  const costly = createCostlyTurns(config.maxInFlight)
  const createContext = (request: HttpRequest, signal?: AbortSignal): OperationContext =>
    createOperationContext(request, { services, limiter, idempotency: options.idempotency, costly }, signal)
  const ending = new AbortController()
  const cap = createInFlightCap(config.maxInFlight, config.maxInFlightPerClient)
  // Probes do not count as requests in progress, and each of them would query the database.
  const health = shareRunning(options.health)
  const unwritten = createUnwrittenBytes(config.maxUnwritten, config.maxUnwrittenPerClient)
  const metrics = createMetrics(
    options.registry,
    overview,
    { inFlight: cap.running, unwritten },
    config.figuresMaxAgeMs,
  )
  const apart = operatorDoor !== undefined
  const operatorRoutes = listOperatorRoutes(options, health, metrics.route)
  const { securityContact } = config
  const build = readBuildInfo()
  registerBuildInfo(options.registry, build)
  const common = [
    ...healthRoutes(health),
    versionRoute(build),
    ...(securityContact === undefined ? [] : [securityRoute(securityContact)]),
    ...publicPageRoutes(),
  ]
  const findOwner = (request: HttpRequest) => findStreamOwner(createContext(request))
  const graphql = await lateGraphqlRoutes({
    createContext,
    findOwner,
    isTokenGood: async (request) => (await lookUp(request, services)) !== null,
    run: metrics.timed(tracing ? traced(tracing) : invoke),
    config: config.graphql,
    unwritten,
    logger,
    shutdown: ending.signal,
    plugins: options.graphqlPlugins ?? [],
  })
  const routes: Route[] = [
    ...restRoutes(operations, createContext),
    ...graphql.routes,
    openApiRoute(),
    ...(options.wallet ? walletRoutes(options.wallet, limiter) : []),
    ...(options.payments ? paymentRoutes(options.payments, { limiter, shutdown: ending.signal }) : []),
    ...common,
    ...(apart ? [publicFrontRoute()] : operatorRoutes),
  ]
  const serveOptions = {
    logger,
    cap,
    unwritten,
    // Room for the bodies of all requests that may run at once.
    readBody: createBodyReader({
      keep: config.bodyLimit,
      drain: config.drainLimit,
      hold: config.bodyLimit * config.maxInFlight,
    }),
    shutdown: ending.signal,
    noteProxy: warnOfProxy(config.trustedProxies, logger),
    observe: metrics.observeRequest,
    tracing,
  }
  const serve = async (served: readonly Route[], http: HttpConfig, upgrade?: Upgrade): Promise<Listener> =>
    createListener(await serveRoutes(served, { ...serveOptions, config: http }), http, upgrade)
  const addressOf = (request: IncomingMessage) => clientAddress(request, config.trustedProxies)
  const listener = await serve(
    routes,
    config,
    lateSocketDoor({
      findOwner,
      run: graphql.run,
      addressOf,
      mayOpen: (request) => mayOpenSocket(request, config.corsOrigins),
      asClient: (network, work) =>
        forClient({ network, account: null }, async () => {
          unwritten.admit(network)
          return cap.run(network, work)
        }),
      unwritten,
      observe: metrics.observeRequest,
      answerWithinMs: config.answerWithinMs,
      logger,
      shutdown: ending.signal,
    }),
  )
  return {
    listen: listener.listen,
    close(graceMs) {
      ending.abort(new Error('the service is shutting down'))
      return listener.close(graceMs)
    },
    operator: apart ? await serve([...operatorRoutes, ...common], { ...config, corsOrigins: [] }) : null,
  }
}

/** `invoke` as a part of the request's trace, because one request may run several operations. */
const traced =
  (tracing: RequestTracing): typeof invoke =>
  (operation, input, context) =>
    tracing.part(operation.name, () => invoke(operation, input, context))

/** The operator's pages behind their guard. A part that a service lacks shows nothing. */
function listOperatorRoutes(
  options: HttpServerOptions,
  health: PageOptions['health'],
  metricsRoute: Route,
): Route[] {
  const { operatorDoor } = options
  const apart = operatorDoor !== undefined
  const pages = operatorPageRoutes({
    overview: options.overview,
    health,
    describe: options.describe,
    alarms: options.alarms ?? (() => []),
    indexing: options.indexing ?? (async () => []),
    usage: options.usage ?? (async () => null),
    orders: options.orders ?? (async () => null),
    maxAgeMs: options.config.figuresMaxAgeMs,
    withApi: !apart,
    withWallet: !apart && Boolean(options.wallet),
  })
  return guardOperatorRoutes([...pages, metricsRoute], {
    shared: !apart,
    names: apart ? [operatorDoor.host] : [],
  })
}

/** Kept as bytes: encoding such a long text costs more than the rest of the request. */
let openApiBody: Buffer | undefined

function openApiRoute(): Route {
  // The document depends on constants only and is expensive to build, so this process builds it once, at the first
  // request.
  const build = () => (openApiBody ??= Buffer.from(JSON.stringify(buildOpenApi(operations))))
  return {
    method: 'GET',
    path: '/openapi.json',
    name: 'openapi',
    background: true,
    handle: keepAsset(async () => build(), { 'content-type': 'application/json' }),
  }
}

/**
 * Warns once when a request came through a proxy although no proxy is trusted: all clients behind the proxy then
 * share its address, and with it every limit.
 */
function warnOfProxy(trustedProxies: number, logger: Logger): (request: IncomingMessage) => void {
  let isSilent = trustedProxies > 0
  return ({ headers }) => {
    if (isSilent || !isProxied(headers)) return
    isSilent = true
    logger.warn(
      { trustedProxies },
      'requests come through a proxy, and http.trustedProxies is 0: all clients behind it count as one. Set it to the number of proxies in front, or let the proxy remove the headers that name it or the client',
    )
  }
}

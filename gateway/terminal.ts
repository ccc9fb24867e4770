import type { DestinationStream } from 'pino'
import { UnusableDatabaseError } from '../db/database-servers.ts'
import { VaultError } from '../relayer/identity/create-vault.ts'
import { DevnetError } from './compose/run-devnet.ts'
import type { RunningService } from './compose/build-service.ts'
import { ConfigError } from './config/config-error.ts'
import type { ServiceConfig } from './config/config.ts'
import { describeError, type ErrorDescription } from './describe-error.ts'
import { PortError } from './http/check-ports.ts'

/** Writes to standard error for people, because the log uses standard output. */
export function printLine(line: string): void {
  process.stderr.write(`${line}\n`)
}

/** Failures of a start whose message says what to change; the code is not at fault. */
const KNOWN_FAILURES = [ConfigError, DevnetError, PortError, UnusableDatabaseError, VaultError]

/** The message of a known failure; the causes and stack of any other, without secrets. */
export function explainStartFailure(error: unknown): string {
  return KNOWN_FAILURES.some((known) => error instanceof known)
    ? (error as Error).message
    : writeDescription(describeError(error))
}

function writeDescription({ type, code, message, stack, cause, errors = [] }: ErrorDescription): string {
  return [
    `${type}: ${message}${code === undefined ? '' : ` (${code})`}`,
    ...(stack ? [stack] : []),
    ...[...(cause ? [cause] : []), ...errors].map((one) => `Caused by ${writeDescription(one)}`),
  ].join('\n')
}

/** Destination of the log on a terminal: writes a line for people in place of each JSON object. Colours follow NO_COLOR. */
export async function openTerminalLog(): Promise<DestinationStream> {
  const { default: pretty } = await import('pino-pretty')
  const { isColorSupported } = pretty
  return pretty({
    colorize: isColorSupported,
    translateTime: 'SYS:HH:MM:ss',
    ignore: 'instance',
    singleLine: true,
    sync: true,
  })
}

export function printProgress(what: string): void {
  printLine(`  starting  ${what} …`)
}

export function printStarted(service: RunningService, config: ServiceConfig): void {
  printLine(`\n${describeStart(service, config)}\n`)
}

/** The parts of a running service that its first lines describe. */
type Started = Pick<RunningService, 'url' | 'operatorUrl' | 'parts'>

/** Describes the running parts, their addresses, and next steps to try. */
export function describeStart(started: Started, config: ServiceConfig): string {
  const next = listNextSteps(started, config)
  const width = Math.max(...next.map(([what]) => what.length)) + 3
  return [
    `  Running at ${started.url}`,
    '',
    ...listFacts(started, config).flatMap(([name, ...lines]) =>
      lines.map((line, place) => `    ${(place === 0 ? name : '').padEnd(14)}${line}`),
    ),
    '',
    '  Try next',
    ...next.map(([what, about]) => `    ${what.padEnd(width)}${about}`),
  ].join('\n')
}

/** Each part with its lines. */
function listFacts(
  { url, operatorUrl, parts }: Started,
  config: ServiceConfig,
): (readonly [string, ...string[]])[] {
  return [
    ['database', parts.database],
    ['shared state', parts.sharedState],
    ['chains', ...parts.chains.map((chain) => describeChain(chain, url))],
    ...(operatorUrl === url
      ? []
      : [
          [
            'operator',
            `/, /metrics and /status.json are at ${operatorUrl}, and not at the public door`,
          ] as const,
        ]),
    ['sign-in', describeSignIn(config)],
    [
      'names',
      parts.nameParent === null
        ? 'none: names.parent is not set'
        : `below ${parts.nameParent}, answered at ${url}/ccip`,
    ],
    ...(parts.devnetFile
      ? [
          [
            'devnet',
            `described in ${parts.devnetFile}, ${parts.asp === null ? 'without an ASP' : `ASP at ${parts.asp}`}`,
            ...(parts.across === null ? [] : [`bridge between its chains, filled from ${parts.across}`]),
          ] as const,
        ]
      : []),
  ]
}

/** Each command or address with what it is for. */
function listNextSteps({ url, operatorUrl, parts }: Started, config: ServiceConfig): [string, string][] {
  const withWallet = config.wallet ?? parts.devnetFile !== null
  return [
    ...(withWallet ? [[walletUrl(url), 'the wallet: be paid, look, pay'] satisfies [string, string]] : []),
    parts.devnetFile
      ? [
          `${sameEnvironment(config)}npm run demo`,
          'in a second terminal: receive, pay, swap, withdraw privately',
        ]
      : parts.chains.some(({ relayer }) => relayer)
        ? [`${url}/relayer/details?chainId=…&assetAddress=…`, 'cost of withdrawing an asset']
        : [`${url}/v1/supported-chains`, 'the chains that are served'],
    ['npm run admin -- --help', 'API keys, invite codes, accounts, keys'],
    [`${operatorUrl}/`, 'status: chains, signers, relays, sends'],
    [`${url}/docs`, 'the API reference'],
    [`${url}/graphql`, 'GraphiQL'],
  ]
}

/** Passkeys need a name. */
const walletUrl = (url: string) => `${url.replace('//127.0.0.1', '//localhost')}/wallet`

/** One line: the RPC host of the chain, and the service's functions there. */
function describeChain(
  { chainId, name, rpcUrls, relayer, sending }: ServiceConfig['chains'][number],
  url: string,
): string {
  const symbols = relayer?.assets.map(({ symbol }) => symbol) ?? []
  const pools = symbols.length > 0 ? `pools of ${symbols.join(', ')}` : 'no pools'
  const does = relayer ? `${pools}${sending ? '' : ', no sending'}` : 'receiving only'
  return `${chainId} ${name} at ${new URL(rpcUrls[0] ?? url).host}: ${does}`
}

function describeSignIn({ identity, accounts }: ServiceConfig): string {
  return `at ${identity.domains.join(', ')}${accounts.inviteRequired ? '; new accounts with an invite code' : ''}`
}

/** The environment variables with which the demo finds this service. */
function sameEnvironment({ port, host, storage }: ServiceConfig): string {
  const differing = [
    ...(port === 4_000 ? [] : [`PORT=${port}`]),
    ...(host === '127.0.0.1' ? [] : [`HOST=${host}`]),
    ...(storage.dataDir === '.data' ? [] : [`DATA_DIR=${storage.dataDir}`]),
  ]
  return differing.map((setting) => `${setting} `).join('')
}

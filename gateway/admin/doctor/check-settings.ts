import { addressOfPrivateKey } from '../../../proving/signing/address.ts'
import { listMarks } from '../../../relayer/chain/nodes/list-marks.ts'
import { isLoopback } from '../../http/is-loopback.ts'
import type { ServiceConfig } from '../../config/config.ts'
import { openChart, type ChartEntry } from './open-chart.ts'

/** Signers of a kind that two instances need. */
const SIGNERS = 2

/** Examines the settings by themselves: keys, doors, and parts without which production is unsafe. */
export function checkSettings(config: ServiceConfig): ChartEntry[] {
  const { storage, identity, chains, transact } = config
  const chart = openChart('settings')
  if (chains.length === 0)
    chart.warn(
      'name no chain: the service would start a devnet',
      'Put your chains into the file of `CONFIG`.',
    )
  if (identity.masterKeys) chart.ok('have a master key')
  else
    chart.warn(
      `leave the master key to a file in ${storage.dataDir}`,
      'Set `MASTER_KEYS`, and keep a copy elsewhere: without it the accounts’ keys cannot be read.',
    )
  for (const chain of chains) {
    const { chainId, relayer } = chain
    if (!relayer) continue
    const { feeReceiver, feeReceiverKey } = relayer
    const ofKey =
      typeof feeReceiverKey === 'string' ? addressOfPrivateKey(feeReceiverKey) : feeReceiverKey.address
    const relays = feeReceiver ?? ofKey
    for (const mark of listMarks(chain, { relays, sends: transact.feeReceivers[chainId] ?? relays }))
      if (mark === 'signers')
        chart.error(
          `let the same signers of chain ${chainId} send relays and sends`,
          'Set `relayer.relaySignerKeys`: anybody could see that both are of one service.',
        )
      else
        chart.error(
          `send fees of relays and of sends of chain ${chainId} to one address`,
          `Set \`transact.feeReceivers\` for ${chainId}.`,
        )
  }
  return [...chart.entries, ...findUnsafeSettings(config)]
}

/** Finds settings that work, but not well in production, and of which nothing else warns at the start. */
export function findUnsafeSettings({ host, http, chains }: ServiceConfig): ChartEntry[] {
  const chart = openChart('settings')
  if (!isLoopback(host) && http.trustedProxies === 0)
    chart.warn(
      'trust no proxy although others reach the service',
      'Set `http.trustedProxies` to the number of proxies in front.',
    )
  for (const { chainId, relayer } of chains) {
    const { signerKeys, relaySignerKeys } = relayer ?? {}
    for (const [setting, keys] of Object.entries({ signerKeys, relaySignerKeys }))
      if (keys && keys.length < SIGNERS)
        chart.warn(
          `give chain ${chainId} one key in \`relayer.${setting}\``,
          'Give at least two for each instance: one stuck transaction then stops nobody.',
        )
  }
  return chart.entries
}

import { connectDatabase } from '../../../db/connect-database.ts'
import { checkSecrets } from '../../../relayer/identity/check-secrets.ts'
import { createVault } from '../../../relayer/identity/create-vault.ts'
import { findMasterKeys } from '../../../relayer/identity/open-master-keys.ts'
import type { ServiceConfig } from '../../config/config.ts'
import { openChart, type ChartEntry } from '../doctor/open-chart.ts'

/** Finds out whether the master keys at hand open the secrets of a restored database. */
export async function checkKeys(
  url: string,
  { identity, storage }: Pick<ServiceConfig, 'identity' | 'storage'>,
): Promise<ChartEntry[]> {
  const chart = openChart('master keys')
  const keys = findMasterKeys(identity.masterKeys, storage.dataDir)
  if (!keys) {
    chart.warn('are not at hand, so nothing was opened', 'Set MASTER_KEYS, and check the backup again.')
    return chart.entries
  }
  const pool = await connectDatabase(url, { maxPoolSize: 1 })
  try {
    const checked = await checkSecrets(pool, createVault(keys))
    for (const { place, masterKeyId, rows, problem } of checked) {
      const those = `${rows} secrets of the kind ${place} under key ${masterKeyId}`
      if (problem === null) chart.ok(`open ${those}`)
      else chart.error(`do not open ${those}: ${problem}`, 'Find that key: without it they are lost.')
    }
    if (checked.length === 0) chart.ok('have nothing to open: the backup has no secrets')
  } finally {
    await pool.end()
  }
  return chart.entries
}

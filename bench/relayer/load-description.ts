import { basename, dirname } from 'node:path'
import { readDescription, type DevnetDescription } from '../../test/devnet/devnet-description.ts'
import { SettingsError } from '../settings.ts'

/** Reads the devnet.json at a path. @throws SettingsError where there is none. */
export async function loadDescription(file: string): Promise<DevnetDescription> {
  if (basename(file) !== 'devnet.json') throw new SettingsError(`--devnet: ${file} is not a devnet.json`)
  return readDescription(dirname(file)).catch((cause: unknown) => {
    throw new SettingsError(`--devnet: ${file} cannot be read: ${String(cause)}`)
  })
}

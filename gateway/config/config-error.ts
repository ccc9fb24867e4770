/** An unusable configuration; the message names each key, its problem and where to correct it. */
export class ConfigError extends Error {
  override name = 'ConfigError'
}

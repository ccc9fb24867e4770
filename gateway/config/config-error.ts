/** A configuration that cannot be used; the message names each key, what is wrong with it and where to mend it. */
export class ConfigError extends Error {
  override name = 'ConfigError'
}

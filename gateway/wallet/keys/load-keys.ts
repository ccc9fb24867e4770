/** Loads what makes and opens keys: the first screen needs it only when somebody presses. */
export const loadKeys = async () => (await import('./open-keys.ts')).KEYRING

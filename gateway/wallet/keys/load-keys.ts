/** Loads what makes and opens keys: the first screen needs it only when somebody presses. */
export const loadKeys = () => import('./open-keys.ts')

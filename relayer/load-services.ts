import { setImmediate } from 'node:timers/promises'

/**
 * Loads the modules of all districts, two thirds of the service, while processes and threads start. It loads part by part,
 * because loading blocks the event loop.
 */
export async function loadServices(): Promise<void> {
  const parts = [
    () => import('./pool/open-pools.ts'),
    () => import('./account/open-accounts.ts'),
    () => import('./transact/open-transact.ts'),
    () => import('./inspect/open-inspection.ts'),
    () => import('./services.ts'),
  ]
  for (const load of parts) {
    await setImmediate()
    await load()
  }
}

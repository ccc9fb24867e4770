import { jsonAnswer, type Route } from '../route/route.ts'

export interface Health {
  /** The service answers requests. */
  ready: boolean
  /** By chain with signers: whether requests that lead to a transaction of a duty are accepted. */
  canSend: Record<string, { sends: boolean; relays: boolean }>
  checks: Record<string, { ok: boolean; detail?: string }>
}

/** `/health/live`: the process answers. `/health/ready`: all its dependencies answer as well; otherwise 503. */
export function healthRoutes(health: () => Promise<Health>): Route[] {
  return [
    {
      method: 'GET',
      path: '/health/live',
      name: 'live',
      background: true,
      handle: async () => jsonAnswer(200, { live: true }),
    },
    {
      method: 'GET',
      path: '/health/ready',
      name: 'ready',
      background: true,
      async handle() {
        const { ready, canSend, checks } = await health()
        return jsonAnswer(ready ? 200 : 503, { ready, canSend, checks })
      },
    },
  ]
}

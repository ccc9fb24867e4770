import { jsonAnswer, type Route } from '../route/route.ts'

export interface Health {
  ready: boolean
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
        const { ready, checks } = await health()
        return jsonAnswer(ready ? 200 : 503, { ready, checks })
      },
    },
  ]
}

import { test } from 'vitest'
import { soakService } from './soak-service.ts'

test('five minutes of mixed load: every answer right, memory flat, books those of the chain', async () => {
  const figures = await soakService(300, 60)
  process.stdout.write(`soak: ${JSON.stringify(figures)}\n`)
})

import { defineConfig } from 'vitest/config'

export default defineConfig({
  // As in vitest.config.ts: one copy of graphql.
  ssr: { resolve: { conditions: ['node', 'module-sync'], externalConditions: ['node', 'module-sync'] } },
  test: {
    globalSetup: 'test/harness/global-setup.ts',
    include: ['test/deep/**/*.test.ts'],
    pool: 'forks',
    maxWorkers: 1,
    testTimeout: 30 * 60_000,
    expect: { poll: { timeout: 60_000 } },
    hookTimeout: 5 * 60_000,
  },
})

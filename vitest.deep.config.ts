import { defineConfig } from 'vitest/config'

export default defineConfig({
  // As in vitest.config.ts: one copy of graphql, and the published library of a wallet.
  ssr: { resolve: { conditions: ['node', 'module-sync'], externalConditions: ['node', 'module-sync'] } },
  test: {
    server: { deps: { inline: ['@kohaku-eth/privacy-pools'] } },
    globalSetup: 'test/harness/global-setup.ts',
    include: ['test/deep/**/*.test.ts'],
    pool: 'forks',
    maxWorkers: 1,
    testTimeout: 30 * 60_000,
    expect: { poll: { timeout: 60_000 } },
    hookTimeout: 5 * 60_000,
  },
})

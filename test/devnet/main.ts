// The devnet as a program of its own: `npm run devnet`, or a service that starts it and hears of it by messages.
await(process.send ? import('./with-service.ts') : import('./alone.ts'))
